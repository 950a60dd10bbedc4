<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\BackupGlobals;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ErrorLog;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../../xhprof_lib/display/xhprof.php';
require_once __DIR__ . '/Support/ErrorLog.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * Results of the classic functions over raw profiles.
 */
#[BackupGlobals(true)]
final class ClassicLibTest extends TestCase
{
    use ErrorLog;
    use TemporaryFolder;

    protected function setUp(): void
    {
        $GLOBALS['sortable_columns'] = xhprof_sortable_columns();
        $GLOBALS['sort_col'] = 'wt';
        $GLOBALS['display_calls'] = true;
    }

    public function testFlatInfo(): void
    {
        $totals = 'set by reference';
        $table = xhprof_compute_flat_info(Runs::small(), $totals);
        self::assertSame(['ct', 'wt', 'cpu', 'mu', 'pmu', 'excl_wt', 'excl_cpu', 'excl_mu', 'excl_pmu'], array_keys($table['b']));
        self::assertSame([5, 350, 260], [$table['b']['ct'], $table['b']['wt'], $table['b']['excl_wt']]);
        self::assertSame(
            ['ct' => 13, 'wt' => 1000, 'ut' => 0, 'st' => 0, 'cpu' => 900, 'mu' => 500, 'pmu' => 300, 'samples' => 0],
            $totals,
        );
        $GLOBALS['display_calls'] = false;
        xhprof_compute_flat_info(Runs::small(), $totals);
        self::assertSame(0, $totals['ct']);
    }

    /** As xhprof_aggregate_runs() gives it: a function that one run of three called has a third of a call. */
    public function testFlatInfoOfAMeanKeepsFractions(): void
    {
        $totals = null;
        $mean = [
            'main()' => ['ct' => 1, 'wt' => 10.6],
            'main()==>f' => ['ct' => 1 / 3, 'wt' => 0.4],
            'main()==>g' => ['ct' => 2.5, 'wt' => 0.3],
            'g==>f' => ['ct' => 1 / 3, 'wt' => 0.1],
        ];
        self::assertSame([
            'main()' => ['ct' => 1, 'wt' => 10.6, 'excl_wt' => 9.9],
            'f' => ['ct' => 0.666667, 'wt' => 0.5, 'excl_wt' => 0.5],
            'g' => ['ct' => 2.5, 'wt' => 0.3, 'excl_wt' => 0.2],
        ], xhprof_compute_flat_info($mean, $totals));
        self::assertSame([4.166667, 10.6, 0], [$totals['ct'], $totals['wt'], $totals['cpu']]);
        xhprof_compute_flat_info(xhprof_compute_diff($mean, ['main()' => ['ct' => 1.0, 'wt' => 10]]), $totals);
        self::assertSame(-0.6, $totals['wt']);
        $dot = xhprof_generate_dot_script($mean, 0, 's', null, null, false);
        self::assertStringContainsString('"f\nTotal: 500 ns (4.7 %)\nSelf: 500 ns (4.7 %)\n0.667 calls"', $dot);
    }

    public function testFlatInfoOfADifferenceIsRelativeToMain(): void
    {
        $totals = null;
        $delta = xhprof_compute_diff(Runs::small(), Runs::changed());
        $table = xhprof_compute_flat_info($delta, $totals);
        self::assertSame([10, -20], [$totals['wt'], $totals['cpu']]);
        self::assertSame(100, $table['a']['excl_wt']);
        self::assertSame(-160, $table['c']['excl_wt']);
    }

    public function testMainIsTheTotalOfADifferenceThoughItsCallsChangedLess(): void
    {
        $totals = null;
        $delta = ['main()' => ['ct' => 0, 'wt' => -100], 'main()==>a' => ['ct' => 0, 'wt' => -30]];
        self::assertSame(-70, xhprof_compute_flat_info($delta, $totals)['main()']['excl_wt']);
        self::assertSame(-100, $totals['wt']);
    }

    public function testFlatInfoOfNoProfile(): void
    {
        $totals = null;
        self::assertSame([], xhprof_compute_flat_info(['main()' => ['ct' => NAN]], $totals));
        self::assertStringContainsString('XHProf: the edge "main()" has NAN', $this->logged());
        self::assertSame(0, $totals['wt']);
    }

    public function testInclusiveTimes(): void
    {
        $times = xhprof_compute_inclusive_times(Runs::small());
        self::assertSame(['ct' => 4, 'wt' => 160, 'cpu' => 145, 'mu' => 25, 'pmu' => 0], $times['c']);
    }

    public function testDiff(): void
    {
        $delta = xhprof_compute_diff(Runs::small(), Runs::changed());
        self::assertSame(['ct' => -3, 'wt' => -120, 'cpu' => -110, 'mu' => -20, 'pmu' => 0], $delta['a==>c']);
        self::assertSame(['ct' => 7, 'wt' => 70, 'cpu' => 60, 'mu' => 20, 'pmu' => 0], $delta['a==>d']);
        self::assertSame(['ct' => 0, 'wt' => 50, 'cpu' => 20, 'mu' => 0, 'pmu' => 0], $delta['main()==>a']);
    }

    public function testInitMetrics(): void
    {
        init_metrics(Runs::small(), '', 'excl_cpu', true);
        self::assertSame(['wt', 'cpu', 'mu', 'pmu'], $GLOBALS['metrics']);
        self::assertSame('excl_cpu', $GLOBALS['sort_col']);
        self::assertTrue($GLOBALS['diff_mode']);
        self::assertTrue($GLOBALS['display_calls']);
        self::assertSame(
            ['fn', 'ct', 'Calls%', 'wt', 'IWall%', 'excl_wt', 'EWall%', 'cpu', 'ICpu%', 'excl_cpu', 'ECpu%'],
            array_slice($GLOBALS['stats'], 0, 11),
        );
        self::assertSame(['fn', 'ct', 'Calls%', 'wt', 'IWall%', 'cpu', 'ICpu%'], array_slice($GLOBALS['pc_stats'], 0, 7));
        init_metrics(Runs::small(), 'a', 'excl_cpu');
        self::assertSame('cpu', $GLOBALS['sort_col']);
        self::assertFalse($GLOBALS['diff_mode']);
    }

    public function testInitMetricsWithSamplesOnly(): void
    {
        init_metrics(['main()' => ['samples' => 9]], null, null);
        self::assertSame(['samples', ['samples'], false], [$GLOBALS['sort_col'], $GLOBALS['metrics'], $GLOBALS['display_calls']]);
        self::assertSame(['fn', 'samples', 'ISamples%', 'excl_samples', 'ESamples%'], $GLOBALS['stats']);
    }

    public function testAWrongSortKeyIsReportedButNotPrinted(): void
    {
        $this->expectOutputString('');
        init_metrics(Runs::small(), null, '<script>');
        self::assertSame('wt', $GLOBALS['sort_col']);
        self::assertStringContainsString('cannot be sorted by <script>', $this->logged());
    }

    public function testValidRun(): void
    {
        self::assertTrue(xhprof_valid_run('1', Runs::small()));
        self::assertTrue(xhprof_valid_run('1', ['main()' => ['samples' => 3]]));
        self::assertSame('', $this->logged());
        self::assertFalse(xhprof_valid_run('1', ['a==>b' => ['wt' => 1]]));
        self::assertStringContainsString('main() missing', $this->logged());
        self::assertFalse(xhprof_valid_run('1', null));
        self::assertFalse(xhprof_valid_run('1', ['main()' => ['mu' => 1]]));
        self::assertStringContainsString('Wall Time information missing', $this->logged());
        self::assertFalse(xhprof_valid_run('1', ['main()' => ['wt' => -1]]));
        self::assertStringContainsString('should not be negative', $this->logged());
        self::assertFalse(xhprof_valid_run('1', ['main()' => ['wt' => 86400000001]]));
        self::assertStringContainsString('> 1 day', $this->logged());
    }

    public function testTrimRun(): void
    {
        self::assertSame(
            ['main()==>a', 'a==>b', 'a==>c', 'main()==>b', 'b@1==>c', 'main()'],
            array_keys(xhprof_trim_run(Runs::small(), ['c', 'a'])),
        );
        self::assertSame(['main()==>a', 'main()==>b', 'main()'], array_keys(xhprof_trim_run(Runs::small(), [])));
    }

    public function testNormalize(): void
    {
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 2.5]], xhprof_normalize_metrics(['main()' => ['ct' => 2, 'wt' => 5]], 2));
        self::assertSame(['main()' => ['ct' => 2]], xhprof_normalize_metrics(['main()' => ['ct' => 2]], 0));
        self::assertNull(xhprof_normalize_metrics(null, 3));
    }

    public function testAggregate(): void
    {
        $runs = new \XHProfRuns_Default($this->folder);
        $runs->save_run(Runs::small(), 'x', 'r1');
        $runs->save_run(Runs::changed(), 'x', 'r2');
        $mean = xhprof_aggregate_runs($runs, ['r1', 'r2'], ['3', '1'], 'x');
        self::assertSame(['description', 'raw', 'bad_runs'], array_keys($mean));
        self::assertSame("Aggregated Report for 2 runs: r1,r2 in the ratio (3:1)\n", $mean['description']);
        self::assertSame(['ct' => 1, 'wt' => 1002.5, 'cpu' => 895, 'mu' => 500, 'pmu' => 300], $mean['raw']['main()'] ?? null);
        $mean = xhprof_aggregate_runs($runs, ['r1', 'none'], null, 'x');
        self::assertSame("Aggregated Report for 1 runs: r1,none\n", $mean['description']);
        self::assertSame(['none'], $mean['bad_runs'] ?? null);
        self::assertSame(Runs::small(), $mean['raw']);
        $invalid = ['description' => 'Invalid input..', 'raw' => null];
        self::assertSame($invalid, xhprof_aggregate_runs($runs, [], null, 'x'));
        self::assertSame($invalid, xhprof_aggregate_runs($runs, ['r1'], [1, 2], 'x'));
        self::assertNull(xhprof_aggregate_runs($runs, ['none'], null, 'x')['raw']);
    }

    public function testAggregateByScript(): void
    {
        $runs = new \XHProfRuns_Default($this->folder);
        $runs->save_run(Runs::small(), 'x', 'r1');
        $raw = xhprof_aggregate_runs($runs, ['r1'], [], 'x', true)['raw'] ?? [];
        $script = '__script::XHProf Run (Namespace=x)';
        self::assertSame(Runs::small()['main()'], $raw["main()==>$script"]);
        self::assertSame(Runs::small()['main()==>a'], $raw["$script==>a"]);
        self::assertArrayNotHasKey('main()==>a', $raw);
        self::assertSame(Runs::small()['a==>c'], $raw['a==>c']);
    }

    public function testPrune(): void
    {
        // 20 % of 1000: a 600, b 350 stay; c 160 and b@1 90 go.
        $pruned = xhprof_prune_run(Runs::small(), 20);
        self::assertSame(['main()==>a', 'a==>b', 'main()==>b', 'main()'], array_keys($pruned ?: []));
        $run = Runs::small() + ['tiny==>a' => ['ct' => 1, 'wt' => 500], 'x==>tiny' => ['ct' => 1, 'wt' => 1]];
        $pruned = xhprof_prune_run($run, 20);
        self::assertSame(['ct' => 1, 'wt' => 500], ($pruned ?: [])['__pruned__()==>a']);
        self::assertFalse(xhprof_prune_run(['a' => ['wt' => 1]], 20));
    }

    public function testSmallHelpers(): void
    {
        self::assertSame(['a', 'b'], xhprof_parse_parent_child('a==>b'));
        self::assertSame([null, 'main()'], xhprof_parse_parent_child('main()'));
        self::assertSame('a==>b', xhprof_build_parent_child_key('a', 'b'));
        self::assertSame('b', xhprof_build_parent_child_key(null, 'b'));
        self::assertSame('b', xhprof_build_parent_child_key('', 'b'));
        $array = ['a' => 1];
        self::assertSame(['a' => 1, 'b' => 2], xhprof_array_set($array, 'b', 2));
        self::assertSame([], xhprof_array_unset($array, 'a'));
        self::assertSame(['a' => 1], $array);
        self::assertSame(['wt', 'ut', 'st', 'cpu', 'mu', 'pmu', 'samples'], array_keys(xhprof_get_possible_metrics()));
        self::assertSame(['wt', 'pmu'], xhprof_get_metrics(['main()' => ['pmu' => 1, 'ct' => 1, 'wt' => 1]]));
        self::assertSame(['b', 'b@1'], xhprof_get_matching_functions('B', Runs::small()));
        self::assertSame(['a' => ['b', 'c'], 'b' => ['b@1'], 'b@1' => ['c'], 'main()' => ['a', 'b']], self::sorted(
            xhprof_get_children_table(Runs::small()),
        ));
    }

    public function testParams(): void
    {
        $_GET = ['s' => 'x', 'n' => ' 12 ', 'bad' => '-1', 'f' => '.5', 'inf' => '1e999', 'b' => 'ON', 'a' => ['x']];
        $_GET += ['odd' => '<b>', 'y' => 'yes', 'no' => 'No'];
        $_POST = ['p' => 'posted', 's' => 'not this'];
        self::assertSame('x', xhprof_get_string_param('s'));
        self::assertSame('posted', xhprof_get_string_param('p'));
        self::assertSame('d', xhprof_get_string_param('a', 'd'));
        self::assertSame('12', xhprof_get_uint_param('n'));
        self::assertSame(7, xhprof_get_uint_param('none', 7));
        self::assertSame(0.5, xhprof_get_float_param('f'));
        self::assertTrue(xhprof_get_bool_param('b'));
        self::assertTrue(xhprof_get_bool_param('y'));
        self::assertFalse(xhprof_get_bool_param('no', true));
        self::assertSame('', $this->logged());
        self::assertNull(xhprof_get_uint_param('bad'));
        self::assertNull(xhprof_get_float_param('inf'));
        self::assertNull(xhprof_get_bool_param('odd'));
        self::assertSame(3, substr_count($this->logged(), 'must be'));
    }

    public function testParamInit(): void
    {
        $_GET = [
            'run' => '65f1c2d3a4b5c,../../etc/passwd,order-7',
            'run1' => "a\0",
            'source' => '../x',
            'symbol' => '<b>',
            'all' => '1',
        ];
        xhprof_param_init([
            'run' => [XHPROF_STRING_PARAM, ''],
            'run1' => [XHPROF_STRING_PARAM, ''],
            'run2' => [XHPROF_STRING_PARAM, ''],
            'source' => [XHPROF_STRING_PARAM, 'xhprof'],
            'symbol' => [XHPROF_STRING_PARAM, ''],
            'all' => [XHPROF_UINT_PARAM, 0],
            'threshold' => [XHPROF_FLOAT_PARAM, 0.01],
        ]);
        self::assertSame('65f1c2d3a4b5c,order-7', $GLOBALS['run']);
        self::assertSame('', $GLOBALS['run1']);
        self::assertSame('', $GLOBALS['run2']);
        self::assertSame('xhprof', $GLOBALS['source']);
        self::assertSame('<b>', $GLOBALS['symbol']);
        self::assertSame('1', $GLOBALS['all']);
        self::assertSame(0.01, $GLOBALS['threshold']);
        $this->expectException(\InvalidArgumentException::class);
        xhprof_param_init(['x' => [9, '']]);
    }

    public function testRunsDefault(): void
    {
        $runs = new \XHProfRuns_Default($this->folder);
        $id = (string) $runs->save_run(Runs::small(), 'my_app');
        self::assertMatchesRegularExpression('/\A[0-9a-f]{32}\z/', $id);
        $description = null;
        self::assertSame(Runs::small(), $runs->get_run($id, 'my_app', $description));
        self::assertSame('XHProf Run (Namespace=my_app)', $description);
        self::assertSame('order-7', $runs->save_run(Runs::small(), 'my_app', 'order-7'));
        self::assertFileExists("$this->folder/order-7.my_app.xhprof");
        self::assertSame('', $this->logged());
        self::assertNull($runs->get_run('../x', 'my_app', $description));
        self::assertSame('Invalid Run Id = ../x', $description);
        self::assertNull($runs->get_run('none', 'my_app', $description));
        self::assertStringContainsString("there is no run none.my_app in $this->folder", $this->logged());
        file_put_contents("$this->folder/bad.my_app.xhprof", 'x');
        self::assertNull($runs->get_run('bad', 'my_app', $description));
        self::assertSame('Damaged Run Id = bad', $description);
        self::assertStringContainsString('bad.my_app.xhprof: not a run', $this->logged());
        self::assertNull($runs->save_run(null, 'my_app'));
        self::assertNull((new \XHProfRuns_Default("$this->folder/none"))->save_run(Runs::small(), 'x'));
        self::assertSame(2, substr_count($this->logged(), "\n"));
        // A source with a dot has always been possible.
        self::assertSame('a', $runs->save_run(Runs::small(), 'www.shop', 'a'));
        self::assertSame(Runs::small(), $runs->get_run('a', 'www.shop', $description));
    }

    public function testNamesOfAnyTextAreKept(): void
    {
        $runs = new \XHProfRuns_Default($this->folder);
        $names = [
            'localhost:8080' => 'localhost_8080',
            'My App' => 'My_App',
            '../x' => '___x',
            'a..b.' => 'a__b_',
            "é\n" => '___',
            'www.shop' => 'www.shop',
        ];
        foreach ($names as $type => $name) {
            self::assertSame('65f1c2d3a4b5c1_23456789', $runs->save_run(Runs::small(), $type, '65f1c2d3a4b5c1.23456789'));
            self::assertFileExists("$this->folder/65f1c2d3a4b5c1_23456789.$name.xhprof");
            self::assertSame(Runs::small(), $runs->get_run('65f1c2d3a4b5c1.23456789', $type, $description));
        }
        self::assertSame('', $this->logged());
    }

    /** @return iterable<string, array{string}> */
    public static function textsOfPrograms(): iterable
    {
        yield 'empty' => [''];
        yield 'longest' => [str_repeat('a', 64)];
        yield 'one too long' => [str_repeat('a', 65)];
        yield 'very long' => [str_repeat('shop_category_shoes_', 500)];
        yield 'an address' => ['/shop/' . str_repeat('category/', 12) . '?page=2&sort=price'];
        yield 'dots' => ['...'];
        yield 'parts' => [implode('.', array_fill(0, 8, str_repeat('a', 30)))];
        yield 'a long part' => ['www.' . str_repeat('a', 65)];
        yield 'spaces' => [' a b '];
        yield 'unicode' => [str_repeat('größe ', 20)];
        yield 'no text' => ["\0\xff\n\x1b"];
        yield 'number' => ['0'];
    }

    /** What PECL's library takes is saved: it is found by the same text, is in the list, and the list's name finds it too. */
    #[DataProvider('textsOfPrograms')]
    public function testAnyTextOfAProgramNamesARun(string $text): void
    {
        $runs = new \XHProfRuns_Default($this->folder);
        $new = (string) $runs->save_run(Runs::small(), $text);
        $own = (string) $runs->save_run(Runs::changed(), $text, $text);
        self::assertSame(Runs::small(), $runs->get_run($new, $text, $description));
        self::assertSame(Runs::changed(), $runs->get_run($text, $text, $description));
        self::assertSame(Runs::changed(), $runs->get_run($own, $text, $description));
        $listed = [];
        foreach ((new RunFolder($this->folder))->list() as $run) {
            self::assertNull($run->error);
            $listed[$run->id->id] = $run->id->source;
            self::assertLessThanOrEqual(150, strlen($run->id->source));
            self::assertNotNull($runs->get_run($run->id->id, $run->id->source, $description));
        }
        self::assertEqualsCanonicalizing([$new, $own], array_map(strval(...), array_keys($listed)));
        self::assertSame('', $this->logged());
        // PECL's page takes the program's text from the URL.
        $_GET = ['run' => $text, 'source' => $text];
        xhprof_param_init(['run' => [XHPROF_STRING_PARAM, ''], 'source' => [XHPROF_STRING_PARAM, 'none']]);
        if (xhprof_is_name($text) && !str_contains($text, ',')) {
            self::assertSame([$own, $listed[$own]], [$GLOBALS['run'], $GLOBALS['source']]);
        }
    }

    public function testTwoLongTextsAreTwoNames(): void
    {
        $runs = new \XHProfRuns_Default($this->folder);
        $long = str_repeat('a', 64);
        $ids = [];
        foreach (["{$long}1", "{$long}2", "{$long}.3", "{$long}_3"] as $text) {
            $ids[] = $runs->save_run(Runs::small(), $text, $text);
        }
        self::assertCount(4, array_unique($ids));
        self::assertCount(4, (new RunFolder($this->folder))->list());
    }

    public function testSamples(): void
    {
        $samples = ['1690000000.100000' => 'main()==>a', '1690000000.200000' => 'main()==>a==>b'];
        $runs = new \XHProfRuns_Default($this->folder);
        $id = (string) $runs->save_run($samples, 'x');
        self::assertSame($samples, $runs->get_run($id, 'x', $description));
        self::assertSame('XHProf Run (Namespace=x)', $description);
        self::assertNull(xhprof_fetch_runs($runs, $id, '', 'x')[0]);
        self::assertSame('', $this->logged());
        self::assertSame([$id], array_map(
            static fn (RunEntry $run): string => $run->id->id,
            (new RunFolder($this->folder))->list(),
        ));
        self::assertNull($runs->save_run($samples + ['z' => 5], 'x'));
        $this->expectException(InvalidProfile::class);
        (new RunFolder($this->folder))->saveSamples([], 'x');
    }

    public function testWeightsKeepTheirRatio(): void
    {
        $runs = new \XHProfRuns_Default($this->folder);
        $runs->save_run(['main()' => ['ct' => 1, 'wt' => 100]], 'x', 'r1');
        $runs->save_run(['main()' => ['ct' => 1, 'wt' => 200]], 'x', 'r2');
        foreach ([[0.5, 1.5], ['0.5', '1.5'], ['1', 3]] as $weights) {
            $mean = xhprof_aggregate_runs($runs, ['r1', 'r2'], $weights, 'x')['raw'] ?? [];
            self::assertEquals(['ct' => 1, 'wt' => 175], $mean['main()'] ?? null);
        }
        self::assertNull(xhprof_aggregate_runs($runs, ['r1', 'r2'], [INF, 1], 'x')['raw']);
    }

    public function testListRuns(): void
    {
        $_SERVER['SCRIPT_NAME'] = '/"><script>/index.php';
        $runs = new \XHProfRuns_Default($this->folder);
        $runs->save_run(Runs::small(), 'x', 'r1');
        file_put_contents("$this->folder/r2.x.xhprof", '');
        ob_start();
        $runs->list_runs();
        $html = (string) ob_get_clean();
        $link = '<a href="/&quot;&gt;&lt;script&gt;/index.php?run=r1&amp;source=x">r1.x.xhprof</a>';
        self::assertStringContainsString($link, $html);
        self::assertStringContainsString('r2.x.xhprof: the file is empty', $html);
        self::assertStringNotContainsString('<script>', $html);
        ob_start();
        (new \XHProfRuns_Default('/no/<such>/folder'))->list_runs();
        self::assertSame("<p>the run folder /no/&lt;such&gt;/folder does not exist</p>\n", ob_get_clean());
    }

    /**
     * @param array<string, list<string>> $table
     *
     * @return array<string, list<string>>
     */
    private static function sorted(array $table): array
    {
        ksort($table);

        return $table;
    }
}
