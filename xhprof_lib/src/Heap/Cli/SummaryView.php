<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\SnapshotInfo;

/** Summary of the memory: how much of it is known, its types and classes, the largest retained sizes. */
final class SummaryView extends HeapView
{
    private const TIERS = [
        'typed' => 'known by type',
        'native' => "extensions' own, by owner",
        'unreachable' => 'nothing refers to it',
    ];

    /** Most steps down to the node that really holds the memory, and the share of the retained size that each must have. */
    private const STEPS = 20;
    private const NEARLY = 0.9;
    private const MAX_KEEPERS = 100;

    /** @param int $limit rows of each table, 0 for all */
    public function __construct(private readonly string $file, private readonly HeapIndex $index, private readonly int $limit)
    {
    }

    public function print(Screen $screen): void
    {
        self::heading('Heap snapshot ' . basename($this->file), $this->index, $screen);
        $summary = $this->index->summary();
        $header = $this->index->header();
        $screen->writeln('');
        $sentence = sprintf(
            'Heap: %s in %s blocks',
            Units::bytes($summary['usage']),
            Units::count($summary['typed']['blocks'] + $summary['native']['blocks'] + $summary['unreachable']['blocks']),
        );
        $reserved = $header['real_usage'] ?? null;
        $sentence .= is_int($reserved) ? ' of ' . Units::bytes($reserved) . ' reserved' : '';
        $more = [];
        $peak = SnapshotInfo::hasPhpsPeak($header) ? "PHP's peak" : 'peak';
        foreach (['peak' => $peak, 'limit' => 'memory_limit'] as $key => $label) {
            if (is_int($header[$key] ?? null) && $header[$key] > 0 && $header[$key] < 1 << 60) {
                $more[] = "$label " . Units::bytes($header[$key]);
            }
        }
        $sentence .= $more === [] ? '' : '; ' . implode(', ', $more);
        $sentence .= sprintf('; %s values, %s references', Units::count($summary['nodes']), Units::count($summary['edges']));
        $screen->say($sentence);
        $outside = [];
        if ($summary['shared_bytes'] > 0) {
            $outside[] = Units::bytes($summary['shared_bytes']) . " in opcache's shared memory";
        }
        if ($summary['outside_bytes'] > 0) {
            $outside[] = Units::bytes($summary['outside_bytes']) . ' elsewhere';
        }
        if ($outside !== []) {
            $screen->say('Beside the heap: ' . implode(', ', $outside));
        }
        $screen->writeln('');
        $this->printTiers($screen);
        $usage = max(1, $summary['usage']);
        $parts = ['type' => $this->index->types(), 'class' => $this->index->classes(), 'native owner' => $this->index->owners()];
        foreach ($parts as $title => $groups) {
            $rows = array_values(array_filter($groups, static fn (HeapGroup $group): bool => $group->type !== 'root'));
            if ($rows === []) {
                continue;
            }
            $screen->writeln('');
            $shown = self::first($rows, $this->limit);
            GroupTable::of($shown, $title, 'bytes', $usage, $screen)->print($screen);
            $what = ['type' => 'types', 'class' => 'classes', 'native owner' => 'owners'][$title];
            $screen->rest(count($shown), count($rows), $what);
        }
        $this->printRetainers($screen, $usage);
    }

    public function json(): array
    {
        return [
            'file' => $this->file,
            'header' => $this->index->header(),
            'notes' => $this->index->notes(),
            'summary' => $this->index->summary(),
            'types' => array_map(GroupTable::json(...), self::first($this->index->types(), $this->limit)),
            'classes' => array_map(GroupTable::json(...), self::first($this->index->classes(), $this->limit)),
            'owners' => array_map(GroupTable::json(...), self::first($this->index->owners(), $this->limit)),
            'keepers' => array_map(fn (HeapNode $node): array => self::nodeJson($node) + [
                'path' => $this->index->path($node)->text,
            ], self::first($this->retainers(), $this->limit)),
        ];
    }

    private function printTiers(Screen $screen): void
    {
        $summary = $this->index->summary();
        $table = new Table([
            new Column('of the heap', Column::LEFT),
            new Column('bytes'),
            new Column('%'),
            new Column('', Column::LEFT, weight: 2, style: 'fg=magenta'),
            new Column('blocks', weight: 1),
        ]);
        foreach (self::TIERS as $tier => $label) {
            ['bytes' => $bytes, 'blocks' => $blocks] = $summary[$tier];
            $table->add([
                $label,
                Units::bytes($bytes),
                Units::percent($bytes, $summary['usage']),
                $screen->bar($summary['usage'] === 0 ? 0.0 : $bytes / $summary['usage'], 2 * self::BAR),
                Units::count($blocks),
            ]);
        }
        $table->print($screen);
    }

    private function printRetainers(Screen $screen, int $usage): void
    {
        $retainers = $this->retainers();
        if ($retainers === []) {
            return;
        }
        $screen->writeln('');
        $table = new Table([
            new Column('retained'),
            new Column('%', weight: 2),
            new Column('', Column::LEFT, weight: 3, style: 'fg=magenta'),
            new Column('what', Column::LEFT, 16, weight: 1),
            new Column('kept by', Column::LEFT, 24),
        ]);
        // Engine parts that occur several times share a line.
        $rows = [];
        foreach ($retainers as $node) {
            $what = self::describe($node, $this->index);
            $path = Text::printable($this->index->path($node)->text);
            $rows["$what\0$path"] ??= [0, 0, $what, $path];
            $rows["$what\0$path"][0] += $node->retained;
            $rows["$what\0$path"][1]++;
        }
        rsort($rows);
        foreach (self::first($rows, $this->limit) as [$retained, $count, $what, $path]) {
            $table->add([
                Units::bytes($retained),
                Units::percent($retained, $usage),
                $screen->bar($retained / $usage, self::BAR),
                $count === 1 ? $what : "$what, $count times",
                $path,
            ]);
        }
        $table->print($screen);
    }

    /** @return list<HeapNode> nodes with the largest retained sizes, below the roots */
    private function retainers(): array
    {
        $most = $this->limit === 0 ? self::MAX_KEEPERS : max(30, 2 * $this->limit);
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
