<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use Random\Engine\Mt19937;
use Random\Randomizer;
use XHProf\Profile\CallTree;
use XHProf\Profile\PrunedTree;

/** A tree that is too large keeps the heaviest paths, as many as the bound allows, and loses no figure. */
final class PrunedTreeTest extends TestCase
{
    /**
     * @param int $weights number of different own times: with few, most nodes have the same weight
     */
    private static function tree(int $nodes, int $weights): CallTree
    {
        $random = new Randomizer(new Mt19937(7));
        $depth = [0];
        while (count($depth) < $nodes) {
            $depth[] = $random->getInt(1, $depth[count($depth) - 1] + 1);
        }

        return CallTree::fromArray([
            'names' => ['main()', 'f', 'g'],
            'fn' => [0, ...array_map(static fn (): int => $random->getInt(1, 2), array_fill(0, $nodes - 1, 0))],
            'depth' => $depth,
            'ct' => array_fill(0, $nodes, 1),
            'self' => ['wt' => array_map(static fn (): int => $random->getInt(0, $weights - 1), $depth)],
        ]);
    }

    public function testAsManyPathsAreKeptAsMayBe(): void
    {
        foreach ([1, 2, 1000] as $weights) {
            $tree = self::tree(300, $weights);
            foreach ([1, 2, 37, 150, 299] as $most) {
                $pruned = PrunedTree::largest($tree, $most);
                $small = array_search(PrunedTree::NAME, $pruned->tree->names, true);
                $kept = array_keys(array_filter($pruned->tree->fn, static fn (int $fn): bool => $fn !== $small));
                self::assertCount($most, $kept, "$most of 300, $weights weights");
                self::assertSame(300, $pruned->tree->count() + $pruned->nodes);
                self::assertSame(array_sum($tree->self['wt']), array_sum($pruned->tree->self['wt']));
                self::assertSame(array_sum($tree->ct), array_sum($pruned->tree->ct));
                $before = $tree->inclusive('wt');
                rsort($before);
                $after = array_intersect_key($pruned->tree->inclusive('wt'), array_flip($kept));
                rsort($after);
                self::assertSame(array_slice($before, 0, $most), $after, 'the heaviest ones');
            }
            self::assertSame($tree, PrunedTree::largest($tree, 300)->tree);
        }
    }

    public function testSmallPathsBecomeOneNodePerCaller(): void
    {
        $pruned = PrunedTree::largest(CallTree::fromArray([
            'names' => ['main()', 'small', 'smaller', 'x', 'large', 'tiny'],
            'fn' => [0, 1, 2, 3, 4, 1, 5],
            'depth' => [0, 1, 2, 3, 1, 2, 1],
            'ct' => [1, 1, 5, 1, 2, 9, 7],
            'self' => ['wt' => [1000, 3, 2, 1, 500, 4, 1]],
        ]), 2)->tree;
        self::assertSame(
            ['main()', PrunedTree::NAME, 'large', PrunedTree::NAME],
            array_map(static fn (int $fn): string => $pruned->names[$fn], $pruned->fn),
        );
        self::assertSame([[0, 1, 1, 2], [1, 14, 2, 9], [1000, 7, 500, 4]], [$pruned->depth, $pruned->ct, $pruned->self['wt']]);
    }

    public function testPathsBelowAShareBecomeTheirCallersOwn(): void
    {
        foreach ([2, 1000] as $weights) {
            $tree = self::tree(300, $weights);
            $inclusive = $tree->inclusive('wt');
            foreach ([0.001, 0.01, 0.1, 0.5, 1.0] as $share) {
                $kept = array_keys(array_filter($inclusive, static fn (int $wt): bool => $wt >= $share * $inclusive[0]));
                $pruned = PrunedTree::above($tree, $share);
                $of = static fn (array $column): array => array_map(static fn (int $node): mixed => $column[$node], $kept);
                self::assertSame($of($inclusive), $pruned->tree->inclusive('wt'), "$share, $weights weights");
                self::assertSame([$of($tree->depth), $of($tree->ct)], [$pruned->tree->depth, $pruned->tree->ct]);
                $name = static fn (CallTree $tree): array => array_map(static fn (int $fn): string => $tree->names[$fn], $tree->fn);
                self::assertSame($of($name($tree)), $name($pruned->tree));
                self::assertCount(count(array_unique($pruned->tree->fn)), $pruned->tree->names, 'no name of what went');
                self::assertSame(300, $pruned->tree->count() + $pruned->nodes);
            }
            self::assertSame($tree, PrunedTree::above($tree, 0.0)->tree);
        }
    }

    public function testWhatGaveMemoryBackIsNotSmall(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'frees', 'tiny'],
            'fn' => [0, 1, 2],
            'depth' => [0, 1, 1],
            'ct' => [1, 1, 9],
            'self' => ['mu' => [500, -400, 3], 'allocated_bytes' => [1, 2, 4]],
            'corrected' => [],
        ]);
        $pruned = PrunedTree::above($tree, 0.1)->tree;
        self::assertSame([['main()', 'frees'], [1, 1]], [$pruned->names, $pruned->ct]);
        self::assertSame([[503, -400], [5, 2]], [$pruned->self['mu'], $pruned->allocations['allocated_bytes']]);
    }
}
