<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Table;
use XHProf\Compare\DiffReport;
use XHProf\Format\Text;
use XHProf\Format\Units;

/** Tables of changes. Signs distinguish more from less; the colours repeat it, and are neither red nor green. */
final class ChangeTable
{
    /** Marks changes that are not worth a look. */
    public const NOISE = '~';

    /**
     * Before and after, one line per column.
     *
     * @param array<string, int|float> $before
     * @param array<string, int|float> $after
     * @param string $counted meaning of "ct"
     * @param list<string> $machine columns whose change the machine made
     */
    public static function sides(array $before, array $after, string $counted, array $machine = []): Table
    {
        $table = new Table([
            new Column('', Column::LEFT),
            new Column('A'),
            new Column('B'),
            new Column('B - A'),
            new Column('%'),
        ]);
        foreach ($before as $column => $a) {
            $b = $after[$column];
            $base = MetricLabel::base($column);
            $label = $base === null ? $counted : MetricLabel::name($base);
            $label = str_starts_with($column, 'excl_') ? "excl $label" : $label;
            $percent = $a == 0 ? '-' : ($a == $b ? '0.0 %' : Units::growth($a, $b));
            $cells = [$label, Units::of($a, $column), Units::of($b, $column), Units::signed($b - $a, $column), $percent];
            $style = in_array($column, $machine, true) ? 'fg=gray' : Column::styleOf($b - $a);
            $table->add($cells, [3 => $style, 4 => $style]);
        }

        return $table;
    }

    /**
     * Changes, one line per function.
     *
     * @param array<string, array<string, int|float>> $rows
     * @param array<string, string> $statuses
     * @param list<string> $order columns of the rows, most important first
     * @param string|null $always column that is never dropped
     * @param string|null $counted meaning of "ct"; null for no such column
     * @param array<string, bool> $noise functions whose change is not worth a look
     */
    public static function functions(
        array $rows,
        array $statuses,
        array $order,
        string $title,
        ?string $always,
        ?string $counted,
        array $noise = [],
    ): Table {
        $columns = [];
        foreach ($order as $index => $column) {
            $name = MetricLabel::name((string) MetricLabel::base($column));
            $columns[] = new Column(
                (str_starts_with($column, 'excl_') ? 'excl ' : 'incl ') . $name,
                weight: $index < 1 || $column === $always ? 0 : 10 + $index,
            );
        }
        if ($counted !== null) {
            $columns[] = new Column($counted, weight: 5);
        }
        $table = new Table([
            ...$columns,
            new Column('', Column::LEFT),
            Column::name($title),
        ]);
        foreach ($rows as $name => $row) {
            $cells = [];
            $styles = [];
            foreach ($order as $column) {
                $styles[count($cells)] = Column::styleOf($row[$column]);
                $cells[] = Units::signed($row[$column], $column);
            }
            if ($counted !== null) {
                $cells[] = Units::signed($row['ct'], 'ct');
            }
            $isNoise = $noise[$name] ?? false;
            $status = $statuses[$name] === DiffReport::BOTH ? '' : $statuses[$name];
            $cells[] = trim($status . ($isNoise ? ' ' . self::NOISE : ''));
            $styles = $isNoise ? array_fill(0, count($cells) + 1, 'fg=gray') : $styles;
            $table->add([...$cells, Text::printable($name)], $styles);
        }

        return $table;
    }
}
