<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\RouteFigures;

/** Which services there are, what their requests took and cost, and, where it is asked for, what got slower. */
final class ServicesReport
{
    /** Services that are tested for what got slower, and functions of each that are listed. */
    private const TESTED = 8;
    private const SLOWER = 20;

    /** @var list<array{service: string, env: string, hosts: int, figures: RouteFigures}> the most expensive first */
    public readonly array $services;

    /** @var array<int, RegressionReport|null>|null by service, as far as they were tested; null where there are no two releases */
    private ?array $tested = null;

    public function __construct(private readonly Client $client, private readonly Selection $which)
    {
        $this->services = (new Requests($client))->services($which);
    }

    /**
     * Tests the most expensive services for what got slower since the release before.
     *
     * @param float $patience seconds after which no further one is tested
     */
    public function test(SampledClock $clock, float $patience): void
    {
        $until = microtime(true) + $patience;
        $this->tested = [];
        foreach (array_slice($this->services, 0, self::TESTED) as $one) {
            if (microtime(true) >= $until) {
                break;
            }
            $which = $this->which->ofService($one['service'], $one['env']);
            $pair = ReleasePair::choose($this->client, $which);
            $this->tested[] = $pair === null ? null : (new Regressions($this->client))
                ->between($which, $pair->base, $pair->release, $clock);
        }
    }

    public function sum(): RouteFigures
    {
        return RouteFigures::sum(array_column($this->services, 'figures'));
    }

    public function report(): Report
    {
        return new Report([$this->table()], [], ['services_total' => count($this->services)]);
    }

    private function table(): Table
    {
        $seconds = $this->which->seconds();
        $rows = [];
        foreach ($this->services as $i => $one) {
            $figures = $one['figures'];
            $rows[] = [
                'service' => $one['service'],
                'env' => $one['env'],
                'hosts' => $one['hosts'],
                'requests' => $figures->requests,
                'rate' => $seconds === null ? null : $figures->requests / $seconds,
                'failed' => $figures->failed,
                'p50_us' => $figures->wallQuantile(0.5),
                'p95_us' => $figures->wallQuantile(0.95),
                'p99_us' => $figures->wallQuantile(0.99),
                'core_hours' => $figures->coreHours(),
                'suspended_us' => $figures->suspended === 0 ? null : $figures->suspendedTime,
                'slower' => $this->words($i),
                'slower_total' => $this->isAlone($i) ? null : count($this->tested[$i]->slower ?? []),
            ];
        }

        return new Table('rows', [
            new Column('service', Unit::Name, 'service'),
            new Column('env', Unit::Text, 'env', Column::NARROW + 2, 'Environment'),
            new Column('hosts', Unit::Count, 'hosts', Column::PHONE + 2),
            FleetColumns::requests(0),
            Column::ofPage('rate', Unit::Count, 'Per second', 'Requests per second', Column::NARROW),
            FleetColumns::failed(),
            FleetColumns::quantile('p50', Column::NARROW),
            FleetColumns::quantile('p95', Column::NARROW + 1),
            FleetColumns::quantile('p99', Column::PHONE),
            new Column('core_hours', Unit::Hours, 'core-hours', help: FleetColumns::CORE_HOURS, sort: 'cost'),
            ...FleetColumns::suspended($rows),
            Column::ofPage(
                'slower',
                Unit::Text,
                'Got slower',
                'Since the last release: functions whose own time per request grew, tested',
            ),
            Column::ofPage('slower_total', Unit::Count, ''),
        ], $rows, 'No requests have arrived.', caption: 'Services, with what their requests took and cost', printed: [
            'core_hours', 'hosts', 'requests', 'failed', 'p50_us', 'p95_us', 'p99_us',
            ...array_column(FleetColumns::suspended($rows), 'key'), 'env', 'service',
        ]);
    }

    /** Whether a service was looked at, and has no two releases. */
    private function isAlone(int $service): bool
    {
        return array_key_exists($service, $this->tested ?? []) && $this->tested[$service] === null;
    }

    /** What a test of a service has found. */
    private function words(int $service): string
    {
        $found = $this->tested[$service] ?? null;

        return match (true) {
            $found === null => $this->isAlone($service) ? 'one release only' : 'look',
            $found->slower !== [] => Units::counted(count($found->slower), 'function'),
            $found->compared === [] => 'not enough data',
            default => 'nothing',
        };
    }

    /** The functions that got slower, of all services that were tested. */
    public function slower(): Table
    {
        $rows = [];
        foreach (array_filter($this->tested ?? []) as $i => $found) {
            foreach (array_slice($found->slower, 0, self::SLOWER) as $one) {
                $rows[] = [
                    'function' => $one->name, 'growth_ns' => $one->growth(), 'before_ns' => $one->before,
                    'service' => $this->services[$i]['service'], 'env' => $this->services[$i]['env'], 'route' => $one->route,
                    'releases' => "$found->old → $found->new", 'base' => $found->old, 'release' => $found->new,
                ];
            }
        }

        return new Table('slower', [
            Column::ofPage('function', Unit::Name, 'Function'),
            Column::ofPage(
                'growth_ns',
                Unit::Nanoseconds,
                'Self per request',
                'Own time per request of the route, before and after',
                sort: 'change',
            ),
            Column::ofPage('service', Unit::Text, 'Service', weight: Column::PHONE),
            Column::ofPage('route', Unit::Name, 'Route'),
            Column::ofPage('releases', Unit::Text, 'Releases', 'The release before, and the newest', Column::NARROW),
        ], $rows, 'No function got slower.', 'Slower since the last release', 'Functions that got slower');
    }
}
