<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * Possible leaks, a table of each kind.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-import-type Suspect from HeapIndex
 * @phpstan-import-type SuspectPart from HeapIndex
 */
final class LeaksReport
{
    /** Texts of each kind: title, note, sentence for terminals, title of the figure. */
    private const KINDS = [
        'accumulates' => [
            'Accumulating containers',
            'Much memory in many small parts: unbounded caches, listeners, logs.',
            'Keep much in many parts: caches, lists, registries that only grow?',
            'parts',
        ],
        'chain' => [
            'Long chains',
            'Each value holds the next one of its class: linked lists and histories that only grow.',
            'Keep a long chain of the same:',
            'long',
        ],
        'garbage' => [
            'Uncollected garbage',
            'Cycles that nothing else refers to: gc_collect_cycles() would free them.',
            'Nothing keeps these, but they are not freed: cycles that wait for gc_collect_cycles(), or references that were lost',
            'count',
        ],
        'unreachable' => [
            'Unreachable blocks',
            'No reference to them was found: leaked by an extension, or referenced in an unknown way.',
            'Blocks that nothing refers to: leaks of an extension, or memory that was just being allocated',
            'count',
        ],
    ];

    /** Parts shown below a container on terminals. */
    private const PARTS = 3;

    public function __construct(private readonly HeapRows $rows)
    {
    }

    /**
     * @param string $file the snapshot, as the commands of the next steps name it
     * @param int $limit of each kind, 0 for all that are known
     */
    public function report(string $file, int $limit): Report
    {
        $index = $this->rows->index;
        $advice = new LeakAdvice($index, $file);
        $rows = array_fill_keys(array_keys(self::KINDS), []);
        foreach ($index->suspects($limit === 0 ? PHP_INT_MAX : $limit) as $suspect) {
            $rows[$suspect['kind']][] = self::row($suspect) + $advice->of($suspect) + ($suspect['part_count'] === 0 ? [] : [
                'part_count' => $suspect['part_count'],
                'parts' => array_map(self::row(...), $suspect['parts']),
            ]);
        }
        $note = array_filter($rows) === [] ? 'Nothing looks like a leak.'
            : 'One snapshot can only hint at leaks; `xhprof heap diff` of two shows what grows.';

        return new Report(
            array_map($this->table(...), array_keys(self::KINDS), array_values($rows)),
            [$note],
            ['notes' => $index->notes()],
            $this->rows->warnings(),
        );
    }

    /**
     * @param key-of<self::KINDS> $kind
     * @param list<Row> $rows
     */
    private function table(string $kind, array $rows): Table
    {
        [$title, $note, $lead, $counted] = self::KINDS[$kind];
        $isKept = $kind === 'accumulates' || $kind === 'chain';

        return new Table(
            $kind,
            [
                new Column('severity', Unit::Text, 'severity', label: ''),
                HeapRows::what($kind === 'accumulates' ? 'Container' : 'Value'),
                new Column('of', Unit::Name, 'of', 10, $kind === 'accumulates' ? 'Contents' : 'Type'),
                new Column('count', Unit::Count, $counted, 1, 'Count'),
                $this->rows->retained(3),
                HeapRows::address('the largest', 2),
                HeapRows::keptBy(),
            ],
            $rows,
            '',
            $title,
            $title,
            $note,
            ['severity', 'retained_bytes', 'count', 'of', $isKept ? 'path' : 'address'],
            lead: $lead,
            parts: self::parts(...),
            advice: static fn (array $row): array => [$row['why'], 'Next: ' . $row['next']['command']],
        );
    }

    /**
     * @param Row $row
     * @return list<Row>
     */
    private static function parts(array $row): array
    {
        /** @var list<Row> $shown */
        $shown = array_slice($row['parts'] ?? [], 0, self::PARTS);
        $more = ($row['part_count'] ?? 0) - count($shown);

        return [
            ...array_map(static fn (array $part): array
                => ['path' => '  ' . LeakSuspects::pathWithin($part['path'], $row['path']), 'severity' => ''] + $part, $shown),
            ...($more > 0 ? [[
                'path' => '  ' . Units::count($more) . ' more parts',
                'severity' => '', 'retained_bytes' => '', 'count' => '', 'of' => '',
            ]] : []),
        ];
    }

    /**
     * @param Suspect|SuspectPart $suspect
     * @return Row
     */
    private static function row(array $suspect): array
    {
        return array_replace(HeapRows::node($suspect['node']), [
            'retained_bytes' => $suspect['bytes'],
            'count' => $suspect['count'],
            'of' => $suspect['type'],
            'path' => $suspect['path'],
        ]);
    }
}
