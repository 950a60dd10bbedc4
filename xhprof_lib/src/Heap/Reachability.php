<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Reachability: shortest paths from the roots, and first nodes of the paths through garbage.
 *
 * @internal
 */
final class Reachability
{
    /** @var array<int, int> by node: the one before it on the shortest path, NONE of seeds; -1: not reached */
    public array $up;

    /** @var array<int, int> by node: the reference that leads to it on that path */
    public array $edge;

    public function __construct(private readonly HeapGraph $graph)
    {
        $this->up = $graph->nodes === 0 ? [] : array_fill(0, $graph->nodes, -1);
        $this->edge = $graph->nodes === 0 ? [] : array_fill(0, $graph->nodes, HeapGraph::NONE);
    }

    /**
     * Searches breadth first and keeps what earlier calls reached.
     *
     * @param array<int, int> $seeds the first seed wins at equal distance
     */
    public function searchFrom(array $seeds): void
    {
        $queue = [];
        foreach ($seeds as $seed) {
            if ($this->up[$seed] < 0) {
                $this->up[$seed] = HeapGraph::NONE;
                $queue[] = $seed;
            }
        }
        $first = $this->graph->first;
        $kinds = $this->graph->kinds;
        $to = $this->graph->to;
        for ($head = 0; $queue !== []; $head = 0) {
            // One level at a time: finished levels are freed.
            $level = $queue;
            $queue = [];
            for ($count = count($level); $head < $count; $head++) {
                $node = $level[$head];
                $end = $first[$node + 1];
                for ($at = $first[$node]; $at < $end; $at++) {
                    if ($kinds[$at] >= HeapGraph::WEAK) {
                        continue;
                    }
                    $found = unpack('V', $to, $at << 2)[1] ?? 0;
                    if ($this->up[$found] < 0) {
                        $this->up[$found] = $node;
                        $this->edge[$found] = $at;
                        $queue[] = $found;
                    }
                }
            }
        }
    }

    /**
     * The fewest nodes from which all nodes not yet reached can be reached: single ones, or one of each cycle, that nothing
     * else leads to. Of a cycle the first one in the file.
     *
     * @return array<int, int>
     */
    public function heads(): array
    {
        /** @var array<int, int> $seen */
        $seen = [];
        /** @var array<int, int> $finished */
        $finished = [];
        for ($node = 0; $node < $this->graph->nodes; $node++) {
            if ($this->up[$node] < 0 && !isset($seen[$node])) {
                $this->searchDepthFirst($node, $seen, $finished);
            }
        }
        // The last node finished in depth-first order leads to others, and none of those left leads to it (Kosaraju).
        $heads = [];
        /** @var array<int, int> $known */
        $known = [];
        for ($at = count($finished) - 1; $at >= 0; $at--) {
            if (!isset($known[$finished[$at]])) {
                $heads[] = $finished[$at];
                /** @var array<int, int> $nothing */
                $nothing = [];
                $this->searchDepthFirst($finished[$at], $known, $nothing);
            }
        }
        sort($heads);

        return $heads;
    }

    /**
     * @param array<int, int> $seen     nodes, with where their next reference is
     * @param array<int, int>       $finished
     */
    private function searchDepthFirst(int $node, array &$seen, array &$finished): void
    {
        $stack = [$node];
        $seen[$node] = $this->graph->first[$node];
        while ($stack !== []) {
            $node = $stack[count($stack) - 1];
            $end = $this->graph->first[$node + 1];
            for ($at = $seen[$node]; $at < $end; $at++) {
                if ($this->graph->kinds[$at] >= HeapGraph::WEAK) {
                    continue;
                }
                $found = (int) (unpack('V', $this->graph->to, $at << 2)[1] ?? 0);
                if ($this->up[$found] < 0 && !isset($seen[$found])) {
                    $seen[$node] = $at + 1;
                    $seen[$found] = $this->graph->first[$found];
                    $stack[] = $found;
                    continue 2;
                }
            }
            array_pop($stack);
            $finished[] = $node;
        }
    }
}
