<?php

declare(strict_types=1);

namespace XHProf\Report;

/**
 * What a command prints and a page shows: tables, sentences, and the facts that only programs read. Each feature makes it in one
 * class; terminals (Cli\Terminal\ReportView), JSON (--json) and pages (Web\Table\ReportTable) show it.
 */
final class Report
{
    /**
     * @param list<Table>          $tables
     * @param list<string>         $notes sentences below the tables
     * @param array<string, mixed> $facts of JSON, before the rows
     * @param list<Heading>        $headings above the tables
     * @param bool                 $rowsInJson whether programs get the rows of the tables, beside the facts
     */
    public function __construct(
        public readonly array $tables,
        public readonly array $notes = [],
        public readonly array $facts = [],
        public readonly array $headings = [],
        public readonly bool $rowsInJson = true,
    ) {
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        $rows = [];
        foreach ($this->rowsInJson ? $this->tables : [] as $table) {
            $rows += $table->key === '' ? [] : [$table->key => $table->json()];
        }

        return $this->facts + $rows;
    }
}
