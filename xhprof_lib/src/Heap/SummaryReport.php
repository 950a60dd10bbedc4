<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * What is in the memory of a process: how much of it is known, its types and classes, the largest retained sizes.
 *
 * @phpstan-import-type Row from Table
 */
final class SummaryReport
{
    private const TIERS = [
        'typed' => 'known by type', 'native' => "extensions' own, by owner", 'unreachable' => 'nothing refers to it',
    ];

    /** A memory_limit that no machine reaches, as -1 is none. */
    private const NO_LIMIT = 1 << 50;

    /** Most steps down to the value that really holds the memory, and the share of the retained size that each must have. */
    private const STEPS = 20;
    private const NEARLY = 0.9;
    private const MAX_KEEPERS = 100;

    private readonly HeapIndex $index;

    public function __construct(private readonly HeapRows $rows)
    {
        $this->index = $rows->index;
    }

    /** @param int $limit rows of each table, 0 for all */
    public function report(string $file, int $limit): Report
    {
        $keepers = $this->keepers($limit === 0 ? self::MAX_KEEPERS : max(30, 2 * $limit));
        $most = $limit === 0 ? null : $limit;
        $json = [
            'file' => $file, 'header' => $this->index->header(), 'notes' => $this->index->notes(),
            'summary' => $this->index->summary(),
        ];
        $tables = [];
        foreach (['type' => 'type', 'class' => 'class', 'owner' => 'native owner'] as $by => $title) {
            $groups = GroupsReport::groups($this->index, $by);
            $json[GroupsReport::BY[$by]] = array_map(HeapRows::group(...), array_slice($groups, 0, $most));
            $tables[] = $this->groups($by, 'bytes', $title)->first($limit, GroupsReport::BY[$by])->with(['none' => '']);
        }
        $json['keepers'] = array_map(fn (HeapNode $node): array => HeapRows::node($node) + [
            'path' => $this->index->path($node)->text,
        ], array_slice($keepers, 0, $most));

        return new Report(
            [$this->tiers(), ...$tables, $this->keepersTable($keepers)->first($limit)],
            facts: $json,
            headings: [HeapRows::heading('Heap snapshot ' . basename($file), $this->index), new Heading('', $this->sentences())],
            rowsInJson: false,
        );
    }

    /**
     * What memory_get_usage() and the like said; null where it is not known.
     *
     * @return array{usage: int, peak: ?int, reserved: ?int, limit: ?int}
     */
    public function sizes(): array
    {
        $header = $this->index->header();
        $known = static fn (string $key): ?int => is_int($header[$key] ?? null) && $header[$key] > 0
            && $header[$key] < self::NO_LIMIT ? $header[$key] : null;

        return [
            'usage' => $this->index->summary()['usage'], 'peak' => $known('peak'), 'reserved' => $known('real_usage'),
            'limit' => $known('limit'),
        ];
    }

    /** Blocks of the heap by what is known of them. */
    public function tiers(): Table
    {
        $summary = $this->index->summary();

        return new Table(
            'tiers',
            [
                new Column('label', Unit::Text, 'of the heap'),
                new Column('bytes', Unit::Bytes, 'bytes', share: new Share($summary['usage'], 1, 12)),
                new Column('blocks', Unit::Count, 'blocks', 1),
            ],
            array_map(static fn (string $tier, string $label): array
                => ['tier' => $tier, 'label' => $label] + $summary[$tier], array_keys(self::TIERS), self::TIERS),
            '',
            printed: ['label', 'bytes', 'blocks'],
        );
    }

    /**
     * Types, classes or owners, without the roots, which have no bytes.
     *
     * @param key-of<GroupsReport::BY> $by
     */
    public function groups(string $by, string $sort, string $title): Table
    {
        $groups = array_values(array_filter(GroupsReport::groups($this->index, $by), static fn (HeapGroup $group): bool
            => $group->type !== 'root'));

        return (new GroupsReport($this->rows))->table(GroupsReport::BY[$by], $groups, $title, new Order($sort));
    }

    /** @return list<string> */
    private function sentences(): array
    {
        $summary = $this->index->summary();
        $sizes = $this->sizes();
        $peak = SnapshotInfo::hasPhpsPeak($this->index->header()) ? "PHP's peak" : 'peak';
        $more = array_filter(['peak' => $sizes['peak'], 'limit' => $sizes['limit']]);
        $labels = ['peak' => $peak, 'limit' => 'memory_limit'];
        $heap = sprintf(
            'Heap: %s in %s blocks%s%s; %s values, %s references',
            Units::bytes($sizes['usage']),
            Units::count(array_sum(array_map(static fn (string $tier): int => $summary[$tier]['blocks'], array_keys(self::TIERS)))),
            $sizes['reserved'] === null ? '' : ' of ' . Units::bytes($sizes['reserved']) . ' reserved',
            $more === [] ? '' : '; ' . implode(', ', array_map(static fn (string $key, int $bytes): string
                => "$labels[$key] " . Units::bytes($bytes), array_keys($more), $more)),
            Units::count($summary['nodes']),
            Units::count($summary['edges']),
        );
        $outside = array_filter([
            $summary['shared_bytes'] > 0 ? Units::bytes($summary['shared_bytes']) . " in opcache's shared memory" : '',
            $summary['outside_bytes'] > 0 ? Units::bytes($summary['outside_bytes']) . ' elsewhere' : '',
        ]);

        return [$heap, ...($outside === [] ? [] : ['Beside the heap: ' . implode(', ', $outside)])];
    }

    /** @param list<HeapNode> $keepers */
    private function keepersTable(array $keepers): Table
    {
        // Engine parts that occur several times share a line.
        $rows = [];
        foreach ($keepers as $node) {
            $what = $this->rows->title($node);
            $path = $this->index->path($node)->text;
            $key = "$what\0$path";
            $rows[$key] ??= ['retained_bytes' => 0, 'count' => 0, 'what' => $what, 'path' => $path];
            $rows[$key]['retained_bytes'] += $node->retained;
            $rows[$key]['count']++;
        }
        rsort($rows);
        $what = static fn (array $row): string => $row['what'] . ($row['count'] === 1 ? '' : ", {$row['count']} times");

        return new Table(
            'keepers',
            [
                new Column('what', Unit::Name, 'what', 1, value: $what),
                $this->rows->retained(2),
                HeapRows::keptBy(),
            ],
            $rows,
            '',
            printed: ['retained_bytes', 'what', 'path'],
        );
    }

    /** @return list<HeapNode> values with the largest retained sizes, below the roots */
    private function keepers(int $most): array
    {
        $found = [];
        foreach ([null, ...$this->index->roots()] as $top) {
            foreach ($this->index->dominated($top, 0, $most) as $node) {
                if ($node->type !== 'root' && $node->retained > 0) {
                    $node = $this->innermost($node);
                    $found[$node->id] = $node;
                }
            }
        }
        usort($found, static fn (HeapNode $a, HeapNode $b): int => $b->retained <=> $a->retained);

        return array_slice($found, 0, $most);
    }

    /** The innermost node with nearly all of the retained size: not the container of the object of the array, but the array. */
    private function innermost(HeapNode $node): HeapNode
    {
        for ($steps = 0; $steps < self::STEPS; $steps++) {
            $child = $this->index->dominated($node, 0, 1)[0] ?? null;
            if ($child === null || $child->type === 'array table' || $child->retained < self::NEARLY * $node->retained) {
                break;
            }
            $node = $child;
        }

        return $node;
    }
}
