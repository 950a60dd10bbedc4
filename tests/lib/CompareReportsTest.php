<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Output\BufferedOutput;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Compare\DiffReport;
use XHProf\Compare\Judgement;
use XHProf\Compare\MeanReport;
use XHProf\Compare\Noise;
use XHProf\Compare\TrendReport;
use XHProf\Format\Units;
use XHProf\Profile\NameRules;
use XHProf\Profile\Profile;
use XHProf\Report\Table;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunEntry;

/** What commands, pages and api.php say of comparisons, means and trends. */
final class CompareReportsTest extends TestCase
{
    /**
     * @param array<string, array<string, int>> $edges
     * @param array<string, mixed> $meta
     */
    private static function made(array $edges, array $meta = [], string $id = 'r'): Run
    {
        $meta = RunMeta::fromArray($meta + ['id' => $id, 'source' => 'cli']);

        return new MadeRun(RunId::fromStrings($id, 'cli'), $id, $meta, null, Profile::fromEdges($edges));
    }

    private static function mean(Run $first, Run ...$others): MeanRun
    {
        $runs = [$first, ...array_values($others)];

        return new MeanRun(array_map(static fn (Run $run): \Closure => static fn (): Run => $run, $runs));
    }

    private static function diff(Run $a, Run $b): DiffReport
    {
        return DiffReport::between($a, $b, false, NameRules::ours());
    }

    /** @return list<string> lines of a table on a terminal */
    private static function lines(Table $table): array
    {
        $output = new BufferedOutput();
        $screen = new Screen($output, 200);
        ReportView::table($table, $screen)->print($screen);

        return array_map(trim(...), explode("\n", trim($output->fetch())));
    }

    public function testTheLargestChangeIsFirstAndNoiseLastButInAnOrderByName(): void
    {
        $run = static fn (int $f, int $g, int $h): Run => self::made([
            'main()' => ['ct' => 1, 'wt' => 1000 + $f + $g + $h],
            'main()==>f' => ['ct' => 1, 'wt' => $f],
            'main()==>g' => ['ct' => 1, 'wt' => $g],
            'main()==>h' => ['ct' => 1, 'wt' => $h],
        ]);
        $diff = self::diff($run(500, 100, 50), $run(505, 400, 50));
        self::assertSame(['g', 'f', 'h', 'main()'], $diff->names('excl_wt'));
        self::assertSame(['g', 'f'], $diff->names('excl_wt', 2));
        self::assertSame(['f', 'g', 'h', 'main()'], $diff->names('fn'));
        self::assertSame(['main()', 'g', 'f'], $diff->names('wt', 0, '', true), 'h did not change');
        self::assertSame(['main()'], $diff->names('excl_wt', 0, 'AIN'));
        self::assertSame([[4, 3], [1, 1]], [$diff->counts(''), $diff->counts('g')]);
        self::assertSame([Noise::SMALL, null], [$diff->noiseOf('f', 'wt'), $diff->noiseOf('main()', 'wt')]);
        self::assertSame([
            'excl wall  incl wall  calls     function',
            '+300 µs    +300 µs      0     g',
            '+5 µs      +5 µs      0  ~  f',
            '0 µs    +305 µs      0  ~  main()',
        ], self::lines($diff->functions('excl_wt', 0, '', ['wt'])));
        self::assertSame([
            'A        B    B - A        %',
            'wall       1.65 ms  1.96 ms  +305 µs  +18.5 %',
            'calls            4        4        0    0.0 %',
            'functions        4        4        0    0.0 %',
        ], self::lines($diff->sides($diff->totals(), 'calls')));
        $calls = $diff->callsOf($diff->figures()->symbol('main()')->children, 'children', 'calls', 2);
        self::assertSame(['incl wall  calls     calls', '+300 µs      0     g', '+5 µs      0  ~  f'], self::lines($calls));
    }

    public function testSeveralRunsOfASideAreTested(): void
    {
        $side = static function (array $meta, ?int ...$values): Run {
            $runs = [];
            foreach ($values as $g) {
                $odd = $g === 900 ? [] : ['main()==>odd' => ['ct' => 98, 'wt' => 10 * (int) $g]];
                $calls = $g === null ? [] : ['main()==>g' => ['ct' => 60000, 'wt' => $g]] + $odd;
                $runs[] = self::made(['main()' => ['ct' => 1, 'wt' => 1000 + 11 * (int) $g]] + $calls, $meta);
            }

            return self::mean(...$runs);
        };
        // Times of g spread so far that the test alone finds nothing; the calls do not.
        $diff = static fn (array $meta): DiffReport
            => self::diff($side($meta, null, null, null), $side($meta, 20, 900, 30));
        $exact = $diff([]);
        $drawn = $diff(['samples' => 3, 'sampling' => ['interval_us' => 1000]]);
        self::assertSame([null, Noise::CHANCE], [$exact->noiseOf('g', 'excl_wt'), $exact->noiseOf('odd', 'excl_wt')]);
        self::assertSame(Noise::CHANCE, $drawn->noiseOf('g', 'excl_wt'), 'of samples chance may leave out a function');
    }

    public function testRunsThatDoNotCompare(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 9, 'mu' => 3]];
        $tsc = ['wall' => 'tsc', 'cpu' => 'thread_cputime'];
        $meta = ['flags' => 4, 'flag_names' => ['MEMORY'], 'clock' => $tsc];
        $memory = self::made($edges, $meta, 'memory');
        $both = self::made(
            ['main()' => ['ct' => 1, 'wt' => 9, 'cpu' => 1, 'mu' => 3]],
            ['flags' => 6, 'flag_names' => ['CPU', 'MEMORY']] + $meta,
            'both',
        );
        $notes = static fn (Run $a, Run $b): array => self::diff($a, $b)->notes();
        self::assertSame([
            'Recorded with different flags (CPU, MEMORY / MEMORY): times are not comparable',
            'Left out: CPU time (only in A)',
        ], $notes($both, $memory));
        $monotonic = self::made($edges, ['clock' => ['wall' => 'monotonic'] + $tsc] + $meta);
        $clocks = 'Recorded with different wall clocks (tsc / monotonic): times are not comparable';
        self::assertSame([$clocks], $notes($memory, $monotonic));
        $neither = self::made($edges, ['flags' => 0, 'clock' => ['wall' => "mono\x1btonic"]]);
        self::assertSame(
            ['Recorded with different flags (MEMORY / none) and wall clocks (tsc / mono\x1Btonic): times are not comparable'],
            $notes($memory, $neither),
        );
        self::assertSame([], $notes($memory, $memory));
        $rseq = self::made($edges, ['clock' => ['cpu' => 'rseq'] + $tsc] + $meta);
        self::assertSame([], $notes($memory, $rseq), 'all CPU clocks measure the same');
        $unknown = self::made($edges);
        self::assertSame([[], []], [$notes($memory, $unknown), $notes($unknown, $neither)], 'nothing is known of a foreign run');
        $onlyMemory = self::made(['main()' => ['ct' => 1, 'mu' => 3]]);
        $onlyCpu = self::made(['main()' => ['ct' => 1, 'cpu' => 3]]);
        self::assertSame(['Left out: Memory (only in A); CPU time (only in B)'], $notes($onlyMemory, $onlyCpu));
        self::assertSame(['One run is on both sides'], $notes(self::mean($memory, $unknown), $memory));
    }

    /** The text names the tested column: each has another growth. */
    public function testABudgetIsOfWhatTheOrderNames(): void
    {
        $run = static fn (int $ct, int $wt, int $own, int $mu): Run => self::made([
            'main()' => ['ct' => 1, 'wt' => $wt, 'mu' => $mu],
            'main()==>f' => ['ct' => $ct, 'wt' => $wt - 20, 'mu' => $mu - 20],
            'f==>g' => ['ct' => 8, 'wt' => $wt - 20 - $own, 'mu' => 7],
        ]);
        $diff = self::diff($run(1, 1000, 100, 2000), $run(6, 1100, 300, 3000));
        $sums = [
            'wt' => ['total wall time: +10.0 %', 'wall time of f: +10.2 %'],
            'excl_wt' => ['total wall time: +10.0 %', 'exclusive wall time of f: +200.0 %'],
            'mu' => ['total memory: +50.0 %', 'memory of f: +50.5 %'],
            'excl_mu' => ['total memory: +50.0 %', 'exclusive memory of f: +50.7 %'],
            'ct' => ['total calls: +50.0 %', 'calls of f: +500.0 %'],
        ];
        foreach ($sums as $column => $texts) {
            foreach ([null, 'f'] as $i => $symbol) {
                self::assertStringStartsWith("$texts[$i], from ", $diff->budget($column, $symbol)['text']);
            }
        }
        self::assertEqualsWithDelta(0.1, $diff->budget('wt', null)['growth'], 1e-9);
        $grown = self::diff(self::made(['main()' => ['ct' => 1, 'wt' => 0]]), self::made(['main()' => ['ct' => 1, 'wt' => 5]]));
        ['growth' => $growth, 'chance' => $chance] = $grown->budget('wt', null);
        self::assertSame([INF, null], [$growth, $chance]);
        self::assertTrue(Judgement::of($growth, 0.05, $chance)->isOver(), 'of one run each the figure alone counts');
    }

    public function testOrdersOfAMean(): void
    {
        $run = static fn (int $f, int $g, bool $once): Run => self::made([
            'main()' => ['ct' => 1, 'wt' => 1000],
            'main()==>f' => ['ct' => 2, 'wt' => $f],
            'main()==>g' => ['ct' => 1, 'wt' => $g],
        ] + ($once ? ['main()==>once' => ['ct' => 1, 'wt' => 3]] : []));
        $report = new MeanReport(self::mean($run(100, 300, false), $run(200, 150, true), $run(300, 150, false)), false);
        self::assertSame(['main()', 'f', 'g', 'once'], $report->names('excl_wt', 'mean'));
        self::assertSame(['once', 'g', 'f', 'main()'], $report->names('wt', 'median', false));
        self::assertSame(['once', 'f', 'g', 'main()'], $report->names('cv_wt', 'mean'));
        self::assertSame('once', $report->names('n', 'mean', false)[0]);
        self::assertSame(['once', 'main()', 'g', 'f'], $report->names('fn', 'mean', true));
        self::assertSame(['once'], $report->names('fn', 'mean', null, 'ONC'));
        $table = $report->functions(['once'], $report->column('cv_wt'), 'max');
        self::assertSame('1 µs    0 µs  2.70 µs   0 µs  3 µs  1.73 µs  173.2 %   1/3      1  once', self::lines($table)[1]);
        self::assertSame(
            ['the median of wt', 'name', 'the spread of wt'],
            array_map(static fn (string $sort): string => $report->order($sort, 'median'), ['wt', 'fn', 'cv_wt']),
        );
    }

    /** A window of few requests says nothing beside full ones. */
    public function testATrendComparesTheNewestFullRunWithTheMedian(): void
    {
        $values = [100, 102, 98, 101, 99, 100, 900, null, 101];
        $requests = array_fill(0, 8, 50) + [8 => 1];
        $runs = [];
        $figures = [];
        foreach ($values as $i => $value) {
            $meta = ['git' => str_repeat($i < 5 ? 'a' : 'b', 40)];
            $runs[] = new RunEntry(RunId::fromStrings("r$i", 'cli'), (float) $i, '', 1, "r$i", RunMeta::fromArray($meta));
            $figures[] = $value === null ? null : ['wt' => $value, 'cpu' => 1, 'requests' => $requests[$i], 'ct' => 7];
        }
        $trend = new TrendReport($runs, $figures, 'wt', false, true);
        self::assertSame(['wt', 'cpu', 'requests', 'ct'], $trend->metrics);
        self::assertSame([6 => true], $trend->outliers);
        self::assertSame(['', '', '-2.5 %'], [$trend->away(7), $trend->away(9), $trend->away(2)]);
        self::assertSame(
            'Wall time: median 101 µs of 8 runs (± 141.3 %); latest with 5 requests or more ' . Units::us(900) . ', +795.5 %.',
            $trend->sum('Wall time', 'run'),
        );
        self::assertSame([['at' => 5, 'text' => 'bbbbbbb']], $trend->marks());
        $other = new TrendReport($runs, $figures, 'nothing', true, false);
        self::assertSame(['excl_wt', ''], [$other->column, $other->sum('', 'run')]);
        $empty = new TrendReport([], [], '', false, false);
        self::assertSame(['wt', [], [], ''], [$empty->metric, $empty->metrics, $empty->marks(), $empty->sum('', 'run')]);
    }
}
