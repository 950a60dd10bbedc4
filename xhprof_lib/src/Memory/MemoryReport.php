<?php

declare(strict_types=1);

namespace XHProf\Memory;

/**
 * Live memory by call path, by function or by type; all of it, or the blocks allocated between two marks. Memory from before
 * the tracking is left out, because its allocator is unknown.
 *
 * Row numbers are nodes of the call tree (or MemoryProfile::OTHER_THREADS), functions as CallTree::functions() numbers
 * them, or types. A function that called itself is one node of a path, however deep it went: otherwise the memory of a
 * recursion would be spread over as many paths as it has levels.
 */
final class MemoryReport
{
    public const BY = ['path', 'function', 'type'];

    /** Columns of the call tree, and their names here. */
    private const ALLOCATIONS = [
        'allocated' => 'allocated_bytes',
        'freed' => 'freed_bytes',
        'allocated_blocks' => 'allocated_blocks',
        'freed_blocks' => 'freed_blocks',
    ];

    /** @var list<int>|null */
    private ?array $parents = null;

    /** @var list<int>|null per node the one that represents it */
    private ?array $nodes = null;

    /** @var array<int, true> nodes that represent a recursion */
    private array $recursive = [];

    /** @var list<int>|null per name of the tree its function */
    private ?array $functions = null;

    /** @var array<string, MemoryTable> */
    private array $tables = [];

    public readonly int $liveBytes;
    public readonly int $liveBlocks;

    public function __construct(public readonly MemoryProfile $memory, public readonly ?MarkRange $range = null)
    {
        $table = $this->table('type');
        $this->liveBytes = $table->sum('live');
        $this->liveBlocks = $table->sum('blocks');
    }

    /**
     * @param value-of<self::BY> $by
     */
    public function table(string $by): MemoryTable
    {
        return $this->tables[$by] ??= new MemoryTable(match ($by) {
            'type' => $this->live($by),
            'path' => $this->live($by) + $this->allocations($this->nodes()),
            'function' => $this->functionColumns(),
        });
    }

    /**
     * @param value-of<self::BY> $by
     *
     * @return string of a row: the function that allocated, or the type
     */
    public function name(string $by, int $number): string
    {
        return match (true) {
            $by === 'type' => $this->memory->types[$number],
            $number < 0 => MemoryProfile::NAMES[$number],
            $by === 'path' => $this->memory->tree->names[$this->memory->tree->fn[$number]],
            default => $this->memory->tree->names[$number],
        };
    }

    /**
     * @param int $node of the call tree, or one of MemoryProfile::NAMES
     * @param int $most frames; 0 for all
     */
    public function path(int $node, int $most = 0): CallPath
    {
        if ($node < 0) {
            return new CallPath([['name' => MemoryProfile::NAMES[$node], 'recursive' => false]], 0);
        }
        $tree = $this->memory->tree;
        $nodes = $this->nodes();
        $this->parents ??= $tree->parents();
        $frames = [];
        while ($node >= 0 && ($most === 0 || count($frames) < $most)) {
            $node = $nodes[$node];
            $frames[] = ['name' => $tree->names[$tree->fn[$node]], 'recursive' => isset($this->recursive[$node])];
            $node = $this->parents[$node];
        }

        return new CallPath($frames, $node < 0 ? 0 : $tree->depth[$node] + 1);
    }

    /**
     * Details of the rows that are shown only: they are not kept for millions of rows.
     *
     * @param value-of<self::BY> $by
     * @param list<int> $numbers of rows
     *
     * @return array<int, array{types: array<int, int>, intervals: int, node: int|null}> per row: bytes by type, the most first;
     *         the number of intervals between marks in which its blocks were allocated; the node that holds the most
     */
    public function details(string $by, array $numbers): array
    {
        $shown = array_fill_keys($numbers, true);
        $types = $marks = $nodeBytes = [];
        foreach ($this->rows($by) as $row => $number) {
            if (!isset($shown[$number])) {
                continue;
            }
            $bytes = $this->memory->bytes[$row];
            $type = $this->memory->type[$row];
            $types[$number][$type] = ($types[$number][$type] ?? 0) + $bytes;
            if ($this->range !== null && $this->range->intervals() > 1) {
                $marks[$number][$this->memory->mark[$row]] = true;
            }
            if ($by === 'type') {
                $node = $this->memory->node[$row];
                $nodeBytes[$number][$node] = ($nodeBytes[$number][$node] ?? 0) + $bytes;
            }
        }
        $details = [];
        foreach ($numbers as $number) {
            $ofNumber = $types[$number] ?? [];
            arsort($ofNumber, SORT_NUMERIC);
            $bytesByNode = $nodeBytes[$number] ?? [];
            arsort($bytesByNode, SORT_NUMERIC);
            $details[$number] = [
                'types' => $ofNumber,
                'intervals' => count($marks[$number] ?? []),
                'node' => array_key_first($bytesByNode),
            ];
        }

        return $details;
    }

    /**
     * Merges nodes of the same name under one caller, and a function with a direct call of itself.
     *
     * @return list<int>
     */
    private function nodes(): array
    {
        if ($this->nodes !== null) {
            return $this->nodes;
        }
        $tree = $this->memory->tree;
        $this->functions ??= $tree->functions();
        $this->parents ??= $tree->parents();
        $names = count($tree->names);
        $nodes = $known = [];
        foreach ($tree->fn as $node => $name) {
            $function = $this->functions[$name];
            $caller = $node === 0 ? 0 : $nodes[$this->parents[$node]];
            if ($node > 0 && $this->functions[$tree->fn[$caller]] === $function) {
                $nodes[] = $caller;
                $this->recursive[$caller] = true;
            } else {
                $nodes[] = $known[$caller * $names + $function] ??= $node;
            }
        }

        return $this->nodes = $nodes;
    }

    /**
     * @param value-of<self::BY> $by
     *
     * @return iterable<int, int> row of the profile => number of the row here
     */
    private function rows(string $by): iterable
    {
        $this->functions ??= $this->memory->tree->functions();
        $nodes = $by === 'path' ? $this->nodes() : [];
        $fn = $this->memory->tree->fn;
        foreach ($this->memory->node as $row => $node) {
            if ($node === MemoryProfile::BEFORE || $this->range?->has($this->memory->mark[$row]) === false) {
                continue;
            }
            yield $row => match (true) {
                $by === 'type' => $this->memory->type[$row],
                $node < 0 => $node,
                $by === 'path' => $nodes[$node],
                default => $this->functions[$fn[$node]],
            };
        }
    }

    /**
     * @param value-of<self::BY> $by
     *
     * @return array{live: array<int, int>, blocks: array<int, int>}
     */
    private function live(string $by): array
    {
        $live = $blocks = [];
        foreach ($this->rows($by) as $row => $number) {
            $live[$number] = ($live[$number] ?? 0) + $this->memory->bytes[$row];
            $blocks[$number] = ($blocks[$number] ?? 0) + $this->memory->blocks[$row];
        }

        return ['live' => $live, 'blocks' => $blocks];
    }

    /**
     * Sums of all allocations and frees: they are not split by marks and have no figures of other threads.
     *
     * @param list<int> $numbers of rows, per node
     *
     * @return array<string, array<int, int>>
     */
    private function allocations(array $numbers): array
    {
        $columns = [];
        foreach ($this->range === null ? self::ALLOCATIONS : [] as $column => $saved) {
            if (!isset($this->memory->tree->allocations[$saved])) {
                continue;
            }
            $sums = [];
            foreach ($this->memory->tree->allocations[$saved] as $node => $value) {
                $number = $numbers[$node];
                $sums[$number] = ($sums[$number] ?? 0) + $value;
            }
            $columns[$column] = $sums;
        }

        return $columns;
    }

    /**
     * @return array<string, array<int, int>>
     */
    private function functionColumns(): array
    {
        $tree = $this->memory->tree;
        $this->functions ??= $tree->functions();
        $functions = array_map(fn (int $index): int => $this->functions[$index], $tree->fn);
        $columns = $this->live('function');
        /** @var list<int> $own */
        $own = array_fill(0, $tree->count(), 0);
        $inclusive = [];
        foreach ($this->table('path')->values('live') as $node => $bytes) {
            if ($node < 0) {
                $inclusive[$node] = $bytes;
            } else {
                $own[$node] = $bytes;
            }
        }
        // A function below itself is counted once, by its outermost call.
        $isOutermost = $tree->outermost($functions);
        foreach ($tree->addUp($own) as $node => $bytes) {
            if ($isOutermost[$node]) {
                $inclusive[$functions[$node]] = ($inclusive[$functions[$node]] ?? 0) + $bytes;
            }
        }

        return ['live' => $columns['live'], 'incl' => $inclusive, 'blocks' => $columns['blocks']]
            + $this->allocations($functions);
    }
}
