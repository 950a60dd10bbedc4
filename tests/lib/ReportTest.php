<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Compare\ProfileDiff;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\UnknownMetric;
use XHProf\Exception\UnknownSymbol;
use XHProf\Functions\FlatReport;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\Profile;
use XHProf\Profile\ProfileMean;
use XHProf\Run\ClassicFile;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/Support/Runs.php';

/**
 * The expected figures were worked out by hand.
 */
final class ReportTest extends TestCase
{
    public function testFlat(): void
    {
        $report = FlatReport::compute(Profile::fromEdges(Runs::small()));
        $row = static fn (int $ct, int $wt, int $cpu, int $mu, int $pmu, int $ewt, int $ecpu, int $emu, int $epmu): array
            => [
                'ct' => $ct, 'wt' => $wt, 'cpu' => $cpu, 'mu' => $mu, 'pmu' => $pmu,
                'excl_wt' => $ewt, 'excl_cpu' => $ecpu, 'excl_mu' => $emu, 'excl_pmu' => $epmu,
            ];
        self::assertSame([
            'a' => $row(2, 600, 500, 300, 200, 280, 190, 180, 150),
            'b' => $row(5, 350, 340, 50, 50, 260, 260, 40, 50),
            'c' => $row(4, 160, 145, 25, 0, 160, 145, 25, 0),
            'b@1' => $row(1, 90, 80, 10, 0, 50, 45, 5, 0),
            'main()' => $row(1, 1000, 900, 500, 300, 250, 260, 250, 100),
        ], $report->rows());
        self::assertSame(1000, $report->totals()['wt']);
        self::assertSame(['wt', 'cpu', 'mu', 'pmu'], $report->metrics());
    }

    public function testExclusiveFiguresAddUpToMain(): void
    {
        foreach ([Runs::small(), Runs::changed(), Runs::large(2000)] as $edges) {
            $rows = FlatReport::compute(Profile::fromEdges($edges))->rows();
            foreach (['wt', 'cpu', 'mu', 'pmu'] as $metric) {
                self::assertSame(
                    $edges['main()'][$metric] + self::uncalled($edges, $metric),
                    array_sum(array_column($rows, "excl_$metric")),
                );
            }
        }
    }

    public function testNegativeMemoryIsNotClamped(): void
    {
        $rows = FlatReport::compute(Profile::fromEdges([
            'main()==>free' => ['ct' => 1, 'wt' => 1, 'mu' => -800],
            'main()' => ['ct' => 1, 'wt' => 5, 'mu' => -300],
        ]))->rows();
        self::assertSame(-800, $rows['free']['excl_mu'] ?? null);
        self::assertSame(500, $rows['main()']['excl_mu'] ?? null);
    }

    public function testACallerNobodyCalledTookWhatItsCallsTook(): void
    {
        $rows = FlatReport::compute(Profile::fromEdges([
            'lost==>x' => ['ct' => 2, 'wt' => 30],
            'lost==>y' => ['ct' => 1, 'wt' => 12],
            'main()' => ['ct' => 1, 'wt' => 9],
        ]))->rows();
        self::assertSame(['ct' => 0, 'wt' => 42, 'excl_wt' => 0], $rows['lost']);
    }

    public function testAnEdgeToItselfCountsOnce(): void
    {
        $rows = FlatReport::compute(Profile::fromEdges([
            'main()==>f' => ['ct' => 1, 'wt' => 50],
            'f==>f' => ['ct' => 4, 'wt' => 90],
            'main()' => ['ct' => 1, 'wt' => 60],
        ]))->rows();
        self::assertSame(['ct' => 5, 'wt' => 50, 'excl_wt' => 50], $rows['f']);
    }

    public function testMissingMetricsCountAsNone(): void
    {
        $rows = FlatReport::compute(Profile::fromEdges([
            'main()==>f' => ['ct' => 1],
            'main()' => ['ct' => 1, 'wt' => 60, 'cpu' => 5],
        ]))->rows();
        self::assertSame(['ct' => 1, 'wt' => 0, 'cpu' => 0, 'excl_wt' => 0, 'excl_cpu' => 0], $rows['f']);
        self::assertSame(['main()' => ['ct' => 1]], FlatReport::compute(Profile::fromEdges(['main()' => ['ct' => 1]]))->rows());
    }

    public function testSorting(): void
    {
        $report = FlatReport::compute(Profile::fromEdges(Runs::small()));
        self::assertSame(['main()', 'a', 'b', 'c', 'b@1'], array_keys($report->sorted('wt')));
        self::assertSame(['a', 'b', 'main()'], array_keys($report->sorted('excl_wt', 3)));
        self::assertSame(['a', 'b', 'b@1', 'c', 'main()'], array_keys($report->sorted('fn')));
        // b and main() are equal: sorted by name.
        self::assertSame(['b', 'main()', 'a', 'c', 'b@1'], array_keys($report->sorted('excl_cpu')));
        $this->expectException(UnknownMetric::class);
        $report->sorted('st');
    }

    public function testSymbol(): void
    {
        $report = SymbolReport::compute(Profile::fromEdges(Runs::small()), 'b');
        self::assertSame([
            'ct' => 5, 'wt' => 350, 'cpu' => 340, 'mu' => 50, 'pmu' => 50,
            'excl_wt' => 260, 'excl_cpu' => 260, 'excl_mu' => 40, 'excl_pmu' => 50,
        ], $report->self());
        self::assertSame(['a' => Runs::small()['a==>b'], 'main()' => Runs::small()['main()==>b']], $report->parents());
        self::assertSame(['b@1' => Runs::small()['b==>b@1']], $report->children());
        self::assertSame(1000, $report->totals()['wt']);
    }

    public function testSymbolOfMainAndOfALeaf(): void
    {
        $profile = Profile::fromEdges(Runs::small());
        self::assertSame([], SymbolReport::compute($profile, 'main()')->parents());
        self::assertSame(['a', 'b'], array_keys(SymbolReport::compute($profile, 'main()')->children()));
        self::assertSame([], SymbolReport::compute($profile, 'c')->children());
        self::assertSame(250, SymbolReport::compute($profile, 'main()')->self()['excl_wt'] ?? null);
    }

    public function testSymbolRowsHaveEveryMetricOfTheRun(): void
    {
        $profile = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 9, 'mu' => 1], 'main()==>f' => ['ct' => 1]]);
        $report = SymbolReport::compute($profile, 'f');
        self::assertSame(['ct' => 1, 'wt' => 0, 'mu' => 0, 'excl_wt' => 0, 'excl_mu' => 0], $report->self());
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 0, 'mu' => 0]], $report->parents());
    }

    public function testUnknownSymbol(): void
    {
        $this->expectException(UnknownSymbol::class);
        $this->expectExceptionMessage('no function "\x1B[2J"');
        SymbolReport::compute(Profile::fromEdges(Runs::small()), "\e[2J");
    }

    public function testDiff(): void
    {
        $diff = ProfileDiff::between(Profile::fromEdges(Runs::small()), Profile::fromEdges(Runs::changed()));
        $rows = $diff->rows();
        self::assertSame(['a', 'b', 'd', 'b@1', 'main()', 'c'], array_keys($rows));
        // a: 650 - 600 inclusive; exclusive 650 - 270 = 380 against 280.
        self::assertSame([
            'ct' => 0, 'wt' => 50, 'cpu' => 20, 'mu' => 0, 'pmu' => 0,
            'excl_wt' => 100, 'excl_cpu' => 70, 'excl_mu' => 0, 'excl_pmu' => 0,
        ], $rows['a']);
        self::assertSame([-4, -160, -160], [$rows['c']['ct'], $rows['c']['wt'] ?? 0, $rows['c']['excl_wt'] ?? 0]);
        self::assertSame([7, 70], [$rows['d']['ct'], $rows['d']['wt'] ?? 0]);
        self::assertSame('both', $diff->status('a'));
        self::assertSame('new', $diff->status('d'));
        self::assertSame('gone', $diff->status('c'));
        self::assertSame(['ct' => 16, 'wt' => 1010, 'cpu' => 880, 'mu' => 500, 'pmu' => 300], $diff->totals()['b']);
        self::assertSame(['ct' => 3, 'wt' => 10, 'cpu' => -20, 'mu' => 0, 'pmu' => 0], $diff->totals()['delta']);
        // The largest change first, whatever its sign: c -160, a +100, d +70, then b and b@1.
        self::assertSame(['c', 'a', 'd'], array_keys($diff->sorted('excl_wt', 3)));
        self::assertSame(600, $diff->before()->rows()['a']['wt'] ?? null);
        self::assertSame(650, $diff->after()->rows()['a']['wt'] ?? null);
    }

    public function testDiffOfOneFunction(): void
    {
        $diff = ProfileDiff::between(Profile::fromEdges(Runs::small()), Profile::fromEdges(Runs::changed()));
        $a = $diff->symbol('a');
        self::assertSame('both', $a->self['status']);
        self::assertSame([600, 650, 50], [$a->self['a']['wt'], $a->self['b']['wt'], $a->self['delta']['wt']]);
        self::assertSame(100, $a->self['delta']['excl_wt']);
        self::assertSame(['c', 'd', 'b'], array_keys($a->children));
        self::assertSame('gone', $a->children['c']['status']);
        $c = $a->children['c'];
        self::assertSame([3, 0, -3], [$c['a']['ct'], $c['b']['ct'], $c['delta']['ct']]);
        self::assertSame('new', $a->children['d']['status']);
        self::assertSame(50, $a->parents['main()']['delta']['wt']);
        self::assertSame('new', $diff->symbol('d')->self['status']);
        self::assertSame('gone', $diff->symbol('c')->self['status']);
        $this->expectException(UnknownSymbol::class);
        $diff->symbol('nowhere');
    }

    public function testDiffLooksAtCommonMetricsOnly(): void
    {
        $a = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 10, 'cpu' => 9]]);
        $b = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 15, 'mu' => 5]]);
        $diff = ProfileDiff::between($a, $b);
        self::assertSame(['wt'], $diff->metrics());
        self::assertSame(['ct' => 0, 'wt' => 5, 'excl_wt' => 5], $diff->rows()['main()']);
        self::assertSame(['a', 'b', 'delta'], array_keys($diff->totals()));
        self::assertSame(['ct' => 1, 'wt' => 10], $diff->totals()['a']);
    }

    public function testARunDiffersFromItselfByNothing(): void
    {
        $profile = Profile::fromEdges(Runs::small());
        foreach (ProfileDiff::between($profile, $profile)->rows() as $row) {
            self::assertSame([0], array_values(array_unique($row)));
        }
    }

    public function testMean(): void
    {
        $a = Profile::fromEdges(Runs::small());
        $b = Profile::fromEdges(Runs::changed());
        $mean = ProfileMean::compute([$a, $b])->edges();
        self::assertSame(['ct' => 1, 'wt' => 1005, 'cpu' => 890, 'mu' => 500, 'pmu' => 300], $mean['main()']);
        self::assertSame(['ct' => 3.5, 'wt' => 35, 'cpu' => 30, 'mu' => 10, 'pmu' => 0], $mean['a==>d']);
        $weighted = ProfileMean::compute([$a, $b], [3, 1])->edges();
        // 0.75 * 1000 + 0.25 * 1010 = 1002.5
        self::assertSame(1002.5, $weighted['main()']['wt']);
        self::assertSame(['ct' => 2.25, 'wt' => 90, 'cpu' => 82.5, 'mu' => 15, 'pmu' => 0], $weighted['a==>c']);
        self::assertSame($a->edges(), ProfileMean::compute([$a])->edges());
        self::assertSame($a->edges()['a==>c'], ProfileMean::compute([$a, $b], [7, 0])->edges()['a==>c']);
    }

    /** Three runs, thirds everywhere: nothing is rounded on the way. */
    public function testPartsOfAMeanAddUp(): void
    {
        $run = static fn (int $main, int $f, int $g): Profile => Profile::fromEdges(array_filter([
            'main()' => ['ct' => 1, 'wt' => $main],
            'main()==>f' => ['ct' => 2, 'wt' => $f],
            'f==>g' => $g === 0 ? [] : ['ct' => 1, 'wt' => $g],
        ]));
        $mean = ProfileMean::compute([$run(100, 50, 50), $run(100, 40, 0), $run(101, 50, 0)]);
        $rows = FlatReport::compute($mean)->rows();
        self::assertSame(['ct' => 1 / 3, 'wt' => 50 / 3, 'excl_wt' => 50 / 3], $rows['g']);
        self::assertSame(['ct' => 2, 'wt' => 140 / 3, 'excl_wt' => 30], $rows['f']);
        self::assertSame(['ct' => 1, 'wt' => 301 / 3, 'excl_wt' => 161 / 3], $rows['main()']);
        self::assertSame(['ct' => 10 / 3, 'wt' => 301 / 3], $mean->totals());
        $symbol = SymbolReport::compute($mean, 'f');
        self::assertSame($rows['f'], $symbol->self());
        self::assertSame(['ct' => 1 / 3, 'wt' => 50 / 3], $symbol->children()['g']);
        // Fractional weights: figures that cancel out leave nothing.
        $weighted = FlatReport::compute(ProfileMean::compute([$run(100, 50, 50), $run(100, 40, 0)], [0.1, 0.2]))->rows();
        self::assertSame(26.666667, $weighted['f']['excl_wt'] ?? null);
        self::assertSame(0.333333, $weighted['g']['ct']);
        $none = FlatReport::compute(ProfileMean::compute([$run(7, 7, 7), $run(11, 11, 11)], [0.1, 0.7]))->rows();
        self::assertSame([0.0, 0.0], [$none['f']['excl_wt'] ?? null, $none['main()']['excl_wt'] ?? null]);
    }

    public function testMeanKeepsTheMetricsThatAllHave(): void
    {
        $mean = ProfileMean::compute([
            Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 10, 'cpu' => 9, 'pmu' => 4]]),
            Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 20, 'pmu' => 8]]),
        ]);
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 15, 'pmu' => 6]], $mean->edges());
    }

    public function testMeanFreesEachRun(): void
    {
        $made = [];
        $most = 0;
        $runs = static function () use (&$made, &$most): \Generator {
            foreach ([10, 20, 30, 100] as $wt) {
                $run = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => $wt] + ($wt === 20 ? [] : ['mu' => 1])]);
                $made[] = \WeakReference::create($run);
                $most = max($most, count(array_filter($made, static fn (\WeakReference $r): bool => $r->get() !== null)));
                yield $run;
                unset($run);
            }
        };
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 40]], ProfileMean::compute($runs())->edges());
        // The new one, and the generator's last one.
        self::assertSame([4, 2], [count($made), $most]);
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 64]], ProfileMean::compute($runs(), [2, 0, 0, 3])->edges());
    }

    public function testWrongWeights(): void
    {
        $run = Profile::fromEdges(Runs::small());
        $wrong = [[[], []], [[], [1]], [[$run], [1, 2]], [[$run, $run], [1]], [[$run], [0]], [[$run, $run], [2, -1]]];
        foreach ($wrong as [$runs, $weights]) {
            try {
                ProfileMean::compute($runs, $weights);
                self::fail('accepted');
            } catch (InvalidProfile $e) {
                self::assertNotSame('', $e->getMessage());
            }
        }
    }

    public function testALargeRunLoadsAndReportsInLittleMemory(): void
    {
        $bytes = serialize(Runs::large(100000));
        memory_reset_peak_usage();
        $before = memory_get_usage();
        self::assertCount(25001, FlatReport::compute(ClassicFile::decode($bytes, 'large'))->rows());
        self::assertLessThan(160 << 20, memory_get_peak_usage() - $before);
    }

    /**
     * @param array<string, array<string, int>> $edges
     *
     * @return int the figures of callers without callers (they are roots beside main())
     */
    private static function uncalled(array $edges, string $metric): int
    {
        $called = ['main()' => true];
        $sum = 0;
        foreach ($edges as $key => $_) {
            $called[explode('==>', $key)[1] ?? $key] = true;
        }
        foreach ($edges as $key => $row) {
            $names = explode('==>', $key);
            $sum += count($names) === 2 && !isset($called[$names[0]]) ? $row[$metric] : 0;
        }

        return $sum;
    }
}
