<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\GroupsReport;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapRows;
use XHProf\Heap\SummaryReport;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TimeLabel;

/**
 * index.php?view=heap&heap=NAME: composition of a heap: how much of it is known, by type and class.
 *
 * @phpstan-import-type Row from Table
 */
final class HeapSummaryPage extends HeapSnapshotPage
{
    /** Classes in this page's table, and per type in the treemap. */
    private const CLASSES = 15;
    private const PARTS = 60;

    /** Lines of the table of holders. */
    private const HOLDERS = 30;

    /** Other snapshots offered for a comparison. */
    private const OTHERS = 20;

    private const TIERS = [
        'typed' => ['Known', 'Blocks whose type and content are known'],
        'native' => ['Native', 'Private memory of extensions and libraries: its owner is known'],
        'unreachable' => ['Unreachable', 'No reference to these blocks was found: they may be leaked'],
    ];

    public function respond(Request $request): Response
    {
        $report = new SummaryReport($this->cells->rows);
        $classes = $report->groups('class', 'retained', 'class');
        $groups = new GroupsReport($this->cells->rows);
        $types = $groups->table('types', $this->index->types(), 'type', new Order('bytes'))
            ->with(['title' => 'Types', 'caption' => 'Types']);
        $owners = $report->groups('owner', 'retained', 'owner');
        $top = $classes->first(self::CLASSES)->with([
            'title' => 'Classes', 'caption' => 'Classes', 'note' => 'by retained size', 'none' => 'No objects.',
        ]);

        return $this->page('heap_summary.html.twig', [
            'tiles' => $this->tiles($report),
            'tiers' => $this->tiers($report),
            'tables' => [
                $this->cells->groups($top)->of(count($classes->rows), $this->cells->url->page(['show' => 'classes']))->toArray(),
                $this->cells->groups($types)->toArray(),
            ],
            'treemap' => $this->treemap($types->rows, [...$classes->rows, ...$owners->rows]),
            'map_url' => $this->mapUrl(),
            'holders' => $this->cells->nodes($this->index->dominated(null, 0, self::HOLDERS)),
            'families' => HeapCells::FAMILY_NAMES,
            'usage' => $this->cells->rows->whole,
            'others' => $this->otherSnapshots(),
        ], '');
    }

    /** Where the treemap gets its data. */
    public function mapUrl(): string
    {
        return $this->cells->url->page(['show' => 'map']);
    }

    /** @return list<array{label: string, text: string, title: string, note: string}> */
    private function tiles(SummaryReport $report): array
    {
        $sizes = $report->sizes();
        $summary = $this->index->summary();
        $titles = [
            'usage' => ['In use', 'memory_get_usage(): blocks of the Zend heap'],
            'peak' => ['Peak', $this->head->peak()],
            'reserved' => ['Reserved', 'memory_get_usage(true): chunks and huge blocks'],
            'limit' => ['Limit', 'memory_limit'],
        ];
        $values = Units::count($summary['nodes']);
        $classes = $this->index->classes();
        $objects = array_sum(array_map(static fn (HeapGroup $group): int => $group->count, $classes));

        return [
            ...array_map(static fn (int $bytes, string $key): array => HeapCells::tile(
                $titles[$key][0],
                Units::bytes($bytes),
                "{$titles[$key][1]}: " . Unit::Bytes->exact($bytes),
            ), array_filter($sizes), array_keys(array_filter($sizes))),
            HeapCells::tile('Objects', Units::count($objects), 'of ' . Units::count(count($classes)) . ' classes'),
            HeapCells::tile('References', Units::count($summary['edges']), sprintf('between %s values', $values)),
        ];
    }

    /** @return list<array<string, mixed>> tiles with a place in the bar: x, width in percent */
    private function tiers(SummaryReport $report): array
    {
        $rows = $report->tiers()->rows;
        $sum = max(1, array_sum(array_column($rows, 'bytes')));
        $tiers = [];
        $x = 0.0;
        foreach ($rows as $row) {
            [$label, $title] = self::TIERS[$row['tier']];
            $width = round(100 * $row['bytes'] / $sum, 3);
            $blocks = Units::counted($row['blocks'], 'block');
            $tiers[] = ['key' => $row['tier'], 'x' => $x, 'width' => $width]
                + $this->cells->bytes($label, $row['bytes'], "$title; $blocks; %s");
            $x += $width;
        }

        return $tiers;
    }

    /**
     * Each type with its parts: classes, owners; strings and arrays, which have no names, by their holders.
     *
     * @param list<Row> $types
     * @param list<Row> $named classes and owners, the most retained bytes first
     * @return list<list<array<string, mixed>>> the type itself first
     */
    private function treemap(array $types, array $named): array
    {
        $groups = [];
        foreach ($named as $row) {
            $groups[$row['type']][] = $row;
        }
        $blocks = [];
        foreach ($types as $type) {
            if ($type['type'] === 'root' || $type['bytes'] <= 0 && $type['retained_bytes'] <= 0) {
                continue;
            }
            $url = $this->cells->group($type) . '#holders';
            $isHeld = in_array($type['type'], ['string', 'array', 'array table'], true);
            $parts = $isHeld ? $this->holders($type['type']) : array_slice($groups[$type['type']] ?? [], 0, self::PARTS);
            $blocks[] = [
                $this->area($type, $this->cells->group($type)),
                ...array_map(fn (array $row): array => $this->area($row, $isHeld ? $url : $this->cells->group($row)), $parts),
            ];
        }

        return $blocks;
    }

    /** @return list<Row> sums of the values of a type by the path of their holders */
    private function holders(string $type): array
    {
        $group = $this->index->type($type);

        return array_map(static fn (array $holder): array => HeapRows::group(
            new HeapGroup(0, $type, $holder['text'], $holder['count'], $holder['bytes'], 0, $holder['retained']),
        ), $group === null ? [] : $this->index->retainers($group, self::PARTS));
    }

    /**
     * @param Row $row
     * @return array<string, mixed> for the treemap and for its table
     */
    private function area(array $row, string $url): array
    {
        $named = ['name' => $row['name'] ?? $row['type'], 'family' => HeapCells::family($row['type']), 'url' => $url];

        return $named + $row + ['cells' => [
            Cells::value($row['count'], ShownMetric::heap('count')),
            Cells::value($row['bytes'], ShownMetric::heap('bytes'), $this->cells->rows->whole, true, true),
            Cells::value($row['retained_bytes'], ShownMetric::heap('retained'), $this->cells->rows->whole),
        ]];
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
