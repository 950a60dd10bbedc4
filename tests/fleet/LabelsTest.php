<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Fleet\Question\Flame;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\KeptRequests;
use XHProf\Fleet\Question\LabelValues;
use XHProf\Fleet\Question\OneFunction;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\RequestTrend;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Fleet\Shipment;

require_once __DIR__ . '/FleetTestCase.php';
require_once __DIR__ . '/Sums.php';

/** A question that is limited to a label is about the runs that have it. */
final class LabelsTest extends FleetTestCase
{
    private const ROUTE = 'GET /products/{id}';
    private const FUNCTION = 'PDO::prepare';

    public function testEveryQuestionIsLimitedToALabel(): void
    {
        $this->init();
        $name = "sha'rd\\";
        [$runs, $some] = $this->labelled($name);
        $this->send($runs);
        $reader = $this->client('reader');
        $which = new Selection(Plan::SERVICE, labels: [$name => "a'b", 'team' => 'checkout']);
        $sums = new Sums($some);
        self::assertGreaterThan(0, $sums->requests);

        $services = (new Requests($reader))->services($which);
        self::assertSame([2, $sums->requests], [$services[0]['hosts'], $services[0]['figures']->requests]);
        $count = static fn (array $rows): int
            => array_sum(array_map(static fn (array $row): int => $row['figures']->requests, $rows));
        self::assertSame($sums->requests, $count((new Requests($reader))->routes($which)));
        $releases = (new Requests($reader))->releases($which);
        self::assertSame([[Plan::NEW, $sums->requests]], array_map(
            static fn (array $one): array => [$one['release'], $one['requests']],
            $releases,
        ));
        $hosts = (new Requests($reader))->hosts($which, SampledClock::Wall);
        self::assertSame([2, $sums->requests], [count($hosts), array_sum(array_column($hosts, 'requests'))]);
        $steps = TimeSteps::divide($reader, $which);
        self::assertNotNull($steps);
        self::assertSame($sums->requests, $count((new RequestTrend($reader))->requests($steps)));
        $functions = (new Functions($reader))->top($which, SampledClock::Wall, 1000);
        self::assertSame($sums->wall, array_sum(array_map(static fn ($one): int => $one->self(), $functions)));
        $tree = (new Flame($reader))->tree($which, SampledClock::Wall);
        self::assertSame($sums->wall, array_sum($tree?->exclusive('wt') ?? []));
        $one = new OneFunction($reader, self::FUNCTION);
        $total = array_sum(array_map(
            static fn (string $key, int $time): int => str_ends_with($key, ' > ' . self::FUNCTION) ? $time : 0,
            array_keys($sums->total),
            $sums->total,
        ));
        self::assertGreaterThan(0, $total);
        self::assertSame($total, array_sum(array_column($one->callers($which, SampledClock::Wall), 'time')));
        self::assertSame(
            array_sum(array_filter($sums->self, static fn (string $key): bool
                => str_ends_with($key, ' > ' . self::FUNCTION), ARRAY_FILTER_USE_KEY)),
            array_sum(array_column($one->overTime($steps, SampledClock::Wall), 'self')),
        );
        self::assertCount(2, $one->hosts($which, SampledClock::Wall));
        $report = (new Regressions($reader))->between($which, Plan::OLD, Plan::NEW, SampledClock::Wall);
        self::assertSame([0, []], [$report->tested, $report->compared]);
        self::assertContains(self::ROUTE, $report->short);
        $kept = array_column((new KeptRequests($reader))->slowest($which, 100), 'run');
        self::assertSame([(string) ($some[0]->exemplars[0]['id'] ?? '')], $kept);
        self::assertSame([], (new Requests($reader))->services(new Selection(labels: ['team' => "a'b"])));
    }

    public function testLabelsSayHowManyValuesTheyHaveAndWhatHadNoRoom(): void
    {
        $this->init();
        [$runs] = $this->labelled('shard');
        $other = get_object_vars($runs[0]);
        $other['labels'] = ['shard' => Shipment::OTHER] + $other['labels'];
        $runs[0] = new Shipment(...$other);
        $this->send($runs);
        $all = (new Sums($runs))->requests;
        $rows = $this->json(['labels'])['rows'];
        $short = array_map(static fn (array $row): array
            => [$row['label'], $row['values'], $row['other'], $row['kind']], (array) $rows);
        self::assertSame(['env', 1, 0, ''], $short[1]);
        self::assertSame(['release', 2, 0, ''], $short[3]);
        self::assertSame(['host', 2, 0, ''], $short[4]);
        self::assertSame(['shard', 3, (new Sums([$runs[0]]))->requests, 'free'], $short[5]);
        self::assertSame([['team', 1, 0, 'free'], $all], [$short[6], $rows[6]['requests']]);
        $values = (array) $this->json(['labels', 'shard', '--service=shop'])['rows'];
        self::assertSame($all, array_sum(array_column($values, 'requests')));
        $names = array_column($values, 'value');
        sort($names);
        self::assertSame([Shipment::OTHER, "a'b", 'z'], $names);
        $labels = ['--label=shard=z', '--label=team=checkout'];
        $routes = (array) $this->json(['routes', '--service=shop', '--limit=0', ...$labels])['rows'];
        self::assertSame(
            (new Sums(array_filter($runs, static fn (Shipment $run): bool => $run->labels['shard'] === 'z')))->requests,
            array_sum(array_column($routes, 'requests')),
        );
        self::assertStringContainsString('--label takes NAME=VALUE', $this->ask(['routes', '--service=shop', '--label=x'], 2));
        self::assertSame(2, (new LabelValues($this->client('reader')))->names(new Selection(Plan::SERVICE))[4]['values']);
    }

    /**
     * Runs of two hosts: of the first release with one value of a label, of the second with another, one of them with a request.
     *
     * @return array{list<Shipment>, list<Shipment>} all, and those with the second value
     */
    private function labelled(string $name): array
    {
        $runs = $some = [];
        $plan = new Plan(21, hosts: 2, windows: 2, badHosts: 0);
        foreach ((new Simulation(self::real(), $plan))->runs() as $one) {
            $isNew = $one->run->meta()->origin->release === Plan::NEW;
            $parts = get_object_vars($one);
            $parts['labels'] = $isNew ? ['team' => 'checkout', $name => "a'b"] : [$name => 'z', 'team' => 'checkout'];
            $changed = new Shipment(...$parts);
            if ($isNew && $some === [] || $runs === []) {
                $changed = SentWindow::with($changed, self::ROUTE, 1000, 500);
            }
            $runs[] = $changed;
            if ($isNew) {
                $some[] = $changed;
            }
        }

        return [$runs, $some];
    }
}
