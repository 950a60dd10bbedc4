<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Fleet\Question\RequestTrend;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Fleet\Shipment;
use XHProf\Run\RouteFigures;

require_once __DIR__ . '/FleetTestCase.php';

/** What requests took, step after step, is what was shipped. */
final class OverTimeTest extends FleetTestCase
{
    private const ROUTE = 'GET /products/{id}';

    public function testStepsHaveTheSumsOfWhatWasSent(): void
    {
        $this->init();
        $plan = new Plan(11, hosts: 2, windows: 3, badHosts: 0);
        $runs = self::listed((new Simulation(self::real(), $plan))->runs());
        $this->send($runs);
        $rows = $this->json(['trend', '--service=shop', '--limit=0']);
        self::assertSame([600, $plan->begin, 6], [$rows['step_seconds'], $rows['from'], $rows['lines_total']]);
        self::assertSame(self::expected($runs, 600), self::short((array) $rows['rows']));
        self::assertSame(
            self::expected($runs, 600, self::ROUTE, 'web-02'),
            self::short((array) $this->json(['trend', '--service=shop', '--route=' . self::ROUTE, '--host=web-02'])['rows']),
        );
        $newest = (array) $this->json(['trend', '--service=shop', '--limit=1'])['rows'];
        self::assertSame([Plan::NEW, $plan->begin + 3000], [$newest[0]['release'], $newest[0]['at']]);
        self::assertEqualsWithDelta($newest[0]['requests'] / 600, $newest[0]['rate'], 1e-9);

        // Hours, when the range is longer than two days.
        $week = date('Y-m-d', $plan->begin - 5 * 86400);
        $hours = $this->json(['trend', '--service=shop', "--from=$week", '--until=' . date('Y-m-d', $plan->begin + 86400)]);
        self::assertSame([3600, self::expected($runs, 3600)], [$hours['step_seconds'], self::short((array) $hours['rows'])]);
        $weeks = new Selection(from: $plan->begin - 40 * 86400, to: $plan->begin + 86400);
        $days = TimeSteps::divide($this->client('reader'), $weeks);
        self::assertNotNull($days);
        self::assertSame([86400, 41], [$days->seconds, count($days->all())]);
        self::assertSame(self::expected($runs, 86400), array_map(
            static fn (array $step): array => [$step['at'], $step['release'], $step['figures']->requests, $step['figures']->failed,
                $step['figures']->wallQuantile(0.5), $step['figures']->wallQuantile(0.95), $step['figures']->wallQuantile(0.99),
                intdiv($step['figures']->cpu, $step['figures']->requests)],
            (new RequestTrend($this->client('reader')))->requests($days),
        ));
        $text = $this->ask(['trend', '--service=shop']);
        self::assertMatchesRegularExpression('/^requests +\S+ +[\d ]+ to [\d ]+$/m', $text);
        self::assertStringContainsString(Plan::NEW . ' since ' . date('Y-m-d H:i', $plan->begin + 1800), $text);
        self::assertStringContainsString('No requests of this selection', $this->ask(['trend', '--service=other']));
    }

    /** The lines of the overview add up to its table, also where a service has several environments and another has none. */
    public function testServicesOverTimeAddUpToTheServices(): void
    {
        $this->init();
        $plan = new Plan(12, hosts: 2, windows: 2, badHosts: 0);
        $end = (float) $plan->begin;
        $runs = self::listed((new Simulation(self::real(), $plan))->runs());
        $other = self::run1('a', 'other', 'GET /', 'f', 'web-01', $end + 600);
        $this->send([...$runs, $other, self::run1('b', '', 'GET /', 'f', '', $end)]);
        $reader = $this->client('reader');
        foreach ([new Selection(), new Selection(host: 'web-01'), new Selection(from: $plan->begin + 600)] as $which) {
            $steps = TimeSteps::divide($reader, $which);
            self::assertNotNull($steps);
            $sums = [];
            foreach ((new RequestTrend($reader))->services($steps) as $step) {
                $key = "$step[service]\0$step[env]";
                $sums[$key] = ($sums[$key] ?? RouteFigures::none())->plus($step['figures']);
            }
            $services = (new Requests($reader))->services($which);
            self::assertCount(count($services), $sums);
            foreach ($services as $one) {
                self::assertEquals($one['figures'], $sums["$one[service]\0$one[env]"] ?? null, $one['service']);
            }
        }
    }

    /**
     * @param list<Shipment> $runs
     *
     * @return list<list<mixed>>
     */
    private static function expected(array $runs, int $seconds, string $route = '', string $host = ''): array
    {
        $sums = [];
        foreach ($runs as $shipment) {
            $meta = $shipment->run->meta();
            $at = intdiv((int) $shipment->from(), $seconds) * $seconds;
            foreach ($host === '' || $meta->origin->host === $host ? $meta->window?->routes() ?? [] : [] as $one) {
                if ($route === '' || $one === $route) {
                    $sums["$at {$meta->origin->release}"] = ($sums["$at {$meta->origin->release}"] ?? RouteFigures::none())
                        ->plus($meta->window?->routeStats($one) ?? RouteFigures::none());
                }
            }
        }
        ksort($sums);
        $rows = [];
        foreach ($sums as $step => $sum) {
            [$at, $release] = explode(' ', $step);
            $rows[] = [(int) $at, $release, $sum->requests, $sum->failed, $sum->wallQuantile(0.5), $sum->wallQuantile(0.95),
                $sum->wallQuantile(0.99), intdiv($sum->cpu, $sum->requests)];
        }

        return $rows;
    }

    /**
     * @param array<array<string, mixed>> $rows
     *
     * @return list<list<mixed>>
     */
    private static function short(array $rows): array
    {
        return array_values(array_map(static fn (array $row): array => array_values(array_diff_key(
            $row,
            ['began' => 0, 'rate' => 0],
        )), $rows));
    }
}
