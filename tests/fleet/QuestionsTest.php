<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\Ingestion;
use XHProf\Fleet\Question\Regression;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Profile\CallTree;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\Folder;

require_once __DIR__ . '/FleetTestCase.php';
require_once __DIR__ . '/Sums.php';

/** What was planted is found, and nothing else is. */
final class QuestionsTest extends FleetTestCase
{
    private const ROUTE = 'GET /products/{id}';
    private const FUNCTION = 'PDO::prepare';

    /** @return iterable<string, array{int}> */
    public static function seeds(): iterable
    {
        foreach ([1, 2, 3] as $seed) {
            yield "seed $seed" => [$seed];
        }
    }

    #[DataProvider('seeds')]
    public function testWhatIsPlantedIsFoundAndNothingElse(int $seed): void
    {
        $plan = new Plan($seed, hosts: 10, windows: 4, route: self::ROUTE, function: self::FUNCTION, badHosts: 2);
        $this->init();
        $this->send(self::listed((new Simulation(self::real(), $plan))->runs()));

        $regressions = new Regressions($this->client('reader'));
        $report = $regressions->between(new Selection(Plan::SERVICE), Plan::OLD, Plan::NEW, SampledClock::Wall);
        self::assertSame([[self::ROUTE, self::FUNCTION]], array_map(
            static fn (Regression $one): array => [$one->route, $one->name],
            $report->slower,
        ));
        // Half as much again was planted, and a host is up to 2 % faster or slower than another.
        self::assertEqualsWithDelta(1.5, $report->slower[0]->after / $report->slower[0]->before, 0.1);
        self::assertLessThan(0.01, $report->slower[0]->falseRate);
        self::assertSame([0, []], [$report->faster, $report->short]);
        self::assertGreaterThan(20, $report->tested);

        $back = $regressions->between(new Selection(Plan::SERVICE), Plan::NEW, Plan::OLD, SampledClock::Wall);
        self::assertSame([[], 1], [$back->slower, $back->faster]);

        $hosts = (new Requests($this->client('reader')))->hosts(new Selection(Plan::SERVICE), SampledClock::Wall);
        $odd = array_column(array_filter($hosts, static fn (array $host): bool => $host['is_outlier']), 'host');
        sort($odd);
        self::assertSame($plan->bad(), $odd);
    }

    public function testAQuietFleetHasNothingToSayAndARareRouteNotEnough(): void
    {
        $this->init();
        $plan = new Plan(5, hosts: 5, windows: 3, badHosts: 0, rate: 900.0);
        $this->send(self::listed((new Simulation(self::real(), $plan))->runs()));
        $regressions = new Regressions($this->client('reader'));
        $report = $regressions->between(new Selection(Plan::SERVICE), Plan::OLD, Plan::NEW, SampledClock::Wall);
        self::assertSame([], $report->slower);
        self::assertContains(self::ROUTE, $report->compared);
        // The others have a tenth of the requests each, a third of what it takes or hardly more.
        $none = $regressions->between(new Selection(Plan::SERVICE, host: 'web-01'), Plan::OLD, Plan::NEW, SampledClock::Wall);
        self::assertSame([0, []], [$none->tested, $none->compared]);
        self::assertContains(self::ROUTE, $none->short);
        $hosts = (new Requests($this->client('reader')))->hosts(new Selection(Plan::SERVICE), SampledClock::Wall);
        self::assertSame([], array_filter($hosts, static fn (array $host): bool => $host['is_outlier']));
    }

    public function testTheCommandLineAnswers(): void
    {
        $admin = ['--to=' . self::server()->url($this->database)];
        self::assertStringContainsString('is no store yet', $this->fleet('admin', ['status', ...$admin], 1));
        $newest = 'has version ' . Migrations::newest();
        self::assertStringContainsString("$newest now", $this->fleet('admin', ['init', ...$admin]));
        self::assertStringContainsString("$newest already", $this->fleet('admin', ['upgrade', ...$admin, '--keep=raw=2']));
        $plan = new Plan(6, hosts: 6, windows: 4, route: self::ROUTE, function: self::FUNCTION, badHosts: 1);
        $runs = self::listed((new Simulation(self::real(), $plan))->runs());
        $this->send($runs);
        $sums = new Sums($runs);

        $services = $this->json(['services']);
        self::assertSame([Plan::SERVICE, 6, $sums->requests], [
            $services['rows'][0]['service'], $services['rows'][0]['hosts'], $services['rows'][0]['requests'],
        ]);
        $routes = $this->json(['routes', '--service=shop', '--limit=0'])['rows'];
        self::assertSame($sums->requests, array_sum(array_column($routes, 'requests')));
        self::assertSame([Plan::NEW, Plan::OLD], array_column($this->json(['releases', '--service=shop'])['rows'], 'release'));
        self::assertSame($plan->bad(), $this->json(['hosts', '--service=shop'])['outliers']);
        self::assertCount(6, $this->json(['status'])['rows']);
        $functions = $this->json(['functions', '--service=shop', '--route=' . self::ROUTE, '--limit=0', '--by-release'])['rows'];
        self::assertContains(self::FUNCTION, array_column($functions, 'function'));
        $diff = $this->json(['diff', '--service=shop', '--route=' . self::ROUTE]);
        self::assertSame([self::FUNCTION, Plan::OLD, Plan::NEW], [$diff['rows'][0]['function'], $diff['base'], $diff['release']]);
        $found = $this->json(['regressions', '--service=shop', '--fail-on-regressions'], 3);
        self::assertSame([[self::ROUTE, self::FUNCTION]], array_map(
            static fn (array $row): array => [$row['route'], $row['function']],
            $found['rows'],
        ));
        foreach (['services', 'routes', 'functions', 'hosts', 'releases', 'diff', 'regressions', 'status'] as $question) {
            $text = $this->ask([$question, ...$question === 'services' || $question === 'status' ? [] : ['--service=shop']]);
            self::assertMatchesRegularExpression('/shop|web-0|2026\.11|GET|PDO/', $text);
        }
        self::assertStringContainsString('--service is missing', $this->ask(['hosts'], 2));
        self::assertStringContainsString('not enough data', $this->ask(['regressions', '--service=other'], 1));
        self::assertStringContainsString('No requests of this selection', $this->ask(['routes', "--service=o'ther"]));
        self::assertStringContainsString('not enough privileges', strtolower($this->fleet('reader', ['init', ...$admin], 1)));
    }

    public function testAFlameGraphIsARunThatTheOtherCommandsOpen(): void
    {
        $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(7, hosts: 2, windows: 1, badHosts: 0)))->runs());
        $this->send($runs);
        $folder = new Folder();
        $id = trim($this->ask(['flame', '--service=shop', "--output-dir=$folder->path/runs"]));
        $store = new RunFolder("$folder->path/runs");
        $tree = $store->open($store->identify($id))->tree();
        self::assertNotNull($tree);
        $sums = new Sums($runs);
        self::assertSame([$sums->samples, $sums->wall], [array_sum($tree->ct), array_sum($tree->exclusive('wt'))]);
        $report = $this->xhprof(['report', $id, '--json', "--output-dir=$folder->path/runs", '--limit=0']);
        self::assertIsArray(json_decode($report, true));
        self::assertStringContainsString(self::FUNCTION, $report);

        $this->ask(['flame', '--service=shop', '--host=web-01', "--output=$folder->path/one.run.json"]);
        $imported = $this->xhprof(['import', "$folder->path/one.run.json", "--output-dir=$folder->path/runs"]);
        self::assertNotSame('', $imported);
        self::assertStringContainsString('not enough data', $this->ask(['flame', '--service=shop', '--host=x', '--output=-'], 1));
    }

    public function testASingleRequestOfAHostIsThereAsAWholeRun(): void
    {
        $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(9, hosts: 2, windows: 6)))->runs());
        $sent = [];
        foreach ($runs as $i => $run) {
            $slowest = SentWindow::with($run, self::ROUTE, 1000 * $i + 1500, 7);
            $sent[] = SentWindow::with($slowest, self::ROUTE, 1000 * ($i + 1), 7, 'random');
        }
        $this->send($sent);
        $this->send($sent);
        $found = $this->json(['exemplars', '--service=shop', '--limit=0']);
        self::assertIsArray($found['rows']);
        $rows = array_map(static fn (array $row): array
            => [$row['run'], $row['kind'], $row['host'], $row['wall_us'], $row['failed']], $found['rows']);
        $expected = [];
        foreach (array_reverse($sent) as $shipment) {
            $host = $shipment->run->meta()->origin->host;
            foreach ($shipment->exemplars as $one) {
                $expected[] = [(string) $one['id'], $one['kind'], $host, $one['wall_us'], $one['failed'] ? 'failed' : ''];
            }
        }
        self::assertSame($expected, $rows);
        self::assertCount(1, (array) $this->json(['exemplars', '--service=shop', '--limit=1'])['rows']);
        $ofRoute = $this->json(['exemplars', '--service=shop', '--host=web-02', '--limit=1', '--route=GET /products/{id}']);
        self::assertCount(1, $ofRoute['rows']);

        $folder = new Folder();
        $one = $sent[1]->exemplars[0];
        $this->ask(['exemplars', '--service=shop', "--run=$one[id]", "--output=$folder->path/slow.run.json"]);
        $this->xhprof(['import', "$folder->path/slow.run.json", "--output-dir=$folder->path/runs"]);
        $store = new RunFolder("$folder->path/runs");
        $tree = $store->open($store->list()[0]->id)->tree();
        self::assertNotNull($tree);
        self::assertSame(array_sum($one['tree']->ct), array_sum($tree->ct));
        self::assertSame(self::named($one['tree']), self::named($tree));
        self::assertStringContainsString('no request of this selection', $this->ask(
            ['exemplars', '--service=other', "--run=$one[id]"],
            1,
        ));
    }

    /** @return list<string> names in the order of the tree */
    private static function named(CallTree $tree): array
    {
        return array_map(static fn (int $fn): string => $tree->names[$fn], $tree->fn);
    }

    public function testAHostIsLateByTheNewestRunOfIt(): void
    {
        $this->init();
        $plan = new Plan(8, hosts: 2, windows: 1);
        $runs = self::listed((new Simulation(self::real(), $plan))->runs());
        // web-02 has sent its first run only.
        $this->send([$runs[0], $runs[1], $runs[2]]);
        $now = $plan->begin + 2 * $plan->seconds + 60;
        $hosts = (new Ingestion($this->client('reader')))->hosts(Plan::SERVICE, $now);
        self::assertSame([['web-02', 1, 660_000_000], ['web-01', 2, 60_000_000]], array_map(
            static fn (array $host): array => [$host['host'], $host['runs'], $host['late_us']],
            $hosts,
        ));
        $which = new Selection(Plan::SERVICE, release: Plan::NEW);
        $functions = (new Functions($this->client('reader')))->top($which, SampledClock::Wall, 1);
        self::assertSame([Plan::NEW], $functions[0]->releases());
    }
}
