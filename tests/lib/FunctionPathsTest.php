<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionPaths;
use XHProf\Profile\CallTree;

final class FunctionPathsTest extends TestCase
{
    /** main > a > f > f > b > f, main > f, main > c > f. */
    private static function tree(): CallTree
    {
        return CallTree::fromArray([
            'names' => ['main()', 'a', 'f', 'b', 'c', "bad\u{FFFD}"],
            'fn' => [0, 1, 2, 2, 3, 2, 2, 4, 2, 5],
            'depth' => [0, 1, 2, 3, 4, 5, 1, 1, 2, 2],
            'ct' => [1, 1, 3, 2, 1, 4, 5, 1, 6, 1],
            'self' => ['wt' => [1000, 1000, 10000, 20000, 3000, 5000, 70000, 1000, 2000, 9000]],
        ]);
    }

    public function testTheHeaviestFirst(): void
    {
        $paths = FunctionPaths::find(self::tree(), 'f', 'wt', 2);
        self::assertSame(3, $paths->count);
        self::assertSame(110000, $paths->inclusive);
        self::assertSame([
            ['node' => 6, 'callers' => ['main()'], 'ct' => 5, 'inclusive' => 70000, 'exclusive' => 70000],
            ['node' => 2, 'callers' => ['main()', 'a'], 'ct' => 3, 'inclusive' => 38000, 'exclusive' => 10000],
        ], $paths->paths);
    }

    public function testLevelsOfRecursion(): void
    {
        $once = FunctionPaths::find(self::tree(), 'f@1', 'wt', 9);
        self::assertSame([['main()', 'a', 'f']], array_column($once->paths, 'callers'));
        $twice = FunctionPaths::find(self::tree(), 'f@2', 'wt', 9);
        self::assertSame([['main()', 'a', 'f', 'f', 'b']], array_column($twice->paths, 'callers'));
        self::assertSame([], FunctionPaths::find(self::tree(), 'f@3', 'wt', 9)->paths);
    }

    public function testThePathsOfAFunctionAreItsFigures(): void
    {
        $rows = FlatReport::compute(self::tree()->toEdges())->rows();
        foreach (['f', 'f@1', 'f@2', 'a', 'main()'] as $symbol) {
            $paths = FunctionPaths::find(self::tree(), $symbol, 'wt', 9);
            self::assertSame($rows[$symbol]['wt'] ?? null, intdiv($paths->inclusive, 1000), $symbol);
        }
    }

    public function testNamesThatAreNotUtf8AndUnknownOnes(): void
    {
        self::assertSame(1, FunctionPaths::find(self::tree(), "bad\xFF", 'wt', 9)->count);
        self::assertSame(0, FunctionPaths::find(self::tree(), 'nope', 'wt', 9)->count);
        self::assertSame([], FunctionPaths::find(self::tree(), 'main()', 'wt', 9)->paths[0]['callers'] ?? null);
    }
}
