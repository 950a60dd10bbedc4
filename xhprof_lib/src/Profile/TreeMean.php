<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * The mean of several call trees, path by path: what a run did not call counts as 0 there. Sums are divided along the tree with
 * what is left over carried on, so that the parts of the mean add up to the mean of the whole.
 */
final class TreeMean
{
    /** Call paths of the mean: more do not fit into the memory of a request. */
    public const MOST_NODES = 500000;

    /** More functions than any tree has. Odd, so that neither a node's callees nor a function's callers share lower bits: PHP
     *  finds keys by these. */
    private const FUNCTIONS = 16777213;

    /** @var array<string, int> no name is a number: see EdgeKey::isName() */
    private array $names = [];

    /** @var list<int> per node */
    private array $fn = [];

    /** @var array<int, int> calling node and function => node */
    private array $nodes = [];

    /** @var array<string, array<int, int|float>> "ct", "self.wt", "corrected.cpu"... => per node the sum */
    private array $sums = [];

    /** @var list<string>|null columns that all trees have */
    private ?array $columns = null;

    private function __construct()
    {
    }

    /**
     * @param list<\Closure(): CallTree> $trees   read one after the other: two large ones are too much
     * @param list<int>                  $weights one per tree; none = all alike
     *
     * @return CallTree over the metrics that all trees have
     *
     * @throws InvalidProfile when there is none, when it has too many call paths, or no metric in common
     */
    public static function of(array $trees, array $weights = []): CallTree
    {
        if ($trees === []) {
            throw new InvalidProfile('there is no call tree to make a mean of');
        }
        $mean = new self();
        foreach ($trees as $index => $read) {
            $mean->add($read(), $weights === [] ? 1 : $weights[$index] ?? 0);
        }

        return $mean->divided($weights === [] ? count($trees) : array_sum($weights));
    }

    private function add(CallTree $tree, int $weight): void
    {
        $columns = self::columnsOf($tree);
        $this->columns ??= array_keys($columns);
        $this->columns = array_values(array_filter($this->columns, static fn (string $name): bool => isset($columns[$name])));
        $columns = array_intersect_key($columns, array_flip($this->columns));
        $functions = [];
        foreach ($tree->names as $index => $name) {
            $functions[$index] = $this->names[$name] ??= count($this->names);
        }
        $open = [];
        $places = [];
        foreach ($tree->fn as $node => $index) {
            $level = $tree->depth[$node];
            // There is one root, whatever it is called.
            $key = $level === 0 ? 0 : $open[$level - 1] * self::FUNCTIONS + $functions[$index];
            $place = $this->nodes[$key] ??= count($this->fn);
            if ($place === count($this->fn)) {
                if ($place === self::MOST_NODES) {
                    throw new InvalidProfile(sprintf('together they have more than %d call paths', self::MOST_NODES));
                }
                $this->fn[] = $functions[$index];
            }
            $open[$level] = $place + 1;
            $places[] = $place;
        }
        foreach ($columns as $name => $column) {
            $sums = array_pad($this->sums[$name] ?? [], count($this->fn), 0);
            // Written to where it is: a second copy of a column is a lot.
            unset($this->sums[$name]);
            foreach ($column as $node => $figure) {
                $sums[$places[$node]] += $weight * $figure;
            }
            $this->sums[$name] = $sums;
        }
    }

    /** @return array<string, list<int>> "ct", "self.wt", "corrected.cpu"... => per node the figure */
    public static function columnsOf(CallTree $tree): array
    {
        $columns = ['ct' => $tree->ct];
        foreach (['self' => $tree->self + $tree->allocations, 'corrected' => $tree->corrected] as $kind => $group) {
            foreach ($group as $metric => $column) {
                $columns["$kind.$metric"] = $column;
            }
        }

        return $columns;
    }

    private function divided(int $divisor): CallTree
    {
        if ($divisor <= 0) {
            throw new InvalidProfile('the weights must not be negative, and not all 0');
        }
        [$order, $depth] = $this->preorder();
        $data = ['names' => array_keys($this->names), 'fn' => [], 'depth' => $depth];
        foreach ($order as $node) {
            $data['fn'][] = $this->fn[$node];
        }
        foreach ($this->columns ?? [] as $name) {
            $column = self::spread($this->sums[$name], $order, $divisor);
            unset($this->sums[$name]);
            self::put($data, $name, $column);
        }

        return CallTree::fromArray($data);
    }

    /**
     * Puts a column of columnsOf() where CallTree::fromArray() looks for it.
     *
     * @param array<string, mixed> $data
     * @param array<int, int>      $column a list
     *
     * @param-out array<string, mixed> $data
     */
    public static function put(array &$data, string $name, array $column): void
    {
        [$kind, $metric] = explode('.', $name, 2) + [1 => ''];
        if ($metric === '') {
            $data[$kind] = $column;
        } else {
            $data[$kind] = [$metric => $column] + (is_array($data[$kind] ?? null) ? $data[$kind] : []);
        }
    }

    /**
     * @param array<int, int|float> $sums  per node
     * @param list<int>             $order nodes in preorder
     *
     * @return list<int>
     */
    private static function spread(array $sums, array $order, int $divisor): array
    {
        $column = [];
        $sum = 0;
        $before = 0;
        foreach ($order as $node) {
            $sum += $sums[$node];
            $after = (int) floor($sum / $divisor);
            $column[] = $after - $before;
            $before = $after;
        }

        return $column;
    }

    /**
     * @return array{0: list<int>, 1: list<int>} nodes in preorder, callees in the order in which they were met; the depth of each
     */
    private function preorder(): array
    {
        $children = [];
        foreach ($this->nodes as $key => $node) {
            $children[intdiv($key, self::FUNCTIONS)][] = $node;
        }
        $order = [];
        $depth = [];
        $open = array_map(static fn (int $node): array => [$node, 0], array_reverse($children[0] ?? []));
        while (($next = array_pop($open)) !== null) {
            [$node, $level] = $next;
            $order[] = $node;
            $depth[] = $level;
            foreach (array_reverse($children[$node + 1] ?? []) as $child) {
                $open[] = [$child, $level + 1];
            }
        }

        return [$order, $depth];
    }
}
