<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;

/**
 * The largest parts: classes, types, owners; single strings, arrays or objects; allocating call paths.
 *
 * @phpstan-import-type Allocation from HeapIndex
 */
final class TopView extends HeapView
{
    public const BY = ['class', 'type', 'owner', 'object', 'array', 'string', 'path'];
    public const SORTS = ['bytes', 'retained', 'count', 'size'];

    private readonly int $most;

    /**
     * @param value-of<self::BY>    $by
     * @param value-of<self::SORTS> $sort
     * @param int                   $limit 0 for all
     * @param HeapGroup|null        $group of objects and call paths: only of this class or type
     */
    public function __construct(
        private readonly HeapIndex $index,
        private readonly string $by,
        private readonly string $sort,
        private readonly int $limit,
        private readonly ?HeapGroup $group,
        private readonly bool $full = false,
    ) {
        $this->most = self::most($limit);
        if ($by === 'path' && !$index->hasAllocations()) {
            throw new CliError('the snapshot has no call paths: call xhprof_enable(XHPROF_FLAGS_ALLOC) or memprof_enable()'
                . ' before it is taken');
        }
    }

    public function print(Screen $screen): void
    {
        self::notes($this->index, $screen);
        match ($this->by) {
            'class', 'type', 'owner' => $this->printGroups($screen),
            'object', 'array', 'string' => $this->printNodes($screen),
            'path' => $this->printPaths($screen),
        };
    }

    public function json(): array
    {
        $rows = match ($this->by) {
            'class', 'type', 'owner' => array_map(GroupTable::json(...), array_slice($this->groups(), 0, $this->most)),
            'object', 'array', 'string' => array_map(fn (HeapNode $node): array => self::nodeJson($node)
                + $this->index->details($node) + ['path' => $this->index->path($node)->text], $this->nodes()),
            'path' => $this->index->allocations($this->group, $this->most),
        };

        return ['by' => $this->by] + (in_array($this->by, ['class', 'type', 'owner'], true) ? ['sort' => $this->sort] : [])
            + ['notes' => [...$this->index->notes(), ...array_filter([$this->rest(count($rows))])], 'rows' => $rows];
    }

    private function printGroups(Screen $screen): void
    {
        $groups = $this->groups();
        $size = $this->size(...);
        $whole = $this->sort === 'count' ? array_sum(array_map($size, $groups)) : $this->index->summary()['usage'];
        $shown = array_slice($groups, 0, $this->most);
        if ($shown === []) {
            $screen->writeln('Nothing to show.');

            return;
        }
        GroupTable::of($shown, $this->by, $this->sort, $whole, $screen)->print($screen);
        $screen->say($this->rest(count($shown)));
    }

    private function printNodes(Screen $screen): void
    {
        $usage = max(1, $this->index->summary()['usage']);
        $table = new Table([
            new Column('retained'),
            new Column('%', weight: 2),
            new Column('', Column::LEFT, weight: 4, style: 'fg=magenta'),
            new Column('bytes', weight: 3),
            new Column('address', Column::LEFT, weight: 1),
            new Column('what', Column::LEFT, 16),
            new Column('kept by', Column::LEFT, 20),
        ]);
        $nodes = $this->nodes();
        foreach ($nodes as $node) {
            $table->add([
                Units::bytes($node->retained),
                Units::percent($node->retained, $usage),
                $screen->bar($node->retained / $usage, self::BAR),
                Units::bytes($node->block),
                $node->hex(),
                self::describe($node, $this->index),
                Text::printable($this->index->path($node)->text),
            ]);
        }
        if ($nodes === []) {
            $screen->writeln('Nothing to show.');

            return;
        }
        $table->print($screen);
        $screen->say($this->rest(count($nodes)));
    }

    private function printPaths(Screen $screen): void
    {
        $rows = $this->index->allocations($this->group, $this->most);
        if ($rows === []) {
            $screen->writeln('Nothing to show.');

            return;
        }
        self::allocations($rows, $this->group, $this->index, $screen, $this->full);
    }

    /** @param list<Allocation> $rows */
    public static function allocations(array $rows, ?HeapGroup $group, HeapIndex $index, Screen $screen, bool $full): void
    {
        $whole = max(1, $group->bytes ?? $index->summary()['usage']);
        $table = new Table([
            new Column('bytes'),
            new Column('%', weight: 2),
            new Column('', Column::LEFT, weight: 3, style: 'fg=magenta'),
            new Column('count', weight: 1),
            new Column('allocated by', Column::LEFT, 24, separator: $screen->calledBy()),
        ]);
        foreach ($rows as ['path' => $path, 'count' => $count, 'bytes' => $bytes]) {
            $frames = array_reverse(array_map(Text::printable(...), $path));
            $table->add([
                Units::bytes($bytes),
                Units::percent($bytes, $whole),
                $screen->bar($bytes / $whole, self::BAR),
                Units::count($count),
                $full ? (string) reset($frames) : implode($screen->calledBy(), $frames),
            ]);
        }
        foreach ($table->lines($screen) as $number => $line) {
            $screen->writeln($number === 0 ? "<options=bold>$line</>" : $line);
            $frames = $full && $number > 0 ? array_slice(array_reverse($rows[$number - 1]['path']), 1) : [];
            foreach ($frames as $frame) {
                $screen->text('   ' . $screen->calledBy() . Text::printable($frame));
            }
        }
    }

    /** @return list<HeapGroup> */
    private function groups(): array
    {
        $groups = match ($this->by) {
            'type' => $this->index->types(),
            'owner' => $this->index->owners(),
            default => $this->index->classes(),
        };
        usort($groups, fn (HeapGroup $a, HeapGroup $b): int => $this->size($b) <=> $this->size($a));

        return $groups;
    }

    private function size(HeapGroup $group): int
    {
        return match ($this->sort) {
            'bytes' => $group->bytes,
            'retained' => $group->retained,
            'count' => $group->count,
            'size' => $group->size,
        };
    }

    /** Whether objects that another of their class keeps are left out, so that the largest structures come first. */
    private function outermost(): bool
    {
        return $this->group === null && $this->by === 'object' && $this->limit !== 0;
    }

    /** "20 of 300 objects, sorted by retained; --limit=0 shows all", '' if all are shown. */
    private function rest(int $shown): string
    {
        [$all, $what] = match ($this->by) {
            'class' => [count($this->groups()), "classes, sorted by $this->sort"],
            'type', 'owner' => [count($this->groups()), "{$this->by}s, sorted by $this->sort"],
            'object', 'array', 'string' => [
                array_sum(array_map(static fn (HeapGroup $group): int => $group->count, $this->groupsOfNodes())),
                ($this->group === null ? $this->by . 's' : Text::printable($this->group->name ?: $this->group->type))
                    . ', sorted by retained' . ($this->outermost() ? '; not those that another of their class keeps' : ''),
            ],
            'path' => [$shown, ''],
        };

        return $shown < $all
            ? sprintf('%s of %s %s; --limit=0 shows all', Units::count($shown), Units::count($all), $what)
            : '';
    }

    /** @return list<HeapGroup> */
    private function groupsOfNodes(): array
    {
        if ($this->group !== null) {
            return [$this->group];
        }
        $types = $this->by === 'object' ? HeapIndex::OBJECTS : [$this->by];

        return array_values(array_filter($this->index->types(), static fn (HeapGroup $group): bool
            => in_array($group->type, $types, true)));
    }

    /** @return list<HeapNode> */
    private function nodes(): array
    {
        $nodes = [];
        foreach ($this->groupsOfNodes() as $group) {
            array_push($nodes, ...($this->outermost()
                ? $this->index->outermost($group, $this->most)
                : $this->index->members($group, 0, $this->most)));
        }
        usort($nodes, static fn (HeapNode $a, HeapNode $b): int => $b->retained <=> $a->retained ?: $b->size <=> $a->size);

        return array_slice($nodes, 0, $this->most);
    }
}
