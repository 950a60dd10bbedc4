<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * A part of a call tree, with the largest of its paths: what a reader of a tree that was too large to be read at once asks for
 * next. A part is named by steps, "120~7": the paths from node 120 on, then of these the ones that were left out below node 7. A
 * node is always named by its number in the whole tree. Without a first number the first step is the whole tree.
 */
final class TreePart
{
    /** A step leaves out less than the one before: a tree that is worth reading needs few. */
    private const MAX_STEPS = 40;

    /**
     * @param list<int>|null $origin per node that of the whole tree, as PrunedTree has it; null: the same
     */
    private function __construct(
        public readonly CallTree $tree,
        public readonly ?array $origin,
        public readonly int $nodes,
    ) {
    }

    /**
     * @param int      $most most nodes of a part, see PrunedTree
     * @param string   $steps '' for the whole tree
     * @param int[]    $kept nodes that stay in any case
     *
     * @throws InvalidProfile if the tree has no such part
     */
    public static function select(CallTree $tree, int $most, string $steps = '', array $kept = []): self
    {
        if (preg_match('/\A[0-9]{0,9}(?:~[0-9]{1,9})*+\z/', $steps) !== 1 || substr_count($steps, '~') > self::MAX_STEPS) {
            throw new InvalidProfile('this names no part of a call tree');
        }
        $steps = explode('~', $steps);
        $first = array_shift($steps);
        $origin = null;
        if ($first !== '') {
            $node = self::found($tree, (int) $first);
            $origin = range($node, $tree->end($node) - 1);
            $tree = $tree->part($origin);
        }
        foreach ($steps as $step) {
            $node = self::found($tree, $origin === null ? (int) $step : array_search((int) $step, $origin, true));
            $nodes = PrunedTree::largest($tree, $most, $kept)->leftOut($tree, $node);
            if ($nodes === []) {
                throw new InvalidProfile('nothing was left out there');
            }
            array_unshift($nodes, $node);
            $tree = $tree->part($nodes, false);
            $origin = $origin === null ? $nodes : array_map(static fn (int $node): int => $origin[$node], $nodes);
        }
        $pruned = PrunedTree::largest($tree, $most, $kept);
        if ($origin !== null && $pruned->origin !== null) {
            $origin = array_map(
                static fn (int $node): int => $node < 0 ? ~$origin[~$node] : $origin[$node],
                $pruned->origin,
            );
        }

        return new self($pruned->tree, $origin ?? $pruned->origin, $pruned->nodes);
    }

    /**
     * @return list<int> the origins as runs: the first number of each, and how many follow each other from there on
     */
    public function runs(): array
    {
        $runs = [];
        $origins = $this->origin ?? range(0, $this->tree->count() - 1);
        $first = $next = $origins[0];
        foreach ($origins as $origin) {
            if ($origin !== $next || $origin < 0) {
                array_push($runs, $first, max(1, $next - $first));
                $first = $origin;
            }
            $next = $origin < 0 ? $origin : $origin + 1;
        }

        return [...$runs, $first, max(1, $next - $first)];
    }

    /** @throws InvalidProfile */
    private static function found(CallTree $tree, int|string|false $node): int
    {
        return is_int($node) && $node < $tree->count() ? $node : throw new InvalidProfile('the call tree has no such node');
    }
}
