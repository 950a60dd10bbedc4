<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\CallTree;

/**
 * A call tree without its smallest paths: what is left out below a function is one callee of it, with all their figures.
 */
final class PrunedTree
{
    public const LEFT_OUT = '(left out)';

    /**
     * @param CallTree $tree  stays as it is where it is small enough
     * @param int      $nodes that are to be kept; some more are there to stand for the others
     */
    public static function of(CallTree $tree, int $nodes): CallTree
    {
        if ($tree->count() <= $nodes) {
            return $tree;
        }
        $metric = $tree->metrics()[0] ?? 'wt';
        $inclusive = $tree->addUp(array_map(abs(...), $tree->exclusive($metric)));
        $sorted = $inclusive;
        rsort($sorted);
        $least = $sorted[$nodes];
        // Kept is who is larger; who is not has nobody below who is.
        $columns = ['ct' => $tree->ct] + self::prefixed('self.', $tree->self + $tree->allocations)
            + self::prefixed('corrected.', $tree->corrected);
        $kept = array_fill_keys(['fn', 'depth', ...array_keys($columns)], []);
        $at = -1;
        $skipped = PHP_INT_MAX;
        foreach ($tree->depth as $node => $depth) {
            $isKept = $node === 0 || $inclusive[$node] > $least;
            if ($isKept) {
                $skipped = PHP_INT_MAX;
                $kept['fn'][++$at] = $tree->fn[$node];
                $kept['depth'][$at] = $depth;
            } elseif ($depth <= $skipped && !($at >= 0 && $skipped === $depth)) {
                $skipped = $depth;
                $kept['fn'][++$at] = count($tree->names);
                $kept['depth'][$at] = $depth;
            }
            foreach ($columns as $key => $column) {
                $kept[$key][$at] = ($kept[$key][$at] ?? 0) + $column[$node];
            }
        }

        return self::tree([...$tree->names, self::LEFT_OUT], $kept);
    }

    /**
     * @param array<string, list<int>> $columns
     *
     * @return array<string, list<int>>
     */
    private static function prefixed(string $prefix, array $columns): array
    {
        $prefixed = [];
        foreach ($columns as $key => $column) {
            $prefixed[$prefix . $key] = $column;
        }

        return $prefixed;
    }

    /**
     * @param list<string>                   $names
     * @param array<string, array<int, int>> $columns "fn", "self.wt"...
     */
    private static function tree(array $names, array $columns): CallTree
    {
        $data = ['names' => $names];
        foreach ($columns as $key => $column) {
            if (str_contains($key, '.')) {
                [$group, $metric] = explode('.', $key, 2);
                $data[$group][$metric] = array_values($column);
            } else {
                $data[$key] = array_values($column);
            }
        }

        return CallTree::fromArray($data);
    }
}
