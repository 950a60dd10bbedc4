<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Web\Heap\HeapHeader;
use XHProf\Web\Heap\HeapLines;
use XHProf\Web\Heap\SnapshotHead;
use XHProf\Web\Heap\Snapshots;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Moment;
use XHProf\Web\View;

/** index.php?view=heap&heap=NAME: composition of a heap: how much of it is known, by type and class. */
final class HeapSummaryPage
{
    /** Classes in this page's table, and per type in the treemap. */
    private const CLASSES = 15;
    private const PARTS = 60;

    /** Lines of the table of holders. */
    private const HOLDERS = 30;

    /** Other snapshots offered for a comparison. */
    private const OTHERS = 20;

    /** Value of memory_limit=-1, and of any limit that no machine reaches. */
    private const NO_LIMIT = 1 << 50;

    private const TIERS = [
        'typed' => ['Known', 'Blocks whose type and content are known'],
        'native' => ['Native', 'Private memory of extensions and libraries: its owner is known'],
        'unreachable' => ['Unreachable', 'No reference to these blocks was found: they may be leaked'],
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
            'classes' => $lines->groups(array_slice(self::mostRetained($classes), 0, self::CLASSES), 'retained'),
            'class_count' => count($classes),
            'classes_url' => $lines->url->page(['show' => 'classes']),
            'treemap' => $this->treemap($index, [...$classes, ...$index->owners()], $lines),
            'map_url' => $lines->url->page(['show' => 'map']),
            'holders' => $lines->nodes($index->dominated(null, 0, self::HOLDERS)),
            'families' => HeapLines::FAMILY_NAMES,
            'usage' => $index->summary()['usage'],
            'others' => $this->otherSnapshots($name),
        ] + HeapHeader::of($index, $head, $name, ''));
    }

    /** @return list<array{label: string, text: string, title: string, note: string}> */
    private function tiles(HeapIndex $index, SnapshotHead $head, HeapLines $lines): array
    {
        $summary = $index->summary();
        $tiles = [];
        $values = [
            ['In use', $summary['usage'], 'memory_get_usage(): blocks of the Zend heap'],
            ['Peak', $head->number('peak'), $head->peak()],
            ['Reserved', $head->number('real_usage'), 'memory_get_usage(true): chunks and huge blocks'],
            ['Limit', $head->number('limit'), 'memory_limit'],
        ];
        foreach ($values as [$label, $bytes, $title]) {
            if ($bytes !== null && $bytes > 0 && $bytes < self::NO_LIMIT) {
                $cell = $lines->bytes($bytes);
                $tiles[] = ['label' => $label, 'text' => $cell['text'], 'title' => "$title: {$cell['exact']}", 'note' => ''];
            }
        }
        $objects = array_sum(array_map(static fn (HeapGroup $group): int => $group->count, $index->classes()));
        $tiles[] = [
            'label' => 'Objects',
            'text' => Units::count($objects),
            'title' => 'of ' . Units::count(count($index->classes())) . ' classes',
            'note' => '',
        ];
        $tiles[] = [
            'label' => 'References',
            'text' => Units::count($summary['edges']),
            'title' => 'between ' . Units::count($summary['nodes']) . ' values',
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
            $cell = $lines->bytes($tier['bytes']);
            $blocks = Units::count($tier['blocks']) . ($tier['blocks'] === 1 ? ' block' : ' blocks');
            $tiers[] = ['key' => $key, 'label' => $label, 'title' => "$title; $blocks", 'x' => $x, 'width' => $width] + $cell;
            $x += $width;
        }

        return $tiers;
    }

    /**
     * Each type with its parts: classes, owners; strings and arrays, which have no names, by their holders.
     *
     * @param list<HeapGroup> $named classes and owners
     * @return list<array{type: array<string, mixed>, parts: list<array<string, mixed>>}>
     */
    private function treemap(HeapIndex $index, array $named, HeapLines $lines): array
    {
        $groups = [];
        foreach ($named as $group) {
            $groups[$group->type][] = $group;
        }
        $blocks = [];
        foreach ($index->types() as $type) {
            if ($type->type === 'root' || ($type->bytes <= 0 && $type->retained <= 0)) {
                continue;
            }
            $parts = $lines->groups(array_slice(self::mostRetained($groups[$type->type] ?? []), 0, self::PARTS));
            if (in_array($type->type, ['string', 'array', 'array table'], true)) {
                $parts = $this->retainerGroups($index, $type, $lines);
            }
            $blocks[] = ['type' => $lines->groups([$type])[0], 'parts' => $parts];
        }

        return $blocks;
    }

    /** @return list<array<string, mixed>> as HeapLines::groups(), named by the path of their holders */
    private function retainerGroups(HeapIndex $index, HeapGroup $type, HeapLines $lines): array
    {
        $groups = [];
        foreach ($index->retainers($type, self::PARTS) as $holder) {
            $groups[] = new HeapGroup(0, $type->type, $holder['text'], $holder['count'], $holder['bytes'], 0, $holder['retained']);
        }
        $url = $lines->url->page(['type' => $type->type]) . '#holders';

        return array_map(static fn (array $line): array => ['url' => $url] + $line, $lines->groups($groups));
    }

    /**
     * @param list<HeapGroup> $groups
     * @return list<HeapGroup>
     */
    private static function mostRetained(array $groups): array
    {
        usort($groups, static fn (HeapGroup $a, HeapGroup $b): int => [$b->retained, $b->bytes] <=> [$a->retained, $a->bytes]);

        return $groups;
    }

    /** @return list<array{name: string, label: string}> to compare with: earlier ones first, the nearest first */
    private function otherSnapshots(string $name): array
    {
        $all = $this->snapshots->all();
        $at = array_search($name, array_column($all, 'name'), true);
        $at = is_int($at) ? $at : 0;
        $others = [];
        foreach ([...array_slice($all, $at + 1), ...array_reverse(array_slice($all, 0, $at))] as $file) {
            if (count($others) === self::OTHERS) {
                break;
            }
            $head = $this->snapshots->head($file['name']);
            if ($head->header !== []) {
                $time = Moment::of($head->time() ?? (float) $file['mtime'])['short'] ?? '';
                $others[] = ['name' => $file['name'], 'label' => "{$file['name']}, $time"];
            }
        }

        return $others;
    }
}
