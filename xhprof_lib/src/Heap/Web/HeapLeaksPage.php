<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\LeakSuspects;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;

/** index.php?view=heap&heap=NAME&show=leaks: possible leaks. */
final class HeapLeaksPage extends HeapSnapshotPage
{
    private const ROWS = 30;

    private const KINDS = [
        'accumulates' => [
            'Accumulating containers',
            'Much memory in many small parts: unbounded caches, listeners, logs.',
        ],
        'chain' => [
            'Long chains',
            'Each value holds the next one of its class: linked lists and histories that only grow.',
        ],
        'garbage' => [
            'Uncollected garbage',
            'Cycles that nothing else refers to: gc_collect_cycles() would free them.',
        ],
        'unreachable' => [
            'Unreachable blocks',
            'No reference to them was found: leaked by an extension, or referenced in an unknown way.',
        ],
    ];

    public function respond(Request $request): Response
    {
        $rows = array_fill_keys(array_keys(self::KINDS), []);
        foreach ($this->index->suspects(self::ROWS) as $suspect) {
            $rows[$suspect['kind']][] = [
                'node' => $this->lines->node($suspect['node']),
                'of' => $suspect['of'],
                'path' => $suspect['path'],
                'cells' => [
                    Cells::value($suspect['count'], ShownMetric::heap('count')),
                    Cells::value($suspect['bytes'], ShownMetric::heap('retained'), $this->index->summary()['usage'], true, true),
                ],
                'parts' => array_map(fn (array $part): array => [
                    'path' => LeakSuspects::pathWithin($part['path'], $suspect['path']),
                    'url' => $this->lines->url->node($part['node']),
                    'retained' => Cells::value($part['bytes'], ShownMetric::heap('retained'), $suspect['bytes']),
                    'count' => Units::count($part['count']),
                    'of' => $part['of'],
                ], $suspect['parts']),
                'part_count' => $suspect['part_count'],
            ];
        }
        $kinds = [];
        foreach (self::KINDS as $kind => [$label, $words]) {
            $kinds[] = ['key' => $kind, 'label' => $label, 'words' => $words, 'rows' => $rows[$kind]];
        }

        return $this->page('heap_leaks.html.twig', [
            'kinds' => $kinds,
        ], 'leaks');
    }
}
