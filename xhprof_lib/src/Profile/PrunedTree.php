<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * A call tree without the paths that hardly count: they become, per caller, one node "(small paths)". All figures still add up
 * to the whole.
 */
final class PrunedTree
{
    /** Shares below it are left out. */
    public const LEAST_SHARE = 0.0001;

    public const NAME = '(small paths)';

    private function __construct(public readonly CallTree $tree, public readonly int $nodes)
    {
    }

    /**
     * @param float $least share of the whole, by the first metric
     *
     * @return self the tree, and how many nodes went
     */
    public static function of(CallTree $tree, float $least = self::LEAST_SHARE): self
    {
        return self::keeping($tree, self::weights($tree), static fn (array $weights): int => (int) ceil($weights[0] * $least));
    }

    /**
     * @param CallTree $tree stays as it is where it is small enough
     * @param int      $most nodes that are kept; those that stand for the others come on top
     */
    public static function largest(CallTree $tree, int $most): self
    {
        if ($tree->count() <= $most) {
            return new self($tree, 0);
        }

        return self::keeping($tree, self::weights($tree), static function (array $weights) use ($most): int {
            rsort($weights);

            return $weights[$most] + 1;
        });
    }

    /**
     * @return array<int, int> per node what it and all below it cost, or freed: nobody weighs more than who called it
     */
    private static function weights(CallTree $tree): array
    {
        return $tree->addUp(array_map(abs(...), $tree->exclusive($tree->metrics()[0])));
    }

    /**
     * @param array<int, int>                $weights handed over, not kept: a large tree must not take more than it needs
     * @param \Closure(array<int, int>): int $least   the weight from which a node is kept
     */
    private static function keeping(CallTree $tree, array $weights, \Closure $least): self
    {
        $limit = max(1, $least($weights));
        $small = count($tree->names);
        // Per node the node of the new tree that takes its figures.
        $target = [];
        $fn = [];
        $depth = [];
        $open = [];
        $rest = [];
        $current = 0;
        $cut = PHP_INT_MAX;
        foreach ($tree->depth as $node => $level) {
            if ($level > $cut) {
                $target[] = $current;
                continue;
            }
            $isSmall = $level > 0 && $weights[$node] < $limit;
            $cut = $isSmall ? $level : PHP_INT_MAX;
            $current = $isSmall ? $rest[$open[$level - 1]] ?? count($fn) : count($fn);
            if ($current === count($fn)) {
                $fn[] = $isSmall ? $small : $tree->fn[$node];
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
        $data = ['names' => [...$tree->names, self::NAME], 'fn' => $fn, 'depth' => $depth];
        foreach (TreeMean::columnsOf($tree) as $name => $column) {
            $sums = array_fill(0, count($fn), 0);
            foreach ($column as $node => $figure) {
                $sums[$target[$node]] += $figure;
            }
            TreeMean::put($data, $name, $sums);
        }

        return new self(CallTree::fromArray($data), $tree->count() - count($fn));
    }
}
