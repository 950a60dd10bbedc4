<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\Selection;
use XHProf\Format\Units;
use XHProf\Requests\RouteReport;
use XHProf\Run\RouteFigures;
use XHProf\Web\Http\Response;

/**
 * Without show: all services, what their requests took and cost, and what got slower since the release before. The most expensive
 * services are tested for that, as many as there is time for.
 */
final class OverviewPage extends FleetPart
{
    private const TESTED = 8;

    /** Seconds after which no further service is tested. */
    private const PATIENCE = 0.5;

    private const SLOWER = 20;

    public function respond(): Response
    {
        $top = $this->asked->top('', 'Fleet');
        $services = (new Requests($this->client))->services($this->query->selection);
        if ($services === []) {
            return $this->asked->page($top, [$this->asked->nothing('', 'requests')]);
        }
        $all = FiguresTable::sum($services);
        $until = microtime(true) + self::PATIENCE;
        $table = $this->table();
        $slower = $this->slowerTable();
        $isAnySlower = false;
        foreach ($services as $i => $one) {
            $which = ['service' => $one['service'], 'env' => $one['env']];
            $report = $i < self::TESTED && microtime(true) < $until ? $this->report($one['service'], $one['env']) : false;
            $table->add($this->row($one, $which, $all, $report));
            if ($report instanceof RegressionReport) {
                $isAnySlower = $this->addSlower($slower, $which, $report) || $isAnySlower;
            }
        }

        return $this->asked->page($top, [
            FleetContext::tiles([
                ['label' => 'Services', 'text' => Units::count(count($services)), 'exact' => 'with their environments'],
                ['label' => 'Requests', 'text' => Units::count($all->requests), 'exact' => ''],
                [
                    'label' => 'Failed', 'text' => Units::count($all->failed),
                    'exact' => Units::percent($all->failed, max(1, $all->requests)) . ' of the requests',
                ],
                ['label' => 'Core-hours', 'text' => FiguresTable::hours($all), 'exact' => FiguresTable::CORE_HOURS],
            ]),
            ...(new FiguresTable($this->asked))->serviceCharts($services),
            $this->asked->sortable($table, ''),
            $isAnySlower ? $slower : null,
        ]);
    }

    private function table(): FleetTable
    {
        return new FleetTable('services', '', 'Services, with what their requests took and cost', [
            'service' => FleetTable::words('Service'),
            'env' => FleetTable::words('Environment', 'Environment', FleetTable::WIDE),
            'hosts' => FleetTable::number('Hosts', 'Hosts', FleetTable::MEDIUM),
            'requests' => FleetTable::number('Requests'),
            'rate' => FleetTable::number('Per second', 'Requests per second', FleetTable::WIDE),
            'failed' => FleetTable::number('Failed', FleetTable::FAILED, FleetTable::MEDIUM),
            'p50' => FleetTable::number('Median', RouteReport::quantile(0.5), FleetTable::WIDE),
            'p95' => FleetTable::number('p95', RouteReport::quantile(0.95), FleetTable::WIDE),
            'p99' => FleetTable::number('p99', RouteReport::quantile(0.99), FleetTable::MEDIUM),
            'cost' => FleetTable::number('Core-hours', FiguresTable::CORE_HOURS),
            'slower' => FleetTable::words('Got slower', 'Since the last release: functions whose own time per request grew, tested'),
        ], '');
    }

    private function slowerTable(): FleetTable
    {
        return new FleetTable('slower', 'Slower since the last release', 'Functions that got slower', [
            'function' => FleetTable::words('Function'),
            'change' => FleetTable::number('Self per request', 'Own time per request of the route, before and after'),
            'service' => FleetTable::words('Service', 'Service', FleetTable::MEDIUM),
            'route' => FleetTable::words('Route'),
            'releases' => FleetTable::words('Releases', 'The release before, and the newest', FleetTable::WIDE),
        ], '');
    }

    /**
     * @param array{service: string, env: string} $which
     *
     * @return bool whether there is a row
     */
    private function addSlower(FleetTable $table, array $which, RegressionReport $report): bool
    {
        foreach (array_slice($report->slower, 0, self::SLOWER) as $one) {
            $changes = $which + ['route' => $one->route];
            $pair = $which + ['release' => $report->new, 'base_release' => $report->old];
            $table->add([
                FleetTable::name($one->name, FleetTable::functionUrl($this->query, $one->name, $one->fn, $changes)),
                FleetTable::change($one->before / 1000, $one->after / 1000),
                FleetTable::text($which['service'], $this->query->url('routes', $which)),
                FleetTable::name($one->route, $this->query->url('routes', $changes), '(no route)'),
                FleetTable::text("$report->old → $report->new", $this->query->url('regressions', $pair)),
            ]);
        }

        return $report->slower !== [];
    }

    /**
     * @return RegressionReport|null null if there are no two releases
     */
    private function report(string $service, string $env): ?RegressionReport
    {
        $all = $this->query->selection;
        $which = new Selection($service, $env, $all->route, '', $all->host, $all->from, $all->to, $all->labels);
        $pair = ReleasePair::of($this->client, $which);

        return $pair === null ? null : (new Regressions($this->client))
            ->between($which, $pair->base, $pair->release, $this->query->clock);
    }

    /**
     * @param array{service: string, env: string, hosts: int, figures: RouteFigures} $one
     * @param array{service: string, env: string} $which
     * @param RegressionReport|false|null $report false: not tested
     *
     * @return list<array<string, mixed>>
     */
    private function row(array $one, array $which, RouteFigures $all, RegressionReport|false|null $report): array
    {
        $figures = $one['figures'];
        $seconds = $this->query->seconds();
        $url = $this->query->url('regressions', $which);
        $slower = $report === false || $report === null ? 0 : count($report->slower);

        return [
            FleetTable::name($one['service'], $this->query->url('routes', $which), '(no name)'),
            FleetTable::text($one['env']),
            FleetTable::count($one['hosts'], false, $this->query->url('hosts', $which)),
            FleetTable::count($figures->requests),
            $seconds === null ? FleetTable::text('-') + ['value' => 0] : FleetTable::count($figures->requests / $seconds),
            FleetTable::failed($figures->failed, $figures->requests),
            ...array_map(
                static fn (float $share): array => FleetTable::time($figures->wallQuantile($share)),
                [0.5, 0.95, 0.99],
            ),
            ['bar' => $all->cpu === 0 ? 0.0 : round(100 * $figures->cpu / $all->cpu, 2), 'value' => $figures->coreHours()]
                + FleetTable::text(FiguresTable::hours($figures)),
            match (true) {
                $report === false => FleetTable::text('look', $url),
                $report === null => FleetTable::text('one release only'),
                $slower > 0 => FleetTable::text($slower === 1 ? '1 function' : "$slower functions", $url) + ['tone' => 'bad'],
                $report->compared === [] => FleetTable::text('not enough data', $url),
                default => FleetTable::text('nothing', $url),
            },
        ];
    }
}
