<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * Who keeps the values of a class or type, and which call paths allocated them.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-import-type Retainer from HeapIndex
 */
final class HoldersReport
{
    public function __construct(private readonly HeapRows $rows)
    {
    }

    /** @param int $limit 0 for all */
    public function report(HeapGroup $group, int $limit, bool $isFull): Report
    {
        $most = $limit === 0 ? PHP_INT_MAX : $limit;
        $index = $this->rows->index;
        $holders = $this->holders($index->retainers($group, $most), $group->count);
        $allocations = $this->allocations($group, $most);
        $left = $group->count - array_sum(array_column($holders->rows, 'count'));
        $row = HeapRows::group($group);
        $figures = [
            Units::count($group->count) . ' of them', Units::bytes($group->bytes), Units::bytes($group->retained) . ' retained',
        ];

        return new Report(
            [
                $holders->with([
                    'isFull' => $isFull,
                    'below' => $left > 0 ? Units::count($left) . ' more are kept in other ways; --limit=0 shows all' : '',
                ]),
                $allocations->with(['isFull' => $isFull, 'none' => '']),
            ],
            facts: $row + [
                'holders' => $holders->rows, 'allocated_by' => $allocations->rows, 'notes' => $index->notes(),
            ],
            headings: [new Heading(GroupsReport::nameOf($row), [implode(', ', $figures)], $index->notes())],
            rowsInJson: false,
        );
    }

    /**
     * The call paths alone.
     *
     * @param HeapGroup|null $group null for all that is in memory
     */
    public function allocated(?HeapGroup $group, int $limit, bool $isFull): Report
    {
        return new Report(
            [$this->allocations($group, $limit === 0 ? PHP_INT_MAX : $limit)->with(['isFull' => $isFull, 'key' => 'rows'])],
            facts: ['by' => 'path', 'notes' => $this->rows->index->notes()],
            headings: $this->rows->warnings(),
        );
    }

    /**
     * @param list<Retainer> $holders
     * @param int $count value of 100 %
     */
    public function holders(array $holders, int $count): Table
    {
        $rows = array_map(static fn (array $holder): array => [
            'path' => $holder['text'],
            'count' => $holder['count'],
            'bytes' => $holder['bytes'],
            'retained_bytes' => $holder['retained'],
            'example' => $holder['example']->hex(),
            'live' => $holder['example']->isLive,
        ], $holders);
        $path = static fn (array $row): string => $row['path'] . ($row['live'] ? '' : '  nothing keeps it');

        return new Table(
            'holders',
            [
                new Column('path', Unit::Name, 'kept by', label: 'Path', value: $path),
                new Column('count', Unit::Count, 'count', share: new Share($count, 3)),
                new Column('bytes', Unit::Bytes, '', 10, 'Bytes'),
                new Column('retained_bytes', Unit::Bytes, 'retained', 1),
                new Column('example', Unit::Text, 'example', 2, ''),
            ],
            $rows,
            'No root holds them.',
            'Held by',
            'Paths that hold these',
            'shortest paths from roots; elements of a list are merged',
            ['count', 'retained_bytes', 'example', 'path'],
        );
    }

    /** @param HeapGroup|null $group null for all that is in memory */
    public function allocations(?HeapGroup $group, int $most): Table
    {
        return new Table(
            'allocations',
            [
                new Column('path', Unit::Path, 'allocated by', label: 'Call path', value: static fn (array $row): array
                    => array_reverse($row['path'])),
                new Column('count', Unit::Count, 'count', 1),
                new Column('bytes', Unit::Bytes, 'bytes', share: new Share($group === null ? $this->rows->whole
                    : max(1, $group->bytes), 2)),
            ],
            $this->rows->index->allocations($group, $most),
            'Nothing to show.',
            'Allocated by',
            'Call paths that allocated these',
            printed: ['bytes', 'count', 'path'],
        );
    }
}
