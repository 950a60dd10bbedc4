<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use XHProf\Report\Column as ReportColumn;
use XHProf\Report\Report;
use XHProf\Report\Table as ReportTable;
use XHProf\Report\Unit;

/** A report on a terminal, and in JSON. */
final class ReportView implements View
{
    public function __construct(private readonly Report $report)
    {
    }

    public function print(Screen $screen): void
    {
        foreach ($this->report->tables as $index => $table) {
            if ($index > 0) {
                $screen->writeln('');
            }
            if ($table->rows === []) {
                $screen->text($table->none);
            } else {
                self::table($table)->print($screen);
            }
        }
        array_map($screen->say(...), $this->report->notes);
    }

    public function json(): array
    {
        return $this->report->json();
    }

    /** The table with its figures first: words end the lines, the first word last. */
    public static function table(ReportTable $table): Table
    {
        $columns = array_filter($table->columns, static fn (ReportColumn $column): bool => $column->title !== ''
            || $column->unit === Unit::Mark);
        $isWords = static fn (ReportColumn $column): bool => $column->unit->isWords();
        $words = array_reverse(array_filter($columns, $isWords));
        $columns = [...array_filter($columns, static fn (ReportColumn $column): bool => !$isWords($column)), ...$words];
        $printed = new Table(array_map(self::column(...), $columns));
        foreach ($table->rows as $row) {
            $printed->add(array_map(
                static fn (ReportColumn $column): string => $column->unit->text($row[$column->key] ?? null),
                $columns,
            ));
        }

        return $printed;
    }

    private static function column(ReportColumn $column): Column
    {
        return match ($column->unit) {
            Unit::Name => Column::name($column->title, 20),
            Unit::Text, Unit::Mark => new Column($column->title, Column::LEFT, weight: $column->weight),
            default => new Column($column->title, weight: $column->weight),
        };
    }
}
