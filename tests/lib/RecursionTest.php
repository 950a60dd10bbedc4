<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Compare\ProfileDiff;
use XHProf\Exception\UnknownSymbol;
use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\Recursion;
use XHProf\Functions\SymbolReport;
use XHProf\Graph\RecordedCalls;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleCount;
use XHProf\Run\MadeRun;
use XHProf\Run\RunMeta;

/**
 * Levels of recursion as one function, against a model that walks the calls themselves.
 *
 * @phpstan-type Call array{name: string, own: int, calls: list<mixed>}
 */
final class RecursionTest extends TestCase
{
    private const NAMES = ['a', 'b', 'c', 'A\b::c', 'class@anonymous::run'];

    public function testFunctionsOfRandomRuns(): void
    {
        mt_srand(20261121);
        for ($round = 0; $round < 60; $round++) {
            [$edges, $functions] = self::randomRun(2 + $round % 9, 5 + $round * 4);
            $rows = FlatReport::compute(Profile::fromEdges($edges), true)->rows();
            ksort($rows);
            ksort($functions);
            self::assertSame($functions, $rows);
        }
    }

    public function testOneFunctionOfRandomRuns(): void
    {
        mt_srand(5);
        for ($round = 0; $round < 60; $round++) {
            [$edges, $functions, $calls, $inner] = self::randomRun(2 + $round % 9, 5 + $round * 4);
            $profile = Profile::fromEdges($edges);
            foreach ($functions as $name => $row) {
                $report = SymbolReport::compute($profile, $name, true);
                self::assertSame($row, $report->self());
                self::assertEquals($calls[$name] ?? [], $report->children(), "callees of $name");
                self::assertEquals($inner[$name] ?? [], $report->recursion(), "recursion of $name");
                $callers = array_filter(array_map(static fn (array $callees): ?array => $callees[$name] ?? null, $calls));
                $outside = array_diff_key($callers, array_filter(
                    $callers,
                    static fn (array $row, string $from): bool => ($inner[$name][$from] ?? 0) === $row['ct'],
                    ARRAY_FILTER_USE_BOTH,
                ));
                self::assertEquals($outside, $report->parents(), "callers of $name");
                if ($name !== 'main()') {
                    self::assertSame($row['wt'], array_sum(array_column($report->parents(), 'wt')), "all calls of $name");
                }
            }
        }
    }

    public function testTheCallGraphHasTheSameFigures(): void
    {
        mt_srand(9);
        for ($round = 0; $round < 20; $round++) {
            [$edges, $functions, $calls] = self::randomRun(6, 100);
            $graph = RecordedCalls::fromProfile(Profile::fromEdges($edges), 'wt', true);
            foreach ($graph->functions as $name => $figures) {
                self::assertSame($functions[$name]['wt'], $figures['incl']);
                self::assertSame($functions[$name]['excl_wt'], $figures['excl']);
                self::assertSame($functions[$name]['ct'], $figures['ct']);
            }
            foreach ($graph->calls as ['from' => $from, 'to' => $to, 'incl' => $incl, 'ct' => $count]) {
                self::assertSame($calls[$from][$to], ['ct' => $count, 'wt' => $incl]);
            }
        }
    }

    public function testALevelStaysOneWhenItIsAskedFor(): void
    {
        $profile = Profile::fromEdges([
            'main()==>f' => ['ct' => 1, 'wt' => 90],
            'f==>f@1' => ['ct' => 2, 'wt' => 50],
            'f@1==>g' => ['ct' => 2, 'wt' => 10],
            'main()' => ['ct' => 1, 'wt' => 100],
        ]);
        self::assertSame(['ct' => 2, 'wt' => 50, 'excl_wt' => 40], SymbolReport::compute($profile, 'f@1', true)->self());
        self::assertSame(['f'], array_keys(SymbolReport::compute($profile, 'f@1', true)->parents()));
        self::assertSame(['f@1'], array_keys(SymbolReport::compute($profile, 'g')->parents()));
        self::assertSame(['f'], array_keys(SymbolReport::compute($profile, 'g', true)->parents()));
        self::assertSame(['ct' => 3, 'wt' => 90, 'excl_wt' => 80], SymbolReport::compute($profile, 'f', true)->self());
        self::assertSame(['f' => 2], SymbolReport::compute($profile, 'f', true)->recursion());
        self::assertTrue(Recursion::in($profile));
        self::assertFalse(Recursion::in($profile, 'g'));
    }

    public function testRunsOfToolsWithoutLevels(): void
    {
        $profile = Profile::fromEdges([
            'main()==>f' => ['ct' => 1, 'wt' => 90],
            'f==>f' => ['ct' => 4, 'wt' => 70],
            'f==>g' => ['ct' => 1, 'wt' => 20],
            'main()' => ['ct' => 1, 'wt' => 100],
        ]);
        self::assertSame(FlatReport::compute($profile)->rows(), FlatReport::compute($profile, true)->rows());
        $report = SymbolReport::compute($profile, 'f', true);
        self::assertSame(['ct' => 5, 'wt' => 90, 'excl_wt' => 70], $report->self());
        self::assertSame(['main()'], array_keys($report->parents()));
        self::assertSame(['g'], array_keys($report->children()));
        self::assertSame(['f' => 4], $report->recursion());
    }

    public function testLevelsWithoutTheFunctionItself(): void
    {
        $profile = Profile::fromEdges([
            'main()==>f@1' => ['ct' => 2, 'wt' => 60],
            'f@1==>f@2' => ['ct' => 1, 'wt' => 20],
            'main()' => ['ct' => 1, 'wt' => 100],
        ]);
        self::assertSame(['ct' => 3, 'wt' => 60, 'excl_wt' => 60], FlatReport::compute($profile, true)->rows()['f']);
        self::assertSame(['main()'], array_keys(SymbolReport::compute($profile, 'f', true)->parents()));
        $diff = ProfileDiff::between($profile, Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 9]]), true);
        self::assertSame(ProfileDiff::GONE, $diff->status('f'));
        self::assertSame(-3, $diff->symbol('f')->self['delta']['ct']);
        $this->expectException(UnknownSymbol::class);
        SymbolReport::compute($profile, 'f');
    }

    public function testNamesThatOnlyLookLikeLevels(): void
    {
        foreach (['@1', '12@1', 'f@', 'f@x', 'load::a@2/b.php', 'class@anonymous'] as $name) {
            self::assertSame([$name, 0], [Recursion::base($name), Recursion::level($name)]);
        }
        $odd = Profile::fromEdges(['12@1==>@1' => ['ct' => 1, 'wt' => 2], '12@1' => ['ct' => 1, 'wt' => 3]]);
        $rows = FlatReport::compute($odd, true)->rows();
        self::assertEqualsCanonicalizing(['12@1', '@1'], array_keys($rows));
    }

    /**
     * @return array{0: array<string, array<string, int>>, 1: array<string, array<string, int>>,
     *     2: array<string, array<string, array<string, int>>>, 3: array<string, array<string, int>>} edges with levels; functions;
     *     calls by caller and callee; calls of a function while it runs, by caller
     */
    private static function randomRun(int $depth, int $size): array
    {
        $left = $size;
        $model = ['edges' => [], 'functions' => [], 'pairs' => [], 'inner' => []];
        self::call('main()', [], $depth, $left, $model);
        $calls = [];
        foreach ($model['pairs'] as $from => $callees) {
            foreach ($callees as $to => $levels) {
                ksort($levels);
                $calls[$from][$to] = ['ct' => array_sum(array_map(count(...), $levels)), 'wt' => array_sum(reset($levels) ?: [])];
            }
        }

        return [$model['edges'], $model['functions'], $calls, $model['inner']];
    }

    /**
     * @param list<string> $stack running functions
     * @param array<string, array<string, mixed>> $model
     * @param-out array<string, array<string, mixed>> $model
     */
    private static function call(string $name, array $stack, int $depth, int &$left, array &$model): int
    {
        $own = mt_rand(0, 9);
        $inclusive = $own;
        $inside = [...$stack, $name];
        for ($calls = count($stack) < $depth ? mt_rand(0, 4) : 0; ($calls > 0 || $stack === []) && $left > 0; $calls--) {
            $left--;
            $inclusive += self::call(self::NAMES[mt_rand(0, count(self::NAMES) - 1)], $inside, $depth, $left, $model);
        }
        $level = count(array_keys($stack, $name, true));
        $called = static fn (string $name, int $level): string => $name . ($level > 0 ? "@$level" : '');
        $caller = $stack === [] ? null : $stack[count($stack) - 1];
        $edge = $called($name, $level);
        if ($caller !== null) {
            $edge = $called($caller, count(array_keys($stack, $caller, true)) - 1) . "==>$edge";
        }
        $model['edges'][$edge] ??= ['ct' => 0, 'wt' => 0];
        $model['edges'][$edge]['ct']++;
        $model['edges'][$edge]['wt'] += $inclusive;
        $model['functions'][$name] ??= ['ct' => 0, 'wt' => 0, 'excl_wt' => 0];
        $model['functions'][$name]['ct']++;
        $model['functions'][$name]['wt'] += $level === 0 ? $inclusive : 0;
        $model['functions'][$name]['excl_wt'] += $own;
        if ($caller !== null && $caller !== $name) {
            $model['pairs'][$caller][$name][$level][] = $inclusive;
        }
        if ($level > 0) {
            $model['inner'][$name][$caller] = ($model['inner'][$name][$caller] ?? 0) + 1;
        }

        return $inclusive;
    }

    /** Less than half a sample of one level alone rounds to 0. */
    public function testSamplesAreCountedWhenTheLevelsAreAddedUp(): void
    {
        $times = ['main()' => 100, 'main()==>f' => 80, 'f==>f@1' => 40];
        $edges = array_map(static fn (int $time): array => ['ct' => 1, 'wt' => $time], $times);
        $run = Profile::fromEdges($edges)->sampled(new SampleCount(100, 1));
        $printed = (new FunctionsReport(new MadeRun(null, 'sampled', RunMeta::fromArray([]), null, $run)))->report();
        $counts = [
            FlatReport::compute($run, true)->rows()['f']['ct'],
            RecordedCalls::fromProfile($run, 'wt', true)->functions['f']['ct'],
            array_column($printed->json()['functions'], 'ct', 'name')['f'],
        ];
        self::assertSame([1, 1, 1], $counts);
    }
}
