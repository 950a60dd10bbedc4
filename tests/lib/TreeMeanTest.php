<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\CallTreeBuilder;
use XHProf\Profile\TreeMean;

final class TreeMeanTest extends TestCase
{
    /**
     * @param list<array{0: int, 1: string, 2: int, 3: int}> $nodes depth, name, calls, own nanoseconds
     * @param array<string, mixed> $more
     */
    private static function tree(array $nodes, array $more = []): CallTree
    {
        $names = array_values(array_unique(array_column($nodes, 1)));

        return CallTree::fromArray($more + [
            'names' => $names,
            'fn' => array_map(static fn (array $node): int => (int) array_search($node[1], $names, true), $nodes),
            'depth' => array_column($nodes, 0),
            'ct' => array_column($nodes, 2),
            'self' => ['wt' => array_column($nodes, 3)],
        ]);
    }

    /**
     * @param list<CallTree> $trees
     * @param list<int> $weights
     */
    private static function mean(array $trees, array $weights = []): CallTree
    {
        $readers = array_map(static fn (CallTree $tree): \Closure => static fn (): CallTree => $tree, $trees);

        return TreeMean::compute($readers, $weights);
    }

    /** @return array<string, array{int, int}> path => calls and own time */
    private static function paths(CallTree $tree): array
    {
        $paths = [];
        $open = [];
        foreach ($tree->fn as $node => $index) {
            $open = [...array_slice($open, 0, $tree->depth[$node]), $tree->names[$index]];
            $path = implode('/', $open);
            self::assertArrayNotHasKey($path, $paths, 'one node per path');
            $paths[$path] = [$tree->ct[$node], $tree->self['wt'][$node]];
        }

        return $paths;
    }

    public function testPathsAreAddedWhereTheyAreTheSame(): void
    {
        $a = self::tree([[0, 'main()', 1, 10], [1, 'f', 2, 100], [2, 'g', 4, 40], [1, 'h', 1, 7]]);
        $b = self::tree([[0, 'main()', 1, 20], [1, 'h', 3, 9], [2, 'g', 2, 6], [1, 'f', 4, 300]]);
        self::assertSame([
            'main()' => [1, 15],
            'main()/f' => [3, 200],
            'main()/f/g' => [2, 20],
            'main()/h' => [2, 8],
            'main()/h/g' => [1, 3],
        ], self::paths(self::mean([$a, $b])));
    }

    public function testWeights(): void
    {
        $a = self::tree([[0, 'main()', 1, 100]]);
        $b = self::tree([[0, 'main()', 5, 500]]);
        self::assertSame(['main()' => [4, 400]], self::paths(self::mean([$a, $b], [1, 3])));
        self::assertSame(['main()' => [1, 100]], self::paths(self::mean([$a, $b], [1, 0])));
        $this->expectException(InvalidProfile::class);
        self::mean([$a, $b], [0, 0]);
    }

    public function testTheMeanAddsUpToTheMeanOfTheWhole(): void
    {
        mt_srand(11);
        $trees = [];
        $sum = ['ct' => 0, 'wt' => 0];
        foreach (range(1, 7) as $run) {
            $nodes = [[0, 'main()', 1, mt_rand(0, 5)]];
            for ($i = 0, $depth = 0; $i < 300; $i++) {
                $depth = mt_rand(1, min(9, $depth + 1));
                $nodes[] = [$depth, 'f' . mt_rand(0, 60), mt_rand(0, 2), mt_rand(0, 5)];
            }
            $sum['ct'] += array_sum(array_column($nodes, 2));
            $sum['wt'] += array_sum(array_column($nodes, 3));
            $trees[] = self::tree($nodes);
        }
        $mean = self::mean($trees);
        self::assertSame(intdiv($sum['wt'], 7), array_sum($mean->self['wt']));
        self::assertSame(intdiv($sum['ct'], 7), array_sum($mean->ct));
        self::assertSame([], array_filter($mean->self['wt'], static fn (int $figure): bool => $figure < 0));
    }

    public function testCallsAreDividedFunctionByFunction(): void
    {
        $nodes = [[0, 'main()', 1, 10]];
        for ($i = 0; $i < 50; $i++) {
            array_push($nodes, [1, "p$i", 2, 1], [2, 'f', 1, 1], [2, 'g', 1, 1]);
        }
        $mean = self::mean([self::tree($nodes), self::tree([[0, 'main()', 1, 10]])]);
        $calls = [];
        foreach ($mean->fn as $node => $fn) {
            $calls[$mean->names[$fn]] = ($calls[$mean->names[$fn]] ?? 0) + $mean->ct[$node];
        }
        self::assertSame([1, 25, 25, 1], [$calls['main()'], $calls['f'], $calls['g'], $calls['p49']]);
    }

    public function testMemoryThatIsGivenBackIsDividedToo(): void
    {
        $more = ['self' => ['wt' => [1, 1], 'mu' => [-7, 4]]];
        $mean = self::mean([
            self::tree([[0, 'main()', 1, 1], [1, 'f', 1, 1]], $more),
            self::tree([[0, 'main()', 1, 1], [1, 'f', 1, 1]], ['self' => ['wt' => [1, 1], 'mu' => [2, 2]]]),
        ]);
        self::assertSame([-3, 3], $mean->self['mu'], 'rounded on the sum: -5/2, then 1/2');
    }

    public function testOnlyWhatAllHave(): void
    {
        $nodes = [[0, 'main()', 1, 10]];
        $with = self::tree($nodes, ['self' => ['wt' => [10], 'cpu' => [4], 'live_bytes' => [3]], 'corrected' => ['wt' => [9]]]);
        $mean = self::mean([$with, self::tree($nodes), $with]);
        self::assertSame(['wt'], array_keys($mean->self));
        self::assertSame([[], []], [$mean->corrected, $mean->allocations]);
        $all = self::mean([$with, $with]);
        self::assertSame(['wt' => [9]], $all->corrected);
        self::assertSame(['live_bytes' => [3]], $all->allocations);
        self::assertSame([4], $all->self['cpu']);
        $this->expectExceptionMessage('has no metrics');
        self::mean([self::tree($nodes), self::tree($nodes, ['self' => ['cpu' => [1]]])]);
    }

    public function testNamesLikeNumbersAndOtherRoots(): void
    {
        $names = ['012', '-0', '1.5', '+1', '1e3', ' 1', '9223372036854775808'];
        $tree = static fn (string $root, int $own): CallTree => self::tree([
            [0, $root, 1, $own],
            ...array_map(static fn (string $name): array => [1, $name, 1, $own], $names),
        ]);
        $expected = ['main()' => [1, 3]];
        foreach ($names as $name) {
            $expected["main()/$name"] = [1, 3];
        }
        self::assertSame($expected, self::paths(self::mean([$tree('main()', 2), $tree('start', 4)])));
    }

    public function testNoTreeHasANumberAsAName(): void
    {
        foreach (['12', '0', '-7', ''] as $name) {
            try {
                self::tree([[0, 'main()', 1, 2], [1, $name, 1, 2]]);
                self::fail("\"$name\" was taken");
            } catch (InvalidProfile $e) {
                self::assertStringContainsString('only a number', $e->getMessage());
            }
        }
    }

    public function testKeysOfManyCalleesAndManyCallersDoNotCollide(): void
    {
        $nodes = [[0, 'main()', 1, 1]];
        for ($i = 0; $i < 15000; $i++) {
            array_push($nodes, [1, "f$i", 1, 1], [2, 'g', 1, 1]);
        }
        $names = array_flip(array_values(array_unique(array_column($nodes, 1))));
        $tree = CallTree::fromArray([
            'names' => array_keys($names),
            'fn' => array_map(static fn (array $node): int => $names[$node[1]], $nodes),
            'depth' => array_column($nodes, 0),
            'ct' => array_column($nodes, 2),
            'self' => ['wt' => array_column($nodes, 3)],
        ]);
        self::assertSame(count($nodes), self::mean([$tree, $tree])->count());
        // PHP finds a key by its lower bits: those of a node's callees differ, and so do those of a function's callers.
        $functions = (new \ReflectionClassConstant(CallTreeBuilder::class, 'FUNCTIONS'))->getValue();
        self::assertIsInt($functions);
        foreach ([[1, 0], [0, 1]] as [$callee, $caller]) {
            $keys = array_map(static fn (int $i): int => $i * $caller * $functions + $i * $callee, range(0, 65535));
            $slots = array_unique(array_map(static fn (int $key): int => $key & 0xffff, $keys));
            self::assertCount(65536, $slots);
        }
    }

    public function testNothingToMakeAMeanOf(): void
    {
        $this->expectException(InvalidProfile::class);
        TreeMean::compute([]);
    }

    public function testOneTreeIsLetGoBeforeTheNextIsRead(): void
    {
        $last = null;
        $alive = 0;
        $read = static function () use (&$last, &$alive): CallTree {
            $alive += $last?->get() === null ? 0 : 1;
            $tree = self::tree([[0, 'main()', 1, 1]]);
            $last = \WeakReference::create($tree);

            return $tree;
        };
        TreeMean::compute([$read, $read, $read]);
        self::assertSame(0, $alive);
    }
}
