<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * Contents that more than one string has, the most wasted bytes first.
 *
 * @phpstan-import-type EqualGroup from HeapIndex
 */
final class StringsReport
{
    public function __construct(private readonly HeapRows $rows)
    {
    }

    /** @param int $limit 0 for all */
    public function report(int $offset, int $limit): Report
    {
        $index = $this->rows->index;
        $sums = $index->equalStringSums();
        $rows = array_map(fn (array $group): array => [
            'count' => $group['count'],
            'wasted_bytes' => $group['bytes'],
            'example' => $this->rows->value($group['example']),
        ], $index->equalStrings($offset, $limit === 0 ? $index->count() : $limit));
        $example = static fn (string $key): \Closure => static fn (array $row): mixed => $row['example'][$key];
        $wasted = Units::counted($sums['copies'], 'copy', 'copies') . ' more than needed: '
            . Units::bytes($sums['bytes']) . ', ' . Units::percent($sums['bytes'], $this->rows->whole) . ' of the heap';
        $table = new Table(
            'strings',
            [
                new Column('what', Unit::Name, 'what', label: 'Content', value: static fn (array $row): string
                    => HeapRows::describe($row['example'])),
                new Column('count', Unit::Count, 'copies', 2, help: 'Strings with this content'),
                new Column('bytes', Unit::Bytes, '', 10, 'Each', 'Bytes of one of them', value: $example('bytes')),
                new Column(
                    'wasted_bytes',
                    Unit::Bytes,
                    'wasted',
                    help: 'Bytes of all copies but one',
                    share: new Share($this->rows->whole, 3),
                ),
                new Column('example', Unit::Text, 'one of them', 1, '', value: $example('address')),
                new Column('path', Unit::Name, 'kept by', label: '', value: $example('path')),
            ],
            $rows,
            'No string of 16 bytes or more is there twice.',
            'Duplicate strings',
            'Contents that more than one string has',
            $sums['groups'] === 0 ? '' : $wasted,
            ['wasted_bytes', 'count', 'example', 'what', 'path'],
            below: sprintf(
                '%s of %s contents; %s copies more than needed take %s, %s of the heap',
                Units::count(count($rows)),
                Units::count($sums['groups']),
                Units::count($sums['copies']),
                Units::bytes($sums['bytes']),
                Units::percent($sums['bytes'], $this->rows->whole),
            ),
        );

        return new Report([$table], facts: ['notes' => $index->notes()] + $sums, headings: $this->rows->warnings());
    }
}
