<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Question\Regression;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\RegressionRules;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Report\FunctionsReport;
use XHProf\Fleet\Report\HostsReport;
use XHProf\Fleet\Report\OneFunctionReport;
use XHProf\Fleet\Report\RegressionsReport;
use XHProf\Fleet\Report\ReleasesReport;
use XHProf\Fleet\Report\RoutesReport;
use XHProf\Fleet\Report\ServicesReport;
use XHProf\Fleet\Report\StoreReport;
use XHProf\Fleet\Report\TrendReport;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Unit;

/** The reports of a fleet over the store of the golden files: what commands and pages show is made here. */
final class FleetReportsTest extends TestCase
{
    private const FROM = 1763676000;

    /** @var resource */
    private static $process;

    private static Client $client;

    public static function setUpBeforeClass(): void
    {
        $answers = require __DIR__ . '/../golden/store.php';
        $services = 'SELECT service, env, sum(requests)';
        $answers[$services][] = ['blog', '', 100, 5, 1, 5_000_000, 1_500_000, 400_000, [300 => 60, 340 => 40]];
        $answers = json_encode($answers, JSON_THROW_ON_ERROR);
        $process = proc_open([PHP_BINARY, '-n', __DIR__ . '/../html/hostile-store.php', $answers], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        self::$process = $process;
        self::$client = Client::fromDestination(new Destination('clickhouse://' . trim((string) fgets($pipes[1])) . '/fleet'));
    }

    public static function tearDownAfterClass(): void
    {
        proc_terminate(self::$process, 9);
        proc_close(self::$process);
    }

    public function testWhatPagesAloneHaveIsNotInJson(): void
    {
        $routes = new RoutesReport(self::$client, self::shop());
        $seen = [['release' => '1.0', 'env' => '', 'first' => self::FROM - 5, 'last' => self::FROM + 400, 'requests' => 1]];
        $table = $routes->table($seen);
        self::assertSame([2, null], array_slice(array_column($table->rows, 'rate'), 0, 2), 'of the time that is asked for');
        self::assertArrayNotHasKey('rate', $table->json()[0]);
        self::assertSame($routes->report()->json()['rows'], $table->json());
        self::assertSame('release', $routes->table($seen, true)->columns[0]->key);

        $json = ReleasesReport::report(self::$client, self::shop())->json();
        self::assertSame(['releases_total', 'rows'], array_keys($json));
        self::assertSame(['1.1', date('Y-m-d H:i', 1763679600)], [$json['rows'][0]['release'], $json['rows'][0]['first']]);
        self::assertSame(['release', 'env', 'first', 'last', 'requests'], array_keys($json['rows'][0]));
        self::assertSame(['1.0', null], array_column(self::rows(ReleasesReport::report(self::$client, self::shop())), 'before'));
    }

    public function testTheFirstRowsOfAnyOrderAreShown(): void
    {
        $report = HostsReport::report(self::$client, self::shop(), SampledClock::Wall);
        $hosts = static fn (Report $shown): array => array_column(self::rows($shown), 'host');
        self::assertSame(['web-2', 'web-1'], $hosts($report));
        self::assertSame(['web-1'], $hosts($report->shown(new Order('requests'), 1)));
        self::assertSame(['web-2', 'web-1'], $hosts($report->shown(new Order('requests', false), 0)));
        self::assertSame(2, $report->shown(null, 1)->json()['hosts_total']);
        self::assertSame(['Not enough data: it takes 4 hosts to know whether one stands out.'], $report->notes);
    }

    public function testServicesAreTestedAsLongAsThereIsTime(): void
    {
        $services = new ServicesReport(self::$client, self::shop());
        self::assertSame(['look', 'look'], array_column(self::rows($services->report()), 'slower'));
        $services->test(SampledClock::Wall, 0.0);
        self::assertSame(['look', 'look'], array_column(self::rows($services->report()), 'slower'));
        self::assertSame([], $services->slower()->rows);
        $services->test(SampledClock::Wall, 60.0);
        self::assertSame(['2 functions', '2 functions'], array_column(self::rows($services->report()), 'slower'));
        self::assertSame(['shop', 'shop', 'blog', 'blog'], array_column($services->slower()->rows, 'service'));
        self::assertSame('1.0 → 1.1', $services->slower()->rows[0]['releases']);
        self::assertSame(1900, $services->sum()->requests);
        self::assertArrayNotHasKey('slower', $services->report()->json()['rows'][0]);
    }

    public function testAFunctionHasItsPartsAndItsSteps(): void
    {
        $function = new OneFunctionReport(self::$client, self::shop(), SampledClock::Wall, 'PDOStatement::execute');
        $json = $function->report(1)->json();
        self::assertSame(['rows_total' => 2], array_diff_key($json['callers'], ['rows' => 0]));
        self::assertCount(1, $json['callers']['rows']);
        self::assertSame(
            ['requests', 'step_seconds', 'over_time', 'releases', 'callers', 'callees', 'hosts'],
            array_slice(array_keys($json), -7),
        );
        $steps = $function->report(0)->steps;
        self::assertNotNull($steps);
        [$unit, $values] = $steps(3)['own'];
        self::assertSame([Unit::Nanoseconds, 3], [$unit, count($values)]);
        // 1.8 s of 460 requests are in the middle.
        self::assertEqualsWithDelta(1.8e9 / 460, $values[1], 1.0);
        self::assertSame(['1.1', '1.0'], array_column($function->releases(['1.1', '1.2'])->rows, 'release'));
        self::assertNull((new OneFunctionReport(self::$client, self::shop(), SampledClock::Wall, 'nothing'))->figures);
    }

    public function testTheNewestStepsAreShown(): void
    {
        $trend = new TrendReport(self::$client, self::shop());
        $json = $trend->report(1)->json();
        self::assertSame([1763681400, '1.1', 3], [$json['rows'][0]['at'], $json['rows'][0]['release'], $json['lines_total']]);
        self::assertCount(3, $trend->report(0)->json()['rows']);
        self::assertSame(["shop\0prod"], array_values(array_unique(array_column($trend->services(), 'release'))));
        self::assertStringStartsWith('1.0 since ', $trend->report(0)->notes[0]);
    }

    public function testWhatRulesMuteIsApart(): void
    {
        $one = static fn (string $name): Regression => new Regression('GET /', 1, $name, 'a.php', 3, 10.0, 25.0, 0.0001, 150.0);
        $found = new RegressionReport('1', '2', [$one('a'), $one('b')], 1, 5, ['GET /'], ['POST /']);
        $file = (string) tempnam(sys_get_temp_dir(), 'xhprof-rules');
        file_put_contents($file, json_encode([
            'owners' => ['a' => 'team'],
            'mutes' => [['function' => 'a', 'until' => '2026-12-31', 'reason' => 'known']],
        ]));
        $rules = RegressionRules::ofFile($file);
        unlink($file);
        $report = new RegressionsReport($found, $rules, (int) strtotime('2026-12-01'));
        self::assertSame([['b'], ['a']], [array_column($report->slower, 'name'), array_column($report->muted, 'name')]);
        $json = $report->report()->json();
        self::assertSame([['b'], 1, 10.0, 'team'], [
            array_column($json['rows'], 'function'), $json['slower_total'], $json['rows'][0]['share'], $json['rows'][0]['owner'],
        ]);
        self::assertSame(['1 -> 2: 5 functions of 1 route tested, own time per request; 2 got slower, 1 got faster',
            'Not enough data: POST /', 'Muted until 2026-12-31: a of GET / (known)'], $report->report()->notes);
        self::assertSame(['POST /'], array_column($report->short()->rows, 'route'));
        $all = new RegressionsReport($found, RegressionRules::none(), 0);
        self::assertNotContains('owner', array_column($all->report()->tables[0]->columns, 'key'));
    }

    public function testFunctionsOfTwoReleasesAndLateHosts(): void
    {
        $functions = FunctionsReport::report(self::$client, self::shop(), SampledClock::Wall, 10, true);
        self::assertSame(['1.0', '1.1'], array_slice(array_column(self::rows($functions), 'release'), 0, 2));
        $store = new StoreReport(self::$client);
        $hosts = $store->hosts('');
        self::assertSame([0, [0, 7]], [StoreReport::late($hosts), array_column($hosts->rows, 'waiting')]);
        self::assertSame(['version', 'newest_version', 'hosts_total', 'rows', 'volume'], array_keys($store->report('')->json()));
    }

    private static function shop(): Selection
    {
        return new Selection('shop', from: self::FROM, to: self::FROM + 10800);
    }

    /** @return list<array<string, string|int|float|bool|null>> */
    private static function rows(Report $report): array
    {
        return $report->tables[0]->rows;
    }
}
