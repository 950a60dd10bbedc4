<?php

declare(strict_types=1);

namespace XHProf\Report;

/**
 * What a command prints and a page shows: heads, tables, findings, sentences, and the facts that only programs read. Each feature
 * makes it in one class; terminals (Cli\Terminal\ReportView), JSON (--json) and pages (Web\Table\ReportTable,
 * findings.html.twig) show it.
 */
final class Report
{
    /**
     * @param list<Table>          $tables
     * @param list<string>         $notes sentences below the tables; '' stands for an empty line
     * @param array<string, mixed> $facts of JSON, before the rows; one with the key of a table is instead of its rows
     * @param list<Heading>        $headings above the tables
     * @param bool                 $rowsInJson whether programs get the rows of the tables, beside the facts
     * @param (\Closure(int): array<string, array{Unit, list<int|float|null>}>)|null $steps values over time, in as many steps at
     *     most: title => unit, values
     * @param list<FindingList>    $findings below the tables
     */
    public function __construct(
        public readonly array $tables,
        public readonly array $notes = [],
        public readonly array $facts = [],
        public readonly array $headings = [],
        public readonly bool $rowsInJson = true,
        public readonly ?\Closure $steps = null,
        public readonly array $findings = [],
    ) {
    }

    /**
     * The first table in another order, and its first rows.
     *
     * @param int $limit 0 stands for all
     */
    public function shown(?Order $order, int $limit): self
    {
        $tables = $this->tables;
        if ($tables !== []) {
            $tables[0] = $tables[0]->ordered($order)->first($limit);
        }

        return new self(...['tables' => $tables] + get_object_vars($this));
    }

    /** @return list<string> names of the orders of the first table */
    public function orders(): array
    {
        return $this->tables === [] ? [] : $this->tables[0]->orders();
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        $rows = [];
        foreach ($this->rowsInJson ? [...$this->tables, ...$this->findings] : [] as $table) {
            $rows += $table->key === '' ? [] : [$table->key => $table->json()];
        }

        return $this->facts + $rows;
    }
}
