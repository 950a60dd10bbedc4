<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Computes dominators: Lengauer and Tarjan's algorithm (1979) with path compression, without recursion. One part
 * of the graph at a time: first the part reachable from the roots, then the garbage, which dominates nothing that is alive.
 *
 * @internal
 */
final class Dominators
{
    /** @var array<int, int> by node: its number in depth-first order, from 1 over all parts; 0: not reached yet */
    private array $numbers;

    private int $reached = 0;

    public function __construct(private readonly HeapGraph $graph)
    {
        $this->numbers = $graph->nodes === 0 ? [] : array_fill(0, $graph->nodes, 0);
    }

    /** @return array<int, int> by node, 0: not reached; later parts have larger numbers */
    public function numbers(): array
    {
        return $this->numbers;
    }

    /**
     * Dominators of the nodes that these seeds reach and no earlier part has.
     *
     * @param array<int, int> $seeds
     * @return array{array<int, int>, array<int, int>} nodes by their number from 1 in this part, an ancestor in the tree always
     *     before; numbers of their dominators, 0 if only all seeds together dominate a node. Index 0 is not a node.
     */
    public function of(array $seeds): array
    {
        $base = $this->reached;
        [$vertex, $parent] = $this->search($seeds);
        $count = count($vertex) - 1;
        $semi = range(0, $count);
        foreach ($seeds as $seed) {
            if ($this->numbers[$seed] > $base) {
                $semi[$this->numbers[$seed] - $base] = 0;
            }
        }
        $label = range(0, $count);
        $ancestor = array_fill(0, $count + 1, -1);
        $bucket = array_fill(0, $count + 1, 0);
        $next = array_fill(0, $count + 1, 0);
        $dominator = array_fill(0, $count + 1, 0);
        $numbers = $this->numbers;
        $kinds = $this->graph->kinds;
        $from = $this->graph->from();
        $into = $this->graph->into();

        for ($w = $count; $w > 0; $w--) {
            $least = $semi[$w];
            $end = $into[$vertex[$w] + 1];
            for ($at = $into[$vertex[$w]]; $at < $end && $least > 0; $at++) {
                $u = $numbers[$from[$at] >> 32] - $base;
                if ($u <= 0 || $kinds[$from[$at] & 0xFFFFFFFF] >= HeapGraph::WEAK) {
                    continue;
                }
                if ($ancestor[$u] >= 0) {
                    if ($ancestor[$ancestor[$u]] >= 0) {
                        self::compress($u, $ancestor, $label, $semi);
                    }
                    $u = $semi[$label[$u]];
                }
                if ($u < $least) {
                    $least = $u;
                }
            }
            $semi[$w] = $least;
            $next[$w] = $bucket[$least];
            $bucket[$least] = $w;
            $up = $parent[$w];
            $ancestor[$w] = $up;
            for ($v = $bucket[$up]; $v > 0; $v = $next[$v]) {
                if ($ancestor[$ancestor[$v]] >= 0) {
                    self::compress($v, $ancestor, $label, $semi);
                }
                $dominator[$v] = $semi[$label[$v]] < $up ? $label[$v] : $up;
            }
            $bucket[$up] = 0;
        }
        for ($w = 1; $w <= $count; $w++) {
            if ($dominator[$w] !== $semi[$w]) {
                $dominator[$w] = $dominator[$dominator[$w]];
            }
        }

        return [$vertex, $dominator];
    }

    /**
     * Depth-first search.
     *
     * @param array<int, int> $seeds
     * @return array{array<int, int>, array<int, int>} nodes by number, numbers of their parents
     */
    private function search(array $seeds): array
    {
        $base = $this->reached;
        $count = 0;
        $vertex = [-1];
        $parent = [0];
        $to = $this->graph->to;
        $kinds = $this->graph->kinds;
        $first = $this->graph->first;
        $cursor = $first;
        foreach ($seeds as $seed) {
            if ($this->numbers[$seed] !== 0) {
                continue;
            }
            $this->numbers[$seed] = ++$count + $base;
            $vertex[] = $seed;
            $parent[] = 0;
            for ($current = $count; $current > 0;) {
                $node = $vertex[$current];
                $end = $first[$node + 1];
                for ($at = $cursor[$node]; $at < $end; $at++) {
                    if ($kinds[$at] >= HeapGraph::WEAK) {
                        continue;
                    }
                    $found = unpack('V', $to, $at << 2)[1] ?? 0;
                    if ($this->numbers[$found] === 0) {
                        $this->numbers[$found] = ++$count + $base;
                        $vertex[] = $found;
                        $parent[] = $current;
                        $cursor[$node] = $at + 1;
                        $current = $count;
                        continue 2;
                    }
                }
                $cursor[$node] = $end;
                $current = $parent[$current];
            }
        }
        $this->reached += $count;

        return [$vertex, $parent];
    }

    /**
     * @param array<int, int> $ancestor
     * @param array<int, int> $label
     * @param array<int, int> $semi
     */
    private static function compress(int $node, array &$ancestor, array &$label, array $semi): void
    {
        $chain = [];
        while ($ancestor[$ancestor[$node]] >= 0) {
            $chain[] = $node;
            $node = $ancestor[$node];
        }
        for ($at = count($chain) - 1; $at >= 0; $at--) {
            $node = $chain[$at];
            $up = $ancestor[$node];
            if ($semi[$label[$up]] < $semi[$label[$node]]) {
                $label[$node] = $label[$up];
            }
            $ancestor[$node] = $ancestor[$up];
        }
    }
}
