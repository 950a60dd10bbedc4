<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Compare\ProfileDiff;
use XHProf\Compare\Noise;
use XHProf\Compare\Statistics;
use XHProf\Compare\Verdict;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\UnknownMetric;
use XHProf\Functions\FlatReport;
use XHProf\Profile\Profile;
use XHProf\Profile\ProfileMean;
use XHProf\Stats\Distribution;
use XHProf\Stats\Outliers;
use XHProf\Stats\Significance;

/**
 * Figures of several runs. The expected ones were worked out by hand or are computed in the simplest way.
 */
final class StatisticsTest extends TestCase
{
    public function testADistributionByHand(): void
    {
        $five = new Distribution([7, 1, 3, 9, 5]);
        self::assertSame([5, 5, 1, 9], [$five->mean(), $five->quantile(0.5), $five->min(), $five->max()]);
        // At 3.8 of 0 to 4: between 7 and 9.
        self::assertEqualsWithDelta(8.6, $five->quantile(0.95), 1e-12);
        // (16 + 4 + 0 + 4 + 16) / 4 = 10
        self::assertEqualsWithDelta(sqrt(10), $five->deviation(), 1e-12);
        self::assertEqualsWithDelta(sqrt(10) / 5, $five->variation() ?? 0.0, 1e-12);
        self::assertSame(2.5, (new Distribution([4, 1, 2, 3]))->quantile(0.5));
        $one = new Distribution([42]);
        self::assertSame([42, 42, 42, 42, 42, 0], array_map($one->statistic(...), Distribution::KINDS));
        self::assertNull((new Distribution([0, 0]))->variation());
        self::assertSame([-3, -1], [(new Distribution([-1, -3]))->min(), (new Distribution([-1, -3]))->max()]);
    }

    public function testWeightsCountLikeRepetitions(): void
    {
        $weighted = new Distribution([30, 10, 20, 99], [1, 3, 2, 0]);
        $repeated = new Distribution([10, 10, 10, 20, 20, 30]);
        foreach (['mean', 'median', 'p95', 'min', 'max'] as $kind) {
            self::assertSame($repeated->statistic($kind), $weighted->statistic($kind), $kind);
        }
        self::assertSame(3, $weighted->count());
        // A run named twice counts once.
        $twice = new Distribution([10, 20, 30], [2, 2, 2]);
        self::assertEqualsWithDelta((new Distribution([10, 20, 30]))->deviation(), $twice->deviation(), 1e-12);
    }

    public function testEveryFunctionOfRandomRuns(): void
    {
        mt_srand(20261121);
        $runs = [];
        for ($i = 0; $i < 7; $i++) {
            $edges = ['main()' => ['ct' => 1, 'wt' => 90000, 'mu' => mt_rand(-500, 500)]];
            foreach (range('a', 'k') as $name) {
                if ($name === 'a' || mt_rand(0, 2) > 0) {
                    $row = ['ct' => mt_rand(1, 9), 'wt' => mt_rand(1, 3000), 'mu' => mt_rand(-9, 9)];
                    $edges[$name === 'a' || mt_rand(0, 1) === 1 ? "main()==>$name" : "a==>$name"] = $row;
                }
            }
            $runs[] = Profile::fromEdges($edges);
        }
        $statistics = Statistics::compute($runs);
        $flat = array_map(static fn (Profile $run): array => FlatReport::compute($run)->rows(), $runs);
        $mean = FlatReport::compute(ProfileMean::compute($runs))->rows();
        self::assertSame(['ct', 'wt', 'mu', 'excl_wt', 'excl_mu'], $statistics->columns());
        self::assertEqualsCanonicalizing(array_keys($mean), $statistics->functions());
        foreach ($statistics->functions() as $name) {
            $with = array_filter($flat, static fn (array $rows): bool => isset($rows[$name]));
            self::assertSame(count($with), $statistics->runsWith($name));
            foreach ($statistics->columns() as $column) {
                $values = array_map(static fn (array $rows): int|float => $rows[$name][$column] ?? 0, $flat);
                self::assertSame($values, $statistics->values($name, $column));
                $figures = $statistics->distribution($name, $column);
                self::assertEqualsWithDelta($mean[$name][$column] ?? null, $figures->mean(), 1e-9, "$name $column");
                sort($values);
                self::assertSame([$values[0], $values[3], $values[6]], [$figures->min(), $figures->quantile(0.5), $figures->max()]);
                self::assertEqualsWithDelta($values[5] + 0.7 * ($values[6] - $values[5]), $figures->statistic('p95'), 1e-9);
                $squares = array_sum(array_map(static fn ($value): float => ($value - array_sum($values) / 7) ** 2, $values));
                self::assertEqualsWithDelta(sqrt($squares / 6), $figures->deviation(), 1e-9);
            }
        }
        $totals = array_map(static fn (Profile $run): int|float => $run->totals()['wt'], $runs);
        self::assertSame($totals, $statistics->totalValues('wt'));
    }

    public function testMetricsThatAllRunsHave(): void
    {
        $statistics = Statistics::compute([
            Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 10, 'cpu' => 9]]),
            Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 20, 'mu' => 9]]),
        ]);
        self::assertSame(['wt'], $statistics->metrics());
        self::assertSame([10, 20], $statistics->values('main()', 'excl_wt'));
        self::assertSame([0, 0], $statistics->values('nobody', 'wt'));
        $this->expectException(UnknownMetric::class);
        $statistics->values('main()', 'cpu');
    }

    public function testRunsPassByOneAfterTheOther(): void
    {
        $alive = [];
        $most = 0;
        $runs = static function () use (&$alive, &$most): \Generator {
            for ($i = 1; $i <= 20; $i++) {
                $run = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => $i]]);
                $alive[] = \WeakReference::create($run);
                $most = max($most, count(array_filter($alive, static fn (\WeakReference $r): bool => $r->get() !== null)));
                yield $run;
                unset($run);
            }
        };
        $statistics = new Statistics();
        $watched = static function () use ($statistics, $runs): \Generator {
            foreach ($runs() as $run) {
                $statistics->add($run);
                yield $run;
                unset($run);
            }
        };
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 10.5]], ProfileMean::compute($watched())->edges());
        self::assertSame([20, 20], [$statistics->count(), count($alive)]);
        self::assertLessThanOrEqual(2, $most);
        $this->expectException(InvalidProfile::class);
        Statistics::compute([]);
    }

    /** 100 runs of 2000 functions: 8 bytes per figure, without an array per row. */
    public function testMemoryStaysSmall(): void
    {
        $runs = static function (): \Generator {
            for ($i = 0; $i < 100; $i++) {
                $edges = ['main()' => ['ct' => 1, 'wt' => 9999999 + $i]];
                for ($f = 0; $f < 2000; $f++) {
                    $edges["main()==>f$f"] = ['ct' => 1, 'wt' => $f + $i];
                }
                yield Profile::fromEdges($edges);
            }
        };
        $before = memory_get_usage();
        $statistics = Statistics::compute($runs());
        // 200 000 rows of 3 columns; as arrays they are 80 MB.
        self::assertLessThan(16 << 20, memory_get_usage() - $before);
        self::assertSame(100, $statistics->runsWith('f7'));
        self::assertSame(56.5, $statistics->distribution('f7', 'wt')->mean());
    }

    public function testStudent(): void
    {
        // Tables of the t distribution, two-sided.
        $known = [[12.706, 1, 0.05], [2.228, 10, 0.05], [3.169, 10, 0.01], [1.96, 1e7, 0.05], [2.0, 8, 0.080516]];
        foreach ($known as [$t, $freedom, $p]) {
            self::assertEqualsWithDelta($p, Significance::student($t, $freedom), 2e-5, "t = $t, $freedom");
        }
        self::assertSame(1.0, Significance::student(0.0, 5.0));
        self::assertGreaterThan(0.0, Significance::student(40.0, 5.0));
    }

    public function testWelch(): void
    {
        // Equal deviations and sizes: t = 2 with 8 degrees of freedom.
        $p = Significance::welch(new Distribution([1, 2, 3, 4, 5]), new Distribution([3, 4, 5, 6, 7]));
        self::assertEqualsWithDelta(0.080516, $p ?? -1.0, 1e-6);
        // By hand: means 20 and 24, errors 1/3 and 4: t = 4 / sqrt(13/3), 2 * (13/3)^2 / (1/9 + 16) = 2.331 degrees of freedom.
        $p = Significance::welch(new Distribution([19, 20, 21]), new Distribution([20 + 4 - sqrt(12), 24, 24 + sqrt(12)]));
        self::assertEqualsWithDelta(Significance::student(4 / sqrt(13 / 3), 2.3310), $p ?? -1.0, 1e-5);
        self::assertNull(Significance::welch(new Distribution([1]), new Distribution([1, 2])));
        self::assertSame(1.0, Significance::welch(new Distribution([3, 3]), new Distribution([3, 3])));
        self::assertSame(0.0, Significance::welch(new Distribution([3, 3]), new Distribution([4, 4])));
    }

    /** The example of Benjamini and Hochberg (1995), section 3.2: with a rate of 0.05 the first four of fifteen are discoveries. */
    public function testFalseDiscoveriesAreControlledOverAllTests(): void
    {
        $p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
        ];
        $rates = Significance::falseDiscoveries($p);
        self::assertCount(4, array_filter($rates, static fn (float $rate): bool => $rate <= 0.05));
        self::assertEqualsWithDelta([0.0015, 0.003, 0.0095, 0.035625], array_slice($rates, 0, 4), 1e-9);
        self::assertSame(1.0, $rates[14]);
        // Whatever their order.
        self::assertSame([2 => 0.06, 5 => 0.03], Significance::falseDiscoveries([5 => 0.015, 2 => 0.06]));
        self::assertSame([], Significance::falseDiscoveries([]));
    }

    /** About one in twenty comparisons of equal runs counts as changed, not more. */
    public function testChanceIsTakenForAChangeOneTimeInTwenty(): void
    {
        mt_srand(7);
        $even = static fn (): float => mt_rand(1, 1000000) / 1000000;
        $normal = static fn (): float => sqrt(-2 * log($even())) * cos(2 * M_PI * $even());
        $passed = 0;
        for ($i = 0; $i < 4000; $i++) {
            $side = static fn (int $runs, float $sd): Distribution
                => new Distribution(array_map(static fn (): float => 100 + $sd * $normal(), range(1, $runs)));
            $passed += Significance::welch($side(5, 3.0), $side(8, 1.0)) < Significance::LEVEL ? 1 : 0;
        }
        self::assertEqualsWithDelta(200, $passed, 55);
    }

    public function testNoise(): void
    {
        $run = static fn (int $f, int $g): Profile => Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 1000 + $f + $g],
            'main()==>f' => ['ct' => 1, 'wt' => $f],
            'main()==>g' => ['ct' => 1, 'wt' => $g],
        ]);
        [$a, $b] = [[$run(100, 100), $run(102, 300), $run(101, 90)], [$run(150, 250), $run(149, 80), $run(151, 310)]];
        $report = ProfileDiff::between(ProfileMean::compute($a), ProfileMean::compute($b));
        $noise = new Noise($report, Statistics::compute($a), Statistics::compute($b));
        $delta = static fn (string $name): int|float => $report->rows()[$name]['excl_wt'] ?? 0;
        self::assertTrue($noise->isTested());
        self::assertNull($noise->of('f', 'excl_wt', $delta('f')));
        self::assertSame(Noise::CHANCE, $noise->of('g', 'excl_wt', $delta('g')));
        self::assertSame(Noise::SMALL, $noise->of('main()', 'excl_wt', $delta('main()')));
        self::assertGreaterThan(0.05, $noise->chanceOfTotal('wt'));
        $single = new Noise(ProfileDiff::between($a[0], $b[0]));
        self::assertFalse($single->isTested());
        // The larger side has 1400 µs: 14 are its hundredth.
        self::assertSame([null, Noise::SMALL], [$single->of('g', 'wt', -14), $single->of('g', 'wt', 13.9)]);
        self::assertNull($single->chance('f', 'wt'));
    }

    public function testOutliers(): void
    {
        self::assertSame([4 => true], Outliers::positions([100, 102, 98, 101, 180, 99]));
        self::assertSame([], Outliers::positions([100, 102, 98, 101, 104, 99]));
        self::assertSame([], Outliers::positions([1, 1, 900]), 'of three it cannot be known which one it is');
        self::assertSame([3 => true], Outliers::positions([5, 5, 5, 9, 5]));
        self::assertSame([], Outliers::positions([1000, 1000, 1000, 1001, 1000]), 'a thousandth is no outlier');
    }

    public function testTheSumOfAComparison(): void
    {
        $text = static function (ProfileDiff $report): string {
            return Verdict::text(Verdict::sentences($report, new Noise($report), 'wt', false));
        };
        $run = static fn (int $main, array $calls): Profile => Profile::fromEdges(
            ['main()' => ['ct' => 1, 'wt' => $main]]
            + array_combine(
                array_map(static fn (string $name): string => "main()==>$name", array_keys($calls)),
                array_map(static fn (int $wt): array => ['ct' => 1, 'wt' => $wt], $calls),
            ),
        );
        $base = $run(1000, ['f' => 100, 'g' => 100]);
        self::assertSame(
            '+9.5 % (+95 µs) wall time: 84 % of it in f.',
            $text(ProfileDiff::between($base, $run(1095, ['f' => 180, 'g' => 115]))),
        );
        self::assertSame(
            '-10.0 % (-100 µs) wall time: 60 % of it in g, 40 % in f.',
            $text(ProfileDiff::between($base, $run(900, ['f' => 60, 'g' => 40]))),
        );
        self::assertSame(
            '+2.0 % (+20 µs) wall time: +80 µs in f, -60 µs in g.',
            $text(ProfileDiff::between($base, $run(1020, ['f' => 180, 'g' => 40]))),
        );
        self::assertSame('Wall time is the same: no function changed.', $text(ProfileDiff::between($base, $base)));
        $recursive = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 9], 'main()==>f' => ['ct' => 1, 'wt' => 5]]);
        $deeper = Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 19],
            'main()==>f' => ['ct' => 1, 'wt' => 15],
            'f==>f@1' => ['ct' => 1, 'wt' => 9],
        ]);
        self::assertSame('+111.1 % (+10 µs) wall time: 100 % of it in f.', $text(ProfileDiff::between($recursive, $deeper)));
        $many = array_combine(array_map(static fn (int $i): string => "h$i", range(1, 50)), array_fill(0, 50, 10));
        $more = array_map(static fn (int $wt): int => $wt + 2, $many);
        self::assertSame(
            '+10.0 % (+100 µs) wall time: spread over many functions, the most in h1 (+2 µs).',
            $text(ProfileDiff::between($run(1000, $many), $run(1100, $more))),
        );
    }
}
