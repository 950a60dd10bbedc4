<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\TestCase;
use XHProf\Heap\Dominators;
use XHProf\Heap\HeapGraph;
use XHProf\Heap\Reachability;

/**
 * Dominators and paths on random graphs, against a model that removes each node in turn.
 */
final class HeapGraphTest extends TestCase
{
    private const SEEDS = 400;

    /**
     * @return array<int, list<array{int, string}>>
     */
    private static function random(int $nodes, int $references): array
    {
        $kinds = [HeapGraph::NAMED, HeapGraph::INDEX, HeapGraph::PART, HeapGraph::NAMED, HeapGraph::WEAK, HeapGraph::WEAK_INDEX];
        $graph = array_fill(0, $nodes, []);
        for ($i = 0; $i < $references; $i++) {
            $graph[mt_rand(0, $nodes - 1)][] = [mt_rand(0, $nodes - 1), $kinds[mt_rand(0, count($kinds) - 1)]];
        }
        foreach (array_keys($graph) as $node) {
            if (mt_rand(0, 3) === 0) {
                $graph[$node][] = [mt_rand(0, 1 << 31), HeapGraph::SCALAR];
            }
        }

        return $graph;
    }

    /**
     * @param array<int, list<array{int, string}>> $graph
     * @param array<int, int> $seeds
     * @param array<int, bool> $without
     * @return array<int, int> distance by node
     */
    private static function reached(array $graph, array $seeds, array $without = []): array
    {
        $distance = [];
        $queue = [];
        foreach ($seeds as $seed) {
            if (!isset($without[$seed]) && !isset($distance[$seed])) {
                $distance[$seed] = 0;
                $queue[] = $seed;
            }
        }
        while ($queue !== []) {
            $node = array_shift($queue);
            foreach ($graph[$node] as [$to, $kind]) {
                if ($kind < HeapGraph::WEAK && !isset($without[$to]) && !isset($distance[$to])) {
                    $distance[$to] = $distance[$node] + 1;
                    $queue[] = $to;
                }
            }
        }

        return $distance;
    }

    /**
     * @param array{array<int, int>, array<int, int>} $found
     * @return array<int, list<int>> by node: all that dominate it, without itself, in order
     */
    private static function chains(array $found): array
    {
        [$vertex, $dominator] = $found;
        $chains = [];
        for ($at = 1; $at < count($vertex); $at++) {
            $chain = [];
            for ($up = $dominator[$at]; $up > 0; $up = $dominator[$up]) {
                self::assertLessThan($at, $up, 'a dominator comes before');
                $chain[] = $vertex[$up];
            }
            sort($chain);
            $chains[$vertex[$at]] = $chain;
        }
        ksort($chains);

        return $chains;
    }

    /**
     * @param array<int, list<array{int, string}>> $graph
     * @param array<int, int> $seeds
     * @param array<int, bool> $without
     * @return array<int, list<int>>
     */
    private static function chainsByRemoval(array $graph, array $seeds, array $without = []): array
    {
        $all = self::reached($graph, $seeds, $without);
        $chains = array_fill_keys(array_keys($all), []);
        foreach (array_keys($all) as $node) {
            $left = self::reached($graph, $seeds, $without + [$node => true]);
            foreach (array_keys(array_diff_key($all, $left)) as $lost) {
                if ($lost !== $node) {
                    $chains[$lost][] = $node;
                }
            }
        }
        array_walk($chains, static fn (array &$chain): bool => sort($chain));
        ksort($chains);

        return $chains;
    }

    public function testDominatorsMatchReachabilityByRemoval(): void
    {
        for ($seed = 1; $seed <= self::SEEDS; $seed++) {
            mt_srand($seed);
            $nodes = mt_rand(1, 24);
            $graph = self::random($nodes, mt_rand(0, 3 * $nodes));
            $roots = array_values(array_unique([0, ...($seed % 3 === 0 ? [mt_rand(0, $nodes - 1), mt_rand(0, $nodes - 1)] : [])]));
            $heap = HeapGraph::fromReferences($graph);
            $dominators = new Dominators($heap);
            self::assertSame(self::chainsByRemoval($graph, $roots), self::chains($dominators->of($roots)), "graph $seed");

            // Garbage may refer to live nodes, but dominates none of them.
            $live = array_fill_keys(array_keys(self::reached($graph, $roots)), true);
            $reach = new Reachability($heap);
            $reach->searchFrom($roots);
            $heads = $reach->heads();
            $expected = self::chainsByRemoval($graph, $heads, $live);
            self::assertSame($expected, self::chains($dominators->of($heads)), "garbage of graph $seed");
            self::assertCount($nodes, $live + $expected, 'all is reached');
            foreach ($heads as $head) {
                $others = array_values(array_diff($heads, [$head]));
                self::assertArrayNotHasKey($head, self::reached($graph, $others, $live), "graph $seed: as few heads as can be");
            }
        }
    }

    public function testPathsFromTheRootsAreShortest(): void
    {
        for ($seed = 1; $seed <= self::SEEDS; $seed++) {
            mt_srand($seed);
            $nodes = mt_rand(1, 60);
            $graph = self::random($nodes, mt_rand(0, 4 * $nodes));
            $heap = HeapGraph::fromReferences($graph);
            $reach = new Reachability($heap);
            $reach->searchFrom([0]);
            $distances = self::reached($graph, [0]);
            for ($node = 0; $node < $nodes; $node++) {
                if (!isset($distances[$node])) {
                    self::assertSame(-1, $reach->up[$node]);
                    continue;
                }
                $length = 0;
                for ($at = $node; $reach->up[$at] !== HeapGraph::NONE; $at = $reach->up[$at]) {
                    $edge = $reach->edge[$at] - $heap->first[$reach->up[$at]];
                    self::assertSame($at, $graph[$reach->up[$at]][$edge][0], 'the reference leads there');
                    self::assertLessThan(HeapGraph::WEAK, $graph[$reach->up[$at]][$edge][1]);
                    $length++;
                }
                self::assertSame($distances[$node], $length, "graph $seed, node $node");
            }
        }
    }

    public function testReferencesBackwards(): void
    {
        mt_srand(7);
        $graph = self::random(200, 900);
        $heap = HeapGraph::fromReferences($graph);
        $expected = [];
        $number = 0;
        foreach ($graph as $node => $references) {
            foreach ($references as [$to, $kind]) {
                if ($kind < HeapGraph::SCALAR) {
                    $expected[$to][] = [$node, $number];
                }
                $number++;
            }
        }
        $into = $heap->into();
        for ($node = 0; $node < 200; $node++) {
            $found = array_slice($heap->from(), $into[$node], $into[$node + 1] - $into[$node]);
            $found = array_map(static fn (int $both): array => [$both >> 32, $both & 0xFFFFFFFF], $found);
            self::assertSame($expected[$node] ?? [], $found);
        }
    }

    /** Deep graphs, on which recursion or a quadratic algorithm would not end. */
    public function testDeepAndWide(): void
    {
        $nodes = 100000;
        $graph = [];
        for ($i = 0; $i < $nodes; $i++) {
            // a doubly linked list with leaps: each node is referred to from before and behind
            $graph[] = [
                [min($nodes - 1, $i + 1), HeapGraph::NAMED],
                [max(0, $i - 1), HeapGraph::NAMED],
                [intdiv($i, 2), HeapGraph::NAMED],
            ];
        }
        $heap = HeapGraph::fromReferences($graph);
        unset($graph);
        [$vertex, $dominator] = (new Dominators($heap))->of([0]);
        self::assertCount($nodes + 1, $vertex);
        for ($at = 2; $at <= $nodes; $at++) {
            self::assertSame($vertex[$at] - 1, $vertex[$dominator[$at]]);
        }
    }

    public function testAnEmptyGraph(): void
    {
        $heap = HeapGraph::fromReferences([]);
        self::assertSame([[-1], [0]], (new Dominators($heap))->of([]));
        self::assertSame([], (new Reachability($heap))->heads());
        self::assertSame([], $heap->from());
    }
}
