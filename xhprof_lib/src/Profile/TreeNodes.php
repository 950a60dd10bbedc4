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
    /** Nodes of a block: columns of so many stay in the processor's cache. */
    private const BLOCK = 1 << 12;

    /** Nodes between known sums: so many are read for a sum up to any node. */
    private const STRIDE = 1 << 10;

    private ?TreeBytes $bytes = null;

    /** @var array<string, list<int>> per metric the sum of all nodes before each block, and of all */
    private array $sums = [];

    /**
     * @param list<string> $names   of functions
     * @param list<string> $metrics of the nodes, in order: see Metrics::ofEdges()
     * @param \Closure(list<string>, int, int): iterable<array<string, list<int>>> $read columns side by side: "fn", "depth", "ct",
     *     a metric; from a node on, so many nodes at a time
     * @param int $count number of nodes
     * @param (\Closure(): ?array{string, string, int})|null $packed what TreeBytes takes, where it is in a file
     * @param string $file  for messages; '' for a tree in memory, which was checked when it was made
     * @param bool   $fits  whether what edges take may be added up: see SavedColumns::MAX_SUM
     */
    public function __construct(
        public readonly array $names,
        public readonly array $metrics,
        private readonly \Closure $read,
        public readonly int $count,
        private readonly ?\Closure $packed = null,
        public readonly string $file = '',
        public readonly bool $fits = true,
    ) {
    }

    /** @param list<string> $metrics */
    public static function ofTree(CallTree $tree, array $metrics): self
    {
        $blocks = static function (array $names, int $first, int $count) use ($tree): \Generator {
            $columns = [];
            foreach ($names as $name) {
                $columns[$name] = match ($name) {
                    'fn' => $tree->fn,
                    'depth' => $tree->depth,
                    'ct' => $tree->ct,
                    default => $tree->exclusive($name),
                };
            }
            for (; $first < $tree->count(); $first += $count) {
                yield array_map(static fn (array $column): array => array_slice($column, $first, $count), $columns);
            }
        };
        $most = self::most(max([0, ...$tree->depth]));
        // Such as have several roots are of live memory.
        $fits = count(array_keys($tree->depth, 0, true)) === 1;
        foreach (['ct', ...$metrics] as $metric) {
            $column = $metric === 'ct' ? $tree->ct : $tree->exclusive($metric);
            $fits = $fits && self::magnitude($column) <= $most;
        }

        return new self($tree->names, $metrics, $blocks, $tree->count(), fits: $fits);
    }

    /**
     * @param array<string, string> $map name => another name
     *
     * @return self the same nodes, of functions with these names
     */
    public function renamed(array $map): self
    {
        $names = array_map(static fn (string $name): string => $map[$name] ?? $name, $this->names);

        return new self($names, $this->metrics, $this->read, $this->count, $this->packed, $this->file, $this->fits);
    }

    /**
     * @param list<string> $columns
     *
     * @return iterable<array<string, list<int>>>
     */
    public function blocks(array $columns): iterable
    {
        return ($this->read)($columns, 0, self::BLOCK);
    }

    /**
     * @param list<string> $columns
     * @param int          $first a node
     *
     * @return iterable<int, array<string, list<int>>> the nodes from this one on: blocks by their first node
     */
    public function from(array $columns, int $first): iterable
    {
        foreach ($first < $this->count ? ($this->read)($columns, $first, self::BLOCK) : [] as $block) {
            yield $first => $block;
            $first += count($block[$columns[0]]);
        }
    }

    /** @return TreeBytes|null null where the columns are no bytes: of a tree in memory, or a very deep one */
    public function bytes(): ?TreeBytes
    {
        if ($this->bytes === null && $this->packed !== null) {
            $bytes = ($this->packed)();
            $this->bytes = $bytes === null ? null : new TreeBytes($this, ...$bytes);
        }

        return $this->bytes;
    }

    /** @return int one figure of one node */
    public function at(string $column, int $node): int
    {
        foreach (($this->read)([$column], $node, 1) as $block) {
            return $block[$column][0];
        }

        return 0;
    }

    /**
     * @param list<string> $metrics
     * @param list<int>    $places  nodes, in any order
     *
     * @return array<string, array<int, int>> per metric and place the sum of all nodes before it; also of all nodes
     */
    public function before(array $metrics, array $places): array
    {
        $byBlock = [];
        foreach (array_flip($places) as $place => $_) {
            $byBlock[intdiv($place, self::STRIDE)][] = $place;
        }
        $before = [];
        foreach ($metrics as $metric) {
            $sums = $this->sums[$metric] ??= $this->sumsOfBlocks($metric);
            $before[$metric][$this->count] = $sums[count($sums) - 1];
        }
        foreach ($byBlock as $number => $within) {
            sort($within);
            foreach (($this->read)($metrics, $number * self::STRIDE, self::STRIDE) as $block) {
                foreach ($block as $metric => $column) {
                    $sum = $this->sums[$metric][$number];
                    $from = $number * self::STRIDE;
                    foreach ($within as $place) {
                        $sum += array_sum(array_slice($column, $from - $number * self::STRIDE, $place - $from));
                        $before[$metric][$place] = $sum;
                        $from = $place;
                    }
                }
                break;
            }
        }

        return $before;
    }

    /** @return list<int> sum of all nodes before each block, and of all */
    private function sumsOfBlocks(string $metric): array
    {
        $sums = [0];
        $sum = 0;
        foreach (($this->read)([$metric], 0, self::STRIDE) as $block) {
            $sums[] = $sum += array_sum($block[$metric]);
        }

        return $sums;
    }

    /** @return array<int, int> per name the first that is the same; [] if they all differ */
    public function same(): array
    {
        $same = CallTree::firstOf($this->names);

        return $same === array_keys($this->names) ? [] : $same;
    }

    /**
     * @param int $deepest level of a node, or a bound of it: levels of as many bytes have the same answer, as a file knows no more
     *
     * @return int what the nodes' values may add up to, each as its absolute value, so that sums of inclusive ones are exact
     */
    public static function most(int $deepest): int
    {
        return SavedColumns::MAX_SUM >> ($deepest < 1 << 8 ? 8 : ($deepest < 1 << 16 ? 16 : 32));
    }

    public function invalid(string $what): InvalidProfile|DamagedRun
    {
        return $this->file === '' ? new InvalidProfile($what) : new DamagedRun("$this->file: $what");
    }

    /**
     * @param list<int|float> $column
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
