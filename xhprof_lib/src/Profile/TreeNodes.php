<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;

/**
 * The nodes of a call tree in preorder, in blocks of columns, as they are in a file or in memory: what edges and functions' figures
 * are added up from.
 *
 * @internal
 */
final class TreeNodes
{
    /** Nodes that a tree in memory hands over at a time: columns of so many stay in the processor's cache. */
    private const BLOCK = 1 << 12;

    /**
     * @param list<string> $names   of functions
     * @param list<string> $metrics of the nodes
     * @param \Closure(list<string>): iterable<array<string, list<int>>> $blocks columns side by side, equally long: "fn", "depth",
     *     "ct", a metric
     * @param (\Closure(string): array{string, int})|null $bytes "fn" or "depth" as little-endian numbers, and the bytes of each; null
     *     for a tree in memory
     * @param string $file  for messages; '' for a tree in memory, which was checked when it was made
     * @param bool   $fits  whether what edges take may be added up: see SavedColumns::MAX_SUM
     */
    public function __construct(
        public readonly array $names,
        public readonly array $metrics,
        public readonly \Closure $blocks,
        public readonly ?\Closure $bytes = null,
        public readonly string $file = '',
        public readonly bool $fits = true,
    ) {
    }

    /** @param list<string> $metrics */
    public static function ofTree(CallTree $tree, array $metrics): self
    {
        $blocks = static function (array $names) use ($tree): \Generator {
            $columns = [];
            foreach ($names as $name) {
                $columns[$name] = match ($name) {
                    'fn' => $tree->fn,
                    'depth' => $tree->depth,
                    'ct' => $tree->ct,
                    default => $tree->exclusive($name),
                };
            }
            for ($first = 0; $first < $tree->count(); $first += self::BLOCK) {
                yield array_map(static fn (array $column): array => array_slice($column, $first, self::BLOCK), $columns);
            }
        };
        $deepest = 1 + max($tree->depth);
        // Such as have several roots are of live memory.
        $fits = count(array_keys($tree->depth, 0, true)) === 1;
        foreach (['ct', ...$metrics] as $metric) {
            $column = $metric === 'ct' ? $tree->ct : $tree->exclusive($metric);
            $fits = $fits && self::magnitude($column) * $deepest < SavedColumns::MAX_SUM;
        }

        return new self($tree->names, $metrics, $blocks, fits: $fits);
    }

    /**
     * @param array<string, string> $map name => another name
     *
     * @return self the same nodes, of functions with these names
     */
    public function renamed(array $map): self
    {
        $names = array_map(static fn (string $name): string => $map[$name] ?? $name, $this->names);

        return new self($names, $this->metrics, $this->blocks, $this->bytes, $this->file, $this->fits);
    }

    /** @return array<int, int> per name the first that is the same; [] if they all differ */
    public function same(): array
    {
        $first = $same = [];
        foreach ($this->names as $index => $name) {
            $same[] = $first["\0" . $name] ??= $index;
        }

        return count($first) === count($same) ? [] : $same;
    }

    public function invalid(string $what): InvalidProfile|DamagedRun
    {
        return $this->file === '' ? new InvalidProfile($what) : new DamagedRun("$this->file: $what");
    }

    /**
     * @param list<int> $column
     *
     * @return int|float sum of the absolute values; beyond the integers a float
     */
    public static function magnitude(array $column): int|float
    {
        $sizes = $column === [] || min($column) >= 0 ? $column : array_map(abs(...), $column);
        /** @var int|float $sum */
        $sum = array_sum($sizes);

        return $sum;
    }
}
