<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Compare\DiffReport;
use XHProf\Functions\FlatReport;
use XHProf\Owners\GroupBy;
use XHProf\Owners\GroupedRun;
use XHProf\Owners\Grouping;
use XHProf\Owners\GroupsReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Run\ChangedRun;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;

/** Whose time it was: planted trees whose figures were worked out by hand. Times are nanoseconds. */
final class GroupedRunTest extends TestCase
{
    private const ROOT = '/www/wp';
    private const A = self::ROOT . '/wp-content/plugins/a/a.php';
    private const B = self::ROOT . '/wp-content/plugins/b/b.php';
    private const CORE = self::ROOT . '/wp-includes/plugin.php';

    /** Functions of the trees => their file. */
    private const FILES = [
        'main()' => self::ROOT . '/index.php', 'do_action' => self::CORE, 'a_init' => self::A, 'a_deep' => self::A,
        '{closure:a/a.php:9}' => self::A, 'load::a/a.php' => self::A, 'b_hook' => self::B, 'b_gen' => self::B, 'b_back' => self::B,
        'array_map' => 'ext:standard', 'strlen' => 'ext:Core', 'usleep' => 'ext:standard', 'usort' => 'ext:standard',
        'nowhere' => null, '(truncated)' => null,
    ];

    public function testAPluginThatCallsTheHookOfAnother(): void
    {
        $run = self::planted([
            ['main()', 0, 1, 100], ['load::a/a.php', 1, 1, 7], ['a_init', 1, 2, 50], ['do_action', 2, 2, 10], ['b_hook', 3, 4, 300],
            ['usleep', 4, 4, 1000], ['a_deep', 4, 1, 5], ['strlen', 5, 1, 3],
        ]);
        self::assertGroups($run, [
            // calls from other groups, own, with all below, functions
            'b' => [4, 1300, 1308, 2],
            'WordPress' => [3, 110, 1475, 2],
            'a' => [4, 65, 1375, 4],
        ]);
    }

    public function testBuiltInFunctionsCountForWhoeverCallsThem(): void
    {
        // array_map() of a calls a function of b, which calls strlen(); usort() calls strlen() itself.
        $run = self::planted([
            ['main()', 0, 1, 1], ['a_init', 1, 1, 2], ['array_map', 2, 1, 40], ['b_back', 3, 8, 16], ['strlen', 4, 8, 24],
            ['usort', 2, 1, 100], ['strlen', 3, 5, 10], ['strlen', 1, 1, 1000],
        ]);
        self::assertGroups($run, ['WordPress' => [1, 1001, 1193, 2], 'a' => [1, 152, 192, 4], 'b' => [8, 40, 40, 2]]);
    }

    public function testRecursionAndGroupsThatCallEachOtherAreNotCountedTwice(): void
    {
        $run = self::planted([
            ['main()', 0, 1, 0], ['a_init', 1, 1, 1], ['b_hook', 2, 1, 2], ['a_init', 3, 1, 4], ['b_hook', 4, 1, 8],
            ['b_hook', 5, 3, 16],
        ]);
        self::assertGroups($run, ['b' => [2, 26, 30, 1], 'a' => [2, 5, 31, 1], 'WordPress' => [1, 0, 31, 1]]);
    }

    public function testClosuresGeneratorsAndFunctionsWithoutAFile(): void
    {
        $run = self::planted([
            ['main()', 0, 1, 1], ['{closure:a/a.php:9}', 1, 2, 20], ['b_gen', 1, 1, 300], ['nowhere', 1, 1, 4000],
            ['(truncated)', 2, 6, 50000],
        ]);
        self::assertGroups($run, [
            '(unknown)' => [1, 54000, 54000, 2], 'b' => [1, 300, 300, 1], 'a' => [2, 20, 20, 1], 'WordPress' => [1, 1, 54321, 1],
        ]);
    }

    /** Two plug-ins bring the same library: its functions have one name and two files. */
    public function testTwoPackagesWithFunctionsOfOneName(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'Lib\X::run', 'Lib\X::run', 'usleep'],
            'files' => [self::CORE, self::A, self::B, 'ext:standard'],
            'file' => [0, 1, 2, 3], 'line' => [1, 1, 1, 0], 'last_line' => [1, 1, 1, 0],
            'fn' => [0, 1, 3, 2, 3], 'depth' => [0, 1, 2, 1, 2], 'ct' => [1, 2, 2, 3, 3],
            'self' => ['wt' => [1, 20, 300, 4000, 50000]],
        ]);
        $run = new MadeRun(null, 'planted', RunMeta::fromArray([]), $tree);
        self::assertGroups($run, ['b' => [3, 54000, 54000, 2], 'a' => [2, 320, 320, 2], 'WordPress' => [1, 1, 54321, 1]]);
    }

    public function testWithoutBuiltInFunctionsNothingIsLost(): void
    {
        $with = self::planted([
            ['main()', 0, 1, 10], ['a_init', 1, 1, 20], ['usleep', 2, 1, 500], ['b_hook', 1, 1, 5], ['strlen', 2, 1, 6],
        ]);
        // As NO_BUILTINS records it: callers have their time.
        $without = self::planted([['main()', 0, 1, 10], ['a_init', 1, 1, 520], ['b_hook', 1, 1, 11]]);
        $figures = static fn (Run $run): array
            => array_map(static fn (array $row): array => array_slice($row, 0, 3), self::figures(self::grouped($run)));
        self::assertSame($figures($with), $figures($without));
    }

    public function testAllMetricsAddUpToThoseOfTheRun(): void
    {
        $tree = self::tree([
            ['main()', 0, 1, 11], ['a_init', 1, 3, 22], ['array_map', 2, 1, 33], ['b_back', 3, 2, 44], ['strlen', 1, 1, 55],
        ], [
            'cpu' => [1, 2, 4, 8, 16], 'mu' => [100, -300, 50, 7, 9], 'pmu' => [1, 0, 0, 5, 0],
            'allocated_bytes' => [10, 20, 30, 40, 50], 'freed_bytes' => [5, 5, 5, 5, 5],
            'allocated_blocks' => [1, 1, 1, 1, 1], 'freed_blocks' => [1, 0, 1, 0, 1],
        ], ['wt' => [10, 20, 30, 40, 50], 'cpu' => [1, 1, 1, 1, 1]]);
        $run = ChangedRun::corrected(new MadeRun(null, 'planted', RunMeta::fromArray([]), $tree));
        self::assertNotNull($run);
        $grouped = self::grouped($run);
        $flat = FlatReport::compute($grouped->profile(), true);
        self::assertSame(
            ['wt', 'corrected_wt', 'cpu', 'corrected_cpu', 'mu', 'pmu', 'allocated_bytes', 'live_bytes', 'allocated_blocks'],
            $flat->metrics(),
        );
        $sums = ['wt' => 165, 'corrected_wt' => 150, 'cpu' => 31, 'mu' => -134, 'allocated_bytes' => 150, 'live_bytes' => 125];
        foreach ($sums as $metric => $sum) {
            $found = array_sum(array_column($flat->rows(), "excl_$metric"));
            // Of profiles times are microseconds.
            self::assertSame($sum, (int) round($found * (Metrics::isTime($metric) ? 1000 : 1)), $metric);
        }
        self::assertSame([-250, 50], [
            $flat->rows()['a']['excl_mu'] ?? null, $flat->rows()['a']['excl_allocated_bytes'] ?? null,
        ]);
    }

    /** The functions of one plug-in, and all others as one. */
    public function testOneGroupHasItsFunctions(): void
    {
        $run = self::planted([
            ['main()', 0, 1, 100], ['a_init', 1, 2, 50], ['do_action', 2, 2, 10], ['b_hook', 3, 4, 300], ['usleep', 4, 4, 1000],
            ['usleep', 2, 1, 7], ['a_init', 2, 1, 1], ['usleep', 1, 1, 5],
        ]);
        $one = GroupedRun::of($run, new Grouping(GroupBy::Plugin, one: 'a'));
        self::assertSame(
            ['(elsewhere)' => [3, 1415, 1473], 'a_init' => [3, 51, 1368], 'usleep' => [1, 7, 7]],
            self::figures($one),
        );
        self::assertInstanceOf(GroupedRun::class, $one);
        self::assertSame(['WordPress', 'a', 'b'], $one->groups());
    }

    public function testSamplesAreAddedUp(): void
    {
        $meta = RunMeta::fromArray(RunMeta::ofSamples('wall', 10, 1));
        $tree = self::tree([['main()', 0, 1, 1000], ['a_init', 1, 2, 2000], ['usleep', 2, 4, 4000], ['b_hook', 1, 3, 3000]]);
        $run = new MadeRun(null, 'sampled', $meta, $tree, $tree->toProfile()->sampled($meta->recording->sampleCount()));
        self::assertGroups($run, ['a' => [6, 6000, 6000, 2], 'b' => [3, 3000, 3000, 1], 'WordPress' => [1, 1000, 10000, 1]]);
    }

    /** Routes stand below the main() of a window: they are no functions. */
    public function testWindowsHaveTheTimeOfRoutesInTheCore(): void
    {
        $window = ['aggregate' => ['routes' => ['GET /a_init' => ['requests' => 2]]]];
        $meta = RunMeta::fromArray($window + RunMeta::ofSamples('wall', 8, 1));
        $tree = self::tree([
            ['main()', 0, 0, 0], ['a_init', 1, 1, 1000], ['b_hook', 2, 2, 2000], ['do_action', 2, 5, 5000],
        ], files: ['main()' => null]);
        $run = new MadeRun(null, 'window', $meta, $tree, $tree->toProfile()->sampled($meta->recording->sampleCount()));
        self::assertGroups($run, ['WordPress' => [6, 6000, 8000, 2], 'b' => [2, 2000, 2000, 1]]);
    }

    public function testMeansAreOfTheGroupsOfEachRun(): void
    {
        $first = self::planted([['main()', 0, 1, 100], ['a_init', 1, 1, 1000]]);
        $second = self::planted([['main()', 0, 1, 300], ['b_hook', 1, 3, 500]]);
        $mean = self::grouped(new MeanRun([static fn (): Run => $first, static fn (): Run => $second]));
        self::assertSame(
            ['a' => [0.5, 500, 500], 'b' => [1.5, 250, 250], 'WordPress' => [1, 200, 950]],
            array_map(static fn (array $row): array => array_slice($row, 0, 3), self::figures($mean)),
        );
        self::assertCount(3, (new GroupsReport($mean, $mean, GroupBy::Plugin))->report()->tables[0]->rows);
    }

    public function testAPackageThatIsNew(): void
    {
        $before = self::planted([['main()', 0, 1, 100], ['a_init', 1, 1, 1000]]);
        $after = self::planted([['main()', 0, 1, 100], ['a_init', 1, 1, 1000], ['b_hook', 2, 3, 5000], ['usleep', 3, 3, 4000]]);
        $report = DiffReport::between(self::grouped($before), self::grouped($after), false, null, 'plug-in');
        $json = $report->json('excl_wt', 0, '', []);
        $rows = array_column($json['functions'], null, 'name');
        self::assertSame(['b', 'WordPress', 'a'], array_keys($rows));
        self::assertSame(['new', '9.000', null], [
            $rows['b']['status'], sprintf('%.3f', $rows['b']['delta']['excl_wt']), $rows['b']['a'],
        ]);
        self::assertSame('both', $rows['a']['status']);
        self::assertEqualsWithDelta(9, $rows['a']['delta']['wt'], 1e-9);
        self::assertEqualsWithDelta(9, $json['totals']['delta']['wt'], 1e-9);
        self::assertSame('plug-ins', $report->totals()[count($report->totals()) - 1]['metric']);
    }

    /** Without call paths each call of a built-in function takes its own part with it. */
    public function testEdgesAreSplitByTheirOwnFigures(): void
    {
        $run = self::edges([
            'main()' => [1, 1000, 100], 'main()==>Acme\A\run' => [1, 600, 60], 'main()==>Acme\B\run' => [1, 300, 30],
            'Acme\A\run==>array_map' => [1, 401, 1], 'Acme\B\run==>array_map' => [1, 100, 5],
            'array_map==>Acme\C\back' => [7, 333, 4],
            'Acme\C\back==>strlen' => [7, 33, 2], 'Acme\C\back==>Acme\C\back@1' => [2, 20, 1],
        ]);
        $grouped = GroupedRun::of($run, new Grouping(GroupBy::Namespace));
        self::assertInstanceOf(GroupedRun::class, $grouped);
        self::assertFalse($grouped->isExact());
        // array_map takes 168 itself; A has 401 of its 501 and so of what it calls: 267 of the 333; B the other 66.
        self::assertSame(
            ['(global)' => 100, 'Acme\A' => 333, 'Acme\B' => 234, 'Acme\C' => 333],
            self::own($grouped, 'wt'),
        );
        self::assertSame([1000, 100], [array_sum(self::own($grouped, 'wt')), array_sum(self::own($grouped, 'cpu'))]);
        self::assertSame(GroupsReport::AT_MOST, GroupsReport::estimate($grouped));
        $one = GroupedRun::of($run, new Grouping(GroupBy::Namespace, one: 'Acme\A'));
        self::assertSame(['(elsewhere)' => 667, 'Acme\A\run' => 199, 'array_map' => 134], self::own($one, 'wt'));
    }

    /** A has 300 and B 100 of the 400 that come from the program: three quarters of all that the two functions of PHP take. */
    public function testFunctionsOfPhpThatCallEachOther(): void
    {
        $run = self::edges([
            'main()' => [1, 1000, 100], 'main()==>A\X\a' => [1, 310, 1], 'main()==>B\Y\b' => [1, 105, 1],
            'A\X\a==>usort' => [1, 300, 1], 'B\Y\b==>usort' => [1, 100, 1], 'usort==>array_map' => [1, 200, 1],
            'array_map==>usort' => [1, 40, 1], 'array_map==>C\Z\c' => [1, 60, 1],
        ]);
        self::assertSame(
            ['(global)' => 585, 'A\X' => 265, 'B\Y' => 90, 'C\Z' => 60],
            self::own(GroupedRun::of($run, new Grouping(GroupBy::Namespace)), 'wt'),
        );
    }

    /** Of functions that call each other, or that nothing calls, some group has the time. */
    public function testBuiltInFunctionsWithoutACallerOfTheProgram(): void
    {
        $run = self::edges(['usort==>strlen' => [3, 30, 3], 'strlen==>usort' => [1, 10, 1], 'usort' => [1, 100, 9]]);
        self::assertSame(100, array_sum(self::own(GroupedRun::of($run, new Grouping(GroupBy::Package)), 'wt')));
    }

    public function testReportSaysWhatItAddsUp(): void
    {
        $run = self::planted([['main()', 0, 1, 100], ['a_init', 1, 2, 50], ['usleep', 2, 1, 850]]);
        $json = (new GroupsReport($run, self::grouped($run), GroupBy::Plugin, limit: 1))->report()->json();
        self::assertSame(['plugin', 2, ['a'], [2]], [
            $json['by'], $json['groups_total'], array_column($json['groups'], 'name'), array_column($json['groups'], 'functions'),
        ]);
        $table = (new GroupsReport($run, self::grouped($run), GroupBy::Plugin, limit: 1))->report()->tables[0];
        self::assertSame('1 of 2 plug-ins, sorted by excl_wt; --limit=0 shows all', $table->below);
    }

    /**
     * @param list<array{string, int, int, int}> $nodes function, depth, calls, own time
     * @param array<string, list<int>> $more metric => per node
     * @param array<string, list<int>> $corrected
     * @param array<string, string|null> $files in the place of those of FILES
     */
    private static function tree(array $nodes, array $more = [], array $corrected = [], array $files = []): CallTree
    {
        $files += self::FILES;
        $names = array_values(array_unique(array_column($nodes, 0)));
        $paths = array_values(array_unique(array_filter(array_intersect_key($files, array_flip($names)))));
        $number = array_flip($names);

        return CallTree::fromArray([
            'names' => $names,
            'files' => $paths,
            'file' => array_map(static fn (string $name): int
                => isset($files[$name]) ? (int) array_search($files[$name], $paths, true) : -1, $names),
            'line' => array_fill(0, count($names), 1),
            'last_line' => array_fill(0, count($names), 1),
            'fn' => array_map(static fn (array $node): int => $number[$node[0]], $nodes),
            'depth' => array_column($nodes, 1),
            'ct' => array_column($nodes, 2),
            'self' => ['wt' => array_column($nodes, 3)] + $more,
        ] + ($corrected === [] ? [] : ['corrected' => $corrected]));
    }

    /** @param list<array{string, int, int, int}> $nodes */
    private static function planted(array $nodes): Run
    {
        return new MadeRun(null, 'planted', RunMeta::fromArray([]), self::tree($nodes));
    }

    /** @param array<string, array{int, int, int}> $edges */
    private static function edges(array $edges): Run
    {
        $rows = array_map(static fn (array $row): array => ['ct' => $row[0], 'wt' => $row[1], 'cpu' => $row[2]], $edges);

        return new MadeRun(null, 'edges', RunMeta::fromArray([]), null, Profile::fromEdges($rows));
    }

    private static function grouped(Run $run): Run
    {
        return GroupedRun::of($run, new Grouping(GroupBy::Plugin));
    }

    /** @param array<string, array{int, int, int, int}> $expected calls, own and whole nanoseconds, functions; largest own first */
    private static function assertGroups(Run $run, array $expected): void
    {
        $grouped = self::grouped($run);
        self::assertSame($expected, self::figures($grouped));
        $whole = $run->profile()->total('wt');
        self::assertSame($whole, $grouped->profile()->total('wt'));
        self::assertSame((int) round(1000 * $whole), array_sum(array_column(self::figures($grouped), 1)));
    }

    /** @return array<string, int|float> group => its own figure, by name */
    private static function own(Run $grouped, string $metric): array
    {
        $own = array_map(
            static fn (array $row): int|float => $row["excl_$metric"] ?? 0,
            FlatReport::compute($grouped->profile(), true)->rows(),
        );
        ksort($own);

        return $own;
    }

    /** @return array<string, list<int|float>> */
    private static function figures(Run $grouped): array
    {
        $isAll = $grouped instanceof GroupedRun && $grouped->grouping->one === null;
        $figures = [];
        foreach (FlatReport::compute($grouped->profile(), true)->sorted('excl_wt') as $name => $row) {
            $figures[$name] = [
                $row['ct'], (int) round(1000 * ($row['excl_wt'] ?? 0)), (int) round(1000 * ($row['wt'] ?? 0)),
                ...($isAll ? [$grouped->functions($name)] : []),
            ];
        }

        return $figures;
    }
}
