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

    public static function table(ReportTable $table): Table
    {
        $columns = self::columns($table);
        $printed = new Table(array_map(self::column(...), $columns));
        foreach ($table->rows as $row) {
            $cells = array_map(static fn (ReportColumn $column): string => $column->text($row), $columns);
            $styles = array_map(static fn (ReportColumn $column): string => isset($row[$table->faint])
                ? 'fg=gray'
                : self::style($column, $row[$column->key] ?? null), $columns);
            $printed->add($cells, $styles);
        }

        return $printed;
    }

    /** @return list<ReportColumn> figures first: words end the lines, the first word last; unless the table has its own order */
    private static function columns(ReportTable $table): array
    {
        $columns = array_filter($table->columns, static fn (ReportColumn $column): bool => $column->title !== ''
            || $column->unit === Unit::Mark);
        if ($table->printed !== []) {
            $byKey = array_column($columns, null, 'key');

            return array_map(static fn (string $key): ReportColumn => $byKey[$key], $table->printed);
        }
        $isWords = static fn (ReportColumn $column): bool => $column->unit->isWords();
        $words = array_reverse(array_filter($columns, $isWords));

        return [...array_filter($columns, static fn (ReportColumn $column): bool => !$isWords($column)), ...$words];
    }

    /** Signs distinguish more from less; the colours repeat it. */
    private static function style(ReportColumn $column, string|int|float|bool|null $value): string
    {
        return $column->isChange && is_numeric($value) ? Column::styleOf(+$value) : '';
    }

    private static function column(ReportColumn $column): Column
    {
        return match ($column->unit) {
            Unit::Name => Column::name($column->title, 20),
            Unit::Symbol => Column::name($column->title),
            Unit::Text, Unit::Mark, Unit::Moment, Unit::Minute => new Column($column->title, Column::LEFT, weight: $column->weight),
            default => new Column($column->title, weight: $column->weight),
        };
    }
}
