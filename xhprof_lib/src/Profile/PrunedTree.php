<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * A call tree without its small paths. All metrics still add up to the whole: the removed paths become one node
 * "(small paths)" per caller, or part of the caller's own.
 */
final class PrunedTree
{
    public const NAME = '(small paths)';

    /**
     * @param int            $nodes  number of removed nodes
     * @param list<int>|null $origin per node that of the whole tree; of "(small paths)" its caller's, as ~node. Null: the same
     */
    private function __construct(
        public readonly CallTree $tree,
        public readonly int $nodes,
        public readonly ?array $origin = null,
    ) {
    }

    /**
     * @param CallTree $tree returned as it is if it is small enough
     * @param int      $most most nodes to keep, the heaviest ones; those that replace the others are added
     * @param int[]    $kept nodes that stay with their callers in any case, even if they are more
     */
    public static function largest(CallTree $tree, int $most, array $kept = []): self
    {
        if ($tree->count() <= $most) {
            return new self($tree, 0);
        }
        $weights = self::weights($tree);
        if ($kept !== []) {
            $parents = $tree->parents();
            $count = 0;
            foreach ($kept as $node) {
                for (; $node >= 0 && $weights[$node] !== PHP_INT_MAX; $node = $parents[$node]) {
                    $weights[$node] = PHP_INT_MAX;
                    $count++;
                }
            }
            unset($parents);
            $most = max($most, $count);
        }

        return $most >= $tree->count() ? new self($tree, 0) : self::keepLargest($tree, $weights, max(1, $most));
    }

    /**
     * What largest() has added up.
     *
     * @param int $node of the whole tree, a caller of "(small paths)"
     *
     * @return list<int> the nodes of the whole tree behind these, in preorder; none if it has no such callee
     */
    public function leftOut(CallTree $whole, int $node): array
    {
        $isKept = [];
        foreach ($this->origin ?? [] as $origin) {
            if ($origin > $node) {
                $isKept[$origin] = true;
            }
        }
        $nodes = [];
        $end = $this->origin === null || !in_array(~$node, $this->origin, true) ? 0 : $whole->end($node);
        for ($callee = $node + 1; $callee < $end; $callee = $next) {
            $next = $whole->end($callee);
            for ($below = $callee; $below < $next && !isset($isKept[$callee]); $below++) {
                $nodes[] = $below;
            }
        }

        return $nodes;
    }

    /**
     * Removes the paths below a share of the whole: their metrics become their caller's own, their calls are dropped.
     *
     * @param CallTree $tree  returned as it is if no path is small enough
     * @param float    $share of the first metric, 0.001 for 0.1 %; freed memory weighs as much as allocated memory
     */
    public static function above(CallTree $tree, float $share): self
    {
        $weights = self::weights($tree);
        $limit = $share * $weights[0];
        $target = [];
        $kept = [];
        $open = [];
        $cut = PHP_INT_MAX;
        foreach ($tree->depth as $node => $level) {
            if ($level > $cut) {
                $target[] = $target[$node - 1];
                continue;
            }
            $isSmall = $node > 0 && $weights[$node] < $limit;
            $cut = $isSmall ? $level : PHP_INT_MAX;
            if ($isSmall) {
                $target[] = $open[$level - 1];
                continue;
            }
            $open[$level] = count($kept);
            $target[] = count($kept);
            $kept[] = $node;
        }
        if (count($kept) === $tree->count()) {
            return new self($tree, 0);
        }
        unset($weights);
        $numbers = $fn = $depth = $ct = [];
        foreach ($kept as $node) {
            $fn[] = $numbers[$tree->fn[$node]] ??= count($numbers);
            $depth[] = $tree->depth[$node];
            $ct[] = $tree->ct[$node];
        }
        $names = array_map(static fn (int $index): string => $tree->names[$index], array_keys($numbers));
        $columns = static function () use ($tree, $target, $ct): \Generator {
            yield from self::sums($tree, $target, count($ct));
            yield 'ct' => $ct;
        };

        $places = $tree->places->select(array_keys($numbers));
        $lines = self::lines($tree, $kept);

        return new self(
            CallTree::fromColumns($names, $fn, $depth, $columns(), $places, $lines),
            $tree->count() - count($kept),
        );
    }

    /**
     * @return array<int, int> per node its inclusive cost, or freed memory: no node weighs more than its caller
     */
    private static function weights(CallTree $tree): array
    {
        return $tree->addUp(array_map(abs(...), $tree->exclusive($tree->metrics()[0])));
    }

    /** @param array<int, int> $weights handed over, not kept: a large tree must not take more than it needs */
    private static function keepLargest(CallTree $tree, array $weights, int $most): self
    {
        [$limit, $ties] = self::limit($weights, $most);
        $small = count($tree->names);
        // Per node the node of the new tree that takes its figures.
        $target = [];
        $fn = [];
        $depth = [];
        $open = [];
        $rest = [];
        $current = 0;
        $origin = [];
        $cut = PHP_INT_MAX;
        foreach ($tree->depth as $node => $level) {
            if ($level > $cut) {
                $target[] = $current;
                continue;
            }
            // Of the nodes with exactly the limit's weight the first stay: a caller comes before its callees, and
            // weighs no less.
            $isSmall = $weights[$node] < $limit || ($weights[$node] === $limit && $ties-- <= 0);
            $cut = $isSmall ? $level : PHP_INT_MAX;
            $current = $isSmall ? $rest[$open[$level - 1]] ?? count($fn) : count($fn);
            if ($current === count($fn)) {
                $fn[] = $isSmall ? $small : $tree->fn[$node];
                $origin[] = $isSmall ? ~$origin[$open[$level - 1]] : $node;
                $depth[] = $level;
            }
            if ($isSmall) {
                $rest[$open[$level - 1]] = $current;
            } else {
                $open[$level] = $current;
            }
            $target[] = $current;
        }
        unset($weights);
        $names = [...$tree->names, self::NAME];
        $places = $tree->places->select(array_keys($names));
        $lines = self::lines($tree, $origin);
        $pruned = CallTree::fromColumns($names, $fn, $depth, self::sums($tree, $target, count($fn)), $places, $lines);

        return new self($pruned, $tree->count() - count($fn), $origin);
    }

    /**
     * @param list<int> $nodes of the tree, below 0 for none
     *
     * @return list<int> their lines of calls; [] where the tree has none
     */
    private static function lines(CallTree $tree, array $nodes): array
    {
        return $tree->callLine === []
            ? []
            : array_map(static fn (int $node): int => $tree->callLine[$node] ?? 0, $nodes);
    }

    /**
     * @param array<int, int> $target per node of the tree the one that takes its figures
     * @param int             $count  of nodes that stay
     *
     * @return iterable<string, array<int, int>> the figures of the nodes that stay, as CallTree::columns() has them
     */
    private static function sums(CallTree $tree, array $target, int $count): iterable
    {
        foreach ($tree->columns() as $name => $column) {
            $sums = array_fill(0, $count, 0);
            foreach ($column as $node => $value) {
                $sums[$target[$node]] += $value;
            }
            yield $name => $sums;
        }
    }

    /**
     * @param array<int, int> $weights more than $most
     *
     * @return array{0: int, 1: int} least weight of a node that stays, and how many nodes of just that weight stay
     */
    private static function limit(array $weights, int $most): array
    {
        rsort($weights);
        $limit = $weights[$most - 1];
        for ($ties = 1; $ties < $most && $weights[$most - 1 - $ties] === $limit; $ties++) {
        }

        return [$limit, $ties];
    }
}
