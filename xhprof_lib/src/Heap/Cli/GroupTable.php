<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;

/** A table of types, classes or owners: counts and sizes. */
final class GroupTable
{
    private const BAR = 6;

    /**
     * @param list<HeapGroup> $groups in their order
     * @param string $title of the column of names
     * @param 'bytes'|'retained'|'count'|'size' $sort column that comes first and has the bar
     * @param int    $whole  value of 100 %
     */
    public static function of(array $groups, string $title, string $sort, int $whole, Screen $screen): Table
    {
        $order = [$sort, ...array_diff(['bytes', 'retained', 'count', 'size'], [$sort])];
        $columns = [];
        foreach ($order as $index => $column) {
            $columns[] = new Column($column, weight: ['bytes' => 3, 'retained' => 2, 'count' => 1, 'size' => 6][$column]);
            if ($index === 0) {
                $columns[0] = new Column($column);
                $columns[] = new Column('%', weight: 4);
                $columns[] = new Column('', Column::LEFT, weight: 5, style: 'fg=magenta');
            }
        }
        $table = new Table([...$columns, Column::name($title)]);
        foreach ($groups as $group) {
            $values = [
                'bytes' => $group->bytes, 'retained' => $group->retained, 'count' => $group->count, 'size' => $group->size,
            ];
            $cells = [];
            foreach ($order as $index => $column) {
                $cells[] = $column === 'count' ? Units::count($values[$column]) : Units::bytes($values[$column]);
                if ($index === 0) {
                    $cells[] = Units::percent($values[$column], $whole);
                    $cells[] = $screen->bar($whole === 0 ? 0.0 : $values[$column] / $whole, self::BAR);
                }
            }
            $table->add([...$cells, self::name($group)]);
        }

        return $table;
    }

    public static function name(HeapGroup $group): string
    {
        $name = Text::printable($group->name);

        return match (true) {
            $name === '' => Text::printable($group->type),
            $group->type === 'object', $group->type === 'native', $group->type === $group->name => $name,
            strcasecmp($group->type, $group->name) === 0 => $name,
            default => "$name ($group->type)",
        };
    }

    /** @return array<string, int|string> */
    public static function json(HeapGroup $group): array
    {
        return ['type' => $group->type]
            + ($group->name === '' ? [] : ['name' => $group->name])
            + ['count' => $group->count, 'bytes' => $group->bytes, 'size' => $group->size, 'retained_bytes' => $group->retained];
    }
}
