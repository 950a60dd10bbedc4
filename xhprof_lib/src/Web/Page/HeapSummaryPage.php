<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Web\Heap\HeapLines;
use XHProf\Web\Heap\HeapTop;
use XHProf\Web\Heap\HeapUrl;
use XHProf\Web\Heap\SnapshotHead;
use XHProf\Web\Heap\Snapshots;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\View;

/** index.php?view=heap&heap=NAME: what a heap consists of: how much of it is known, by type and class. */
final class HeapSummaryPage
{
    /** Classes in the table of this page, and of a type in the treemap. */
    private const CLASSES = 15;
    private const PARTS = 60;

    /** Other snapshots that a comparison is offered with. */
    private const OTHERS = 30;

    private const TIERS = [
        'typed' => ['Known', 'Blocks whose type and content are known'],
        'native' => ['Native', 'Private memory of extensions and libraries: its owner is known'],
        'unreachable' => ['Unreachable', 'Nothing that was found refers to these blocks: they may be lost'],
    ];

    public function __construct(private readonly Snapshots $snapshots, private readonly View $view)
    {
    }

    public function respond(Request $request, HeapIndex $index, SnapshotHead $head, string $name): Response
    {
        $lines = new HeapLines($index, $name);
        $types = $index->types();
        $classes = $index->classes();

        return $this->view->page('heap_summary.html.twig', [
            'tiles' => $this->tiles($index, $head, $lines),
            'tiers' => $this->tiers($index, $lines),
            'types' => $lines->groups($types),
            'classes' => $lines->groups(array_slice($classes, 0, self::CLASSES)),
            'class_count' => count($classes),
            'classes_url' => $lines->url->page(['show' => 'classes']),
            'treemap' => $this->treemap($types, [...$classes, ...$index->owners()], $lines),
            'families' => HeapLines::FAMILY_NAMES,
            'usage' => $index->summary()['usage'],
            'others' => $this->others($name, $head),
        ] + HeapTop::of($index, $head, $name, ''));
    }

    /** @return list<array{label: string, text: string, title: string, note: string}> */
    private function tiles(HeapIndex $index, SnapshotHead $head, HeapLines $lines): array
    {
        $summary = $index->summary();
        $tiles = [];
        $figures = [
            ['In use', $summary['usage'], 'memory_get_usage(): blocks of the Zend heap'],
            ['Peak', $head->number('peak'), 'memory_get_peak_usage()'],
            ['Taken from the system', $head->number('real_usage'), 'memory_get_usage(true): chunks and huge blocks'],
            ['Limit', $head->number('limit'), 'memory_limit'],
        ];
        foreach ($figures as [$label, $bytes, $title]) {
            if ($bytes !== null && $bytes > 0) {
                $told = $lines->bytes($bytes);
                $tiles[] = ['label' => $label, 'text' => $told['text'], 'title' => "$title: {$told['exact']}", 'note' => ''];
            }
        }
        $objects = array_sum(array_map(static fn (HeapGroup $group): int => $group->count, $index->classes()));
        $tiles[] = ['label' => 'Objects', 'text' => Units::count($objects), 'title' => 'of ' . count($index->classes()) . ' classes', 'note' => ''];
        $tiles[] = [
            'label' => 'References',
            'text' => Units::count($summary['edges']),
            'title' => 'between ' . Units::count($summary['nodes']) . ' things',
            'note' => '',
        ];

        return $tiles;
    }

    /** @return list<array{key: string, label: string, title: string, text: string, exact: string, share: string, x: float, width: float}> */
    private function tiers(HeapIndex $index, HeapLines $lines): array
    {
        $summary = $index->summary();
        $sum = max(1, $summary['typed']['bytes'] + $summary['native']['bytes'] + $summary['unreachable']['bytes']);
        $tiers = [];
        $x = 0.0;
        foreach (self::TIERS as $key => [$label, $title]) {
            $tier = $summary[$key];
            $width = round(100 * $tier['bytes'] / $sum, 3);
            $told = $lines->bytes($tier['bytes']);
            $blocks = Units::count($tier['blocks']) . ($tier['blocks'] === 1 ? ' block' : ' blocks');
            $tiers[] = ['key' => $key, 'label' => $label, 'title' => "$title; $blocks", 'x' => $x, 'width' => $width] + $told;
            $x += $width;
        }

        return $tiers;
    }

    /**
     * @param list<HeapGroup> $types
     * @param list<HeapGroup> $named classes and owners
     * @return list<array{type: array<string, mixed>, parts: list<array<string, mixed>>, more: int}>
     */
    private function treemap(array $types, array $named, HeapLines $lines): array
    {
        $parts = [];
        foreach ($named as $group) {
            $parts[$group->type][] = $group;
        }
        $blocks = [];
        foreach ($types as $type) {
            if ($type->bytes <= 0 && $type->retained <= 0) {
                continue;
            }
            $own = $parts[$type->type] ?? [];
            usort($own, static fn (HeapGroup $a, HeapGroup $b): int
                => [max($b->bytes, $b->retained), $a->name] <=> [max($a->bytes, $a->retained), $b->name]);
            $shown = array_slice($own, 0, self::PARTS);
            // A type of one part is that part.
            $blocks[] = [
                'type' => $lines->groups([$type])[0],
                'parts' => $lines->groups($shown),
                'more' => count($own) - count($shown),
            ];
        }

        return $blocks;
    }

    /** @return list<array{name: string, label: string}> to compare with: of the same process first, then the nearest in time */
    private function others(string $name, SnapshotHead $head): array
    {
        $others = [];
        foreach (array_slice($this->snapshots->all(), 0, self::OTHERS) as $file) {
            if ($file['name'] !== $name) {
                $others[] = ['name' => $file['name'], 'label' => $file['name'] . ', ' . date('Y-m-d H:i:s', $file['mtime'])];
            }
        }

        return $others;
    }
}
