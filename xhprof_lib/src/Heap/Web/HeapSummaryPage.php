<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\TimeLabel;

/** index.php?view=heap&heap=NAME: composition of a heap: how much of it is known, by type and class. */
final class HeapSummaryPage extends HeapSnapshotPage
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

    public function respond(Request $request): Response
    {
        $types = $this->index->types();
        $classes = $this->index->classes();

        return $this->page('heap_summary.html.twig', [
            'tiles' => $this->tiles(),
            'tiers' => $this->tiers(),
            'types' => $this->lines->groups($types),
            'classes' => $this->lines->groups(array_slice(self::mostRetained($classes), 0, self::CLASSES), 'retained'),
            'class_count' => count($classes),
            'classes_url' => $this->lines->url->page(['show' => 'classes']),
            'treemap' => $this->treemap([...$classes, ...$this->index->owners()]),
            'map_url' => $this->lines->url->page(['show' => 'map']),
            'holders' => $this->lines->nodes($this->index->dominated(null, 0, self::HOLDERS)),
            'families' => HeapLines::FAMILY_NAMES,
            'usage' => $this->index->summary()['usage'],
            'others' => $this->otherSnapshots(),
        ], '');
    }

    /** @return list<array{label: string, text: string, title: string, note: string}> */
    private function tiles(): array
    {
        $summary = $this->index->summary();
        $tiles = [];
        $values = [
            ['In use', $summary['usage'], 'memory_get_usage(): blocks of the Zend heap'],
            ['Peak', $this->head->number('peak'), $this->head->peak()],
            ['Reserved', $this->head->number('real_usage'), 'memory_get_usage(true): chunks and huge blocks'],
            ['Limit', $this->head->number('limit'), 'memory_limit'],
        ];
        foreach ($values as [$label, $bytes, $title]) {
            if ($bytes !== null && $bytes > 0 && $bytes < self::NO_LIMIT) {
                $cell = $this->lines->bytes($bytes);
                $tiles[] = self::tile($label, $cell['text'], "$title: {$cell['exact']}");
            }
        }
        $objects = array_sum(array_map(fn (HeapGroup $group): int => $group->count, $this->index->classes()));
        $tiles[] = self::tile('Objects', Units::count($objects), 'of ' . Units::count(count($this->index->classes())) . ' classes');
        $between = 'between ' . Units::count($summary['nodes']) . ' values';
        $tiles[] = self::tile('References', Units::count($summary['edges']), $between);

        return $tiles;
    }

    /** @return list<array{key: string, label: string, title: string, text: string, exact: string, share: string, x: float, width: float}> */
    private function tiers(): array
    {
        $summary = $this->index->summary();
        $sum = max(1, $summary['typed']['bytes'] + $summary['native']['bytes'] + $summary['unreachable']['bytes']);
        $tiers = [];
        $x = 0.0;
        foreach (self::TIERS as $key => [$label, $title]) {
            $tier = $summary[$key];
            $width = round(100 * $tier['bytes'] / $sum, 3);
            $cell = $this->lines->bytes($tier['bytes']);
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
    private function treemap(array $named): array
    {
        $groups = [];
        foreach ($named as $group) {
            $groups[$group->type][] = $group;
        }
        $blocks = [];
        foreach ($this->index->types() as $type) {
            if ($type->type === 'root' || ($type->bytes <= 0 && $type->retained <= 0)) {
                continue;
            }
            $parts = $this->lines->groups(array_slice(self::mostRetained($groups[$type->type] ?? []), 0, self::PARTS));
            if (in_array($type->type, ['string', 'array', 'array table'], true)) {
                $parts = $this->retainerGroups($type);
            }
            $blocks[] = ['type' => $this->lines->groups([$type])[0], 'parts' => $parts];
        }

        return $blocks;
    }

    /** @return list<array<string, mixed>> as HeapLines::groups(), named by the path of their holders */
    private function retainerGroups(HeapGroup $type): array
    {
        $groups = [];
        foreach ($this->index->retainers($type, self::PARTS) as $holder) {
            $groups[] = new HeapGroup(0, $type->type, $holder['text'], $holder['count'], $holder['bytes'], 0, $holder['retained']);
        }
        $url = $this->lines->url->page(['type' => $type->type]) . '#holders';

        return array_map(fn (array $line): array => ['url' => $url] + $line, $this->lines->groups($groups));
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
    private function otherSnapshots(): array
    {
        $all = $this->snapshots->all();
        $at = array_search($this->name, array_column($all, 'name'), true);
        $at = is_int($at) ? $at : 0;
        $others = [];
        foreach ([...array_slice($all, $at + 1), ...array_reverse(array_slice($all, 0, $at))] as $file) {
            if (count($others) === self::OTHERS) {
                break;
            }
            $head = $this->snapshots->head($file['name']);
            if ($head->header !== []) {
                $time = TimeLabel::of($head->time() ?? (float) $file['mtime'])['short'] ?? '';
                $others[] = ['name' => $file['name'], 'label' => "{$file['name']}, $time"];
            }
        }

        return $others;
    }
}
