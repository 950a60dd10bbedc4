<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * The largest parts of the dominator tree below a node: few enough to be drawn, and to be read from the index at once.
 *
 * @internal
 */
final class RetainedTree
{
    /** Children of a node, nodes in all, levels. */
    private const CHILDREN = 30;
    private const NODES = 300;
    private const DEPTH = 8;

    /** A part with a smaller share of the whole has no area that can be seen. */
    private const SHARE = 0.001;

    /** Share of the least listed size from which the tooltip of an area names what its parts are that are not listed. */
    private const NAMED = 0.05;

    /** Nodes whose kinds stand for those of all that are not listed. */
    private const SAMPLE = 200;

    public function __construct(private readonly NodeLinks $links)
    {
    }

    /** @param int $bytes of the heap, for the top */
    public function below(?HeapNode $node, int $bytes): RetainedBranch
    {
        $top = $node === null
            ? new RetainedBranch(null, '', $bytes, $this->links->topCount())
            : new RetainedBranch($node, '', $node->retained, $node->dominated);
        $least = max(1, (int) ($top->bytes * self::SHARE));
        $left = self::NODES;
        /** @var \SplPriorityQueue<int, array{RetainedBranch, int}> $largest with their levels */
        $largest = new \SplPriorityQueue();
        $largest->insert([$top, 0], $top->bytes);
        while ($left > 0 && !$largest->isEmpty()) {
            /** @var array{RetainedBranch, int} $next */
            $next = $largest->extract();
            [$branch, $depth] = $next;
            foreach ($this->links->dominated($branch->node, 0, min(self::CHILDREN, $left)) as $child) {
                if ($child->retained < $least) {
                    break;
                }
                $by = $branch->node === null ? '' : $this->links->heldBy($child, $branch->node);
                $part = new RetainedBranch($child, $by, $child->retained, $child->dominated);
                $branch->children[] = $part;
                $branch->more--;
                $branch->moreBytes -= $child->retained;
                $left--;
                if ($depth + 1 < self::DEPTH && $child->dominated > 0) {
                    $largest->insert([$part, $depth + 1], $child->retained);
                }
            }
            if ($branch->node !== null && $branch->more > 0 && $branch->moreBytes >= $least * self::NAMED) {
                $listed = count($branch->children);
                $kinds = $this->links->dominatedKinds($branch->node, $listed, self::SAMPLE);
                $branch->kinds = array_map(strval(...), array_keys($kinds));
                $branch->moreType = $this->links->dominatedType($branch->node, $listed, self::SAMPLE);
            }
        }

        return $top;
    }
}
