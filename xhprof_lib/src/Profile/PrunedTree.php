<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * A call tree without the paths that hardly count: what is below a share of the whole becomes, per caller, one node "(small
 * paths)". All figures still add up to the whole.
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
        $inclusive = $tree->inclusive($tree->metrics()[0]);
        $limit = max(1, (int) ceil($inclusive[0] * $least));
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
            $isSmall = $level > 0 && $inclusive[$node] < $limit;
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
        unset($inclusive);
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
