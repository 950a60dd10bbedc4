<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\UnknownMetric;
use XHProf\Functions\FlatReport;
use XHProf\Profile\CallTree;

final class CallTreeTest extends TestCase
{
    /**
     * main() { run_init::x.php { f { f { g } } g } g }, nanoseconds; the whole is 10000 ns.
     *
     * @return array<string, mixed>
     */
    private static function data(): array
    {
        return [
            'names' => ['main()', 'run_init::x.php', 'f', 'g'],
            'fn' => [0, 1, 2, 2, 3, 3, 3],
            'depth' => [0, 1, 2, 3, 4, 2, 1],
            'ct' => [1, 1, 2, 2, 6, 1, 4],
            'self' => [
                'wt' => [1000, 500, 2500, 1999, 1001, 1500, 1500],
                'mu' => [10, 0, -4, 8, 0, 100, 1],
            ],
        ];
    }

    public function testColumns(): void
    {
        $tree = CallTree::fromArray(self::data());
        self::assertSame(7, $tree->count());
        self::assertSame(['wt', 'mu'], $tree->metrics());
        self::assertSame('g', $tree->names[$tree->fn[4]]);
    }

    public function testLiveMemoryIsAllocatedLessFreed(): void
    {
        $data = self::data();
        $data['self'] += [
            'allocated_bytes' => [100, 0, 64, 0, 0, 32, 0], 'allocated_blocks' => [3, 0, 2, 0, 0, 1, 0],
            'freed_bytes' => [100, 0, 16, 0, 0, 0, 0], 'freed_blocks' => [3, 0, 1, 0, 0, 0, 0],
        ];
        $tree = CallTree::fromArray($data);
        self::assertSame([0, 0, 48, 0, 0, 32, 0], $tree->allocations['live_bytes']);
        self::assertSame([0, 0, 1, 0, 0, 1, 0], $tree->allocations['live_blocks']);
        self::assertSame($data['self'], $tree->toArray()['self']);
        self::assertArrayNotHasKey('self.live_bytes', $tree->columns());
        self::assertSame($tree->allocations, CallTree::fromArray($tree->toArray())->allocations);
        // Whatever a file says.
        $data['self']['live_bytes'] = [1, 2, 3, 4, 5, 6, 7];
        self::assertEquals($tree->allocations, CallTree::fromArray($data)->allocations);
    }

    public function testInclusive(): void
    {
        $tree = CallTree::fromArray(self::data());
        self::assertSame([10000, 7500, 5500, 3000, 1001, 1500, 1500], $tree->inclusive('wt'));
        self::assertSame([115, 104, 4, 8, 0, 100, 1], $tree->inclusive('mu'));
        $this->expectException(UnknownMetric::class);
        $tree->inclusive('cpu');
    }

    /**
     * Running sums in microseconds 1 1 4 5 7 8 10: exclusive 1 0 3 1 2 1 2. Edges come in the order their calls end.
     */
    public function testEdgesLeaveOutTopLevelCode(): void
    {
        self::assertSame([
            'f@1==>g' => ['ct' => 6, 'wt' => 2, 'mu' => 0],
            'f==>f@1' => ['ct' => 2, 'wt' => 3, 'mu' => 8],
            'main()==>f' => ['ct' => 2, 'wt' => 6, 'mu' => 4],
            'main()==>g' => ['ct' => 5, 'wt' => 3, 'mu' => 101],
            'main()' => ['ct' => 1, 'wt' => 10, 'mu' => 115],
        ], CallTree::fromArray(self::data())->toEdges(false)->edges());
    }

    public function testEdgesWithTopLevelCode(): void
    {
        $edges = CallTree::fromArray(self::data())->toEdges()->edges();
        self::assertSame(['ct' => 1, 'wt' => 7, 'mu' => 104], $edges['main()==>run_init::x.php']);
        self::assertSame(['ct' => 1, 'wt' => 1, 'mu' => 100], $edges['run_init::x.php==>g']);
        self::assertSame(['ct' => 4, 'wt' => 2, 'mu' => 1], $edges['main()==>g']);
    }

    public function testIndirectRecursionAndEqualNames(): void
    {
        // f > g > f (another entry of the same name) > g; then g beside the first f.
        $edges = CallTree::fromArray([
            'names' => ['main()', 'f', 'g', 'f'],
            'fn' => [0, 1, 2, 3, 2, 2],
            'depth' => [0, 1, 2, 3, 4, 1],
            'ct' => [1, 1, 1, 1, 1, 1],
            'self' => ['wt' => [0, 0, 0, 0, 2000, 1000]],
        ])->toEdges()->edges();
        self::assertSame(
            ['f@1==>g@1', 'g==>f@1', 'f==>g', 'main()==>f', 'main()==>g', 'main()'],
            array_keys($edges),
        );
    }

    public function testRoundingNeverMakesTimeNegative(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f'],
            'fn' => [0, 1, 1, 1],
            'depth' => [0, 1, 2, 3],
            'ct' => [1, 1, 1, 1],
            'self' => ['wt' => [600, 600, 600, 600]],
        ]);
        $rows = FlatReport::compute($tree->toEdges())->rows();
        self::assertSame([0, 1, 0, 1], array_map(
            static fn (string $name): int|float|null => $rows[$name]['excl_wt'] ?? null,
            ['main()', 'f', 'f@1', 'f@2'],
        ));
    }

    public function testADeepTree(): void
    {
        $n = 100000;
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f'],
            'fn' => [0, ...array_fill(0, $n, 1)],
            'depth' => range(0, $n),
            'ct' => array_fill(0, $n + 1, 1),
            'self' => ['wt' => array_fill(0, $n + 1, 1000)],
        ]);
        self::assertSame($n + 1, $tree->toEdges()->totals()['wt']);
        self::assertTrue($tree->toEdges()->hasSymbol('f@' . ($n - 1)));
    }

    /**
     * @return iterable<string, array{array<string, mixed>, string}>
     */
    public static function wrongTrees(): iterable
    {
        $with = static fn (array $change): array => array_replace(self::data(), $change);
        yield 'nothing' => [[], 'no list of names'];
        yield 'no nodes' => [$with(['fn' => [], 'depth' => [], 'ct' => []]), 'no nodes'];
        yield 'a column too short' => [$with(['ct' => [1]]), '"ct"'];
        yield 'a column that is a map' => [$with(['depth' => ['a' => 0]]), '"depth"'];
        yield 'a float' => [$with(['depth' => [0, 1, 2, 3, 4, 2, 1.0]]), '"depth" of the call tree holds'];
        yield 'a function without name' => [$with(['fn' => [0, 1, 2, 2, 3, 3, 4]]), 'has no name'];
        yield 'a function below 0' => [$with(['fn' => [0, 1, 2, 2, 3, 3, -1]]), '"fn"'];
        yield 'a second root' => [$with(['depth' => [0, 1, 2, 3, 4, 2, 0]]), 'node 6'];
        yield 'a level left out' => [$with(['depth' => [0, 2, 2, 3, 4, 2, 1]]), 'node 1'];
        yield 'no root' => [$with(['depth' => [1, 1, 2, 3, 4, 2, 1]]), 'node 0'];
        yield 'no metrics' => [$with(['self' => []]), 'no metrics'];
        yield 'a metric too short' => [$with(['self' => ['wt' => [1]]]), '"self.wt"'];
        yield 'a metric without name' => [$with(['self' => [[1, 1, 1, 1, 1, 1, 1]]]), 'no valid name'];
        $corrected = static fn (mixed $columns): array => $with(['corrected' => $columns]);
        yield 'corrected times that are none' => [$corrected('wt'), 'are not columns'];
        yield 'a bad corrected column' => [$corrected(['wt' => null]), '"corrected.wt"'];
        yield 'a corrected column too short' => [$corrected(['wt' => [1]]), '"corrected.wt"'];
        yield 'a corrected time below 0' => [$corrected(['wt' => [0, 0, 0, 0, 0, 0, -1]]), '"corrected.wt" of the call tree holds'];
        yield 'a corrected float' => [$corrected(['wt' => [0, 0, 0, 0, 0, 0, 0.5]]), '"corrected.wt" of the call tree holds'];
        yield 'corrected memory' => [$corrected(['mu' => [0, 0, 0, 0, 0, 0, 0]]), 'has no raw column'];
        yield 'a corrected time without a raw one' => [$corrected(['cpu' => [0, 0, 0, 0, 0, 0, 0]]), 'has no raw column'];
        yield 'a corrected column without name' => [$corrected([[0, 0, 0, 0, 0, 0, 0]]), 'has no raw column'];
        yield 'huge corrected times' => [$corrected(['wt' => array_fill(0, 7, PHP_INT_MAX)]), 'too large'];
        yield 'huge figures' => [$with(['self' => ['wt' => array_fill(0, 7, PHP_INT_MAX)]]), 'too large'];
        yield 'a name that is no text' => [$with(['names' => ['main()', 'a', 'b', 3]]), 'not a text'];
    }

    /**
     * @param array<string, mixed> $data
     */
    #[DataProvider('wrongTrees')]
    public function testRefusesWhatIsNoTree(array $data, string $message): void
    {
        $this->expectException(InvalidProfile::class);
        $this->expectExceptionMessage($message);
        CallTree::fromArray($data);
    }
}
