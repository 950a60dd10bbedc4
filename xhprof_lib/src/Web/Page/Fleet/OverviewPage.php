<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\Selection;
use XHProf\Format\Units;
use XHProf\Run\RouteFigures;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RouteLines;

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
            Asked::tiles([
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

    private function table(): Table
    {
        return new Table('services', '', 'Services, with what their requests took and cost', [
            'service' => Table::words('Service'),
            'env' => Table::words('Environment', 'Environment', Table::WIDE),
            'hosts' => Table::number('Hosts', 'Hosts', Table::MEDIUM),
            'requests' => Table::number('Requests'),
            'rate' => Table::number('Per second', 'Requests per second', Table::WIDE),
            'failed' => Table::number('Failed', Table::FAILED, Table::MEDIUM),
            'p50' => Table::number('Median', RouteLines::quantile(0.5), Table::WIDE),
            'p95' => Table::number('p95', RouteLines::quantile(0.95), Table::WIDE),
            'p99' => Table::number('p99', RouteLines::quantile(0.99), Table::MEDIUM),
            'cost' => Table::number('Core-hours', FiguresTable::CORE_HOURS),
            'slower' => Table::words('Got slower', 'Since the last release: functions whose own time per request grew, tested'),
        ], '');
    }

    private function slowerTable(): Table
    {
        return new Table('slower', 'Slower since the last release', 'Functions that got slower', [
            'function' => Table::words('Function'),
            'change' => Table::number('Self per request', 'Own time per request of the route, before and after'),
            'service' => Table::words('Service', 'Service', Table::MEDIUM),
            'route' => Table::words('Route'),
            'releases' => Table::words('Releases', 'The release before, and the newest', Table::WIDE),
        ], '');
    }

    /**
     * @param array{service: string, env: string} $which
     *
     * @return bool whether there is a row
     */
    private function addSlower(Table $table, array $which, RegressionReport $report): bool
    {
        foreach (array_slice($report->slower, 0, self::SLOWER) as $one) {
            $changes = $which + ['route' => $one->route];
            $pair = $which + ['release' => $report->new, 'base_release' => $report->old];
            $table->add([
                Table::name($one->name, Table::functionUrl($this->query, $one->name, $one->fn, $changes)),
                Table::change($one->before / 1000, $one->after / 1000),
                Table::text($which['service'], $this->query->url('routes', $which)),
                Table::name($one->route, $this->query->url('routes', $changes), '(no route)'),
                Table::text("$report->old → $report->new", $this->query->url('regressions', $pair)),
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
            Table::name($one['service'], $this->query->url('routes', $which), '(no name)'),
            Table::text($one['env']),
            Table::count($one['hosts'], false, $this->query->url('hosts', $which)),
            Table::count($figures->requests),
            $seconds === null ? Table::text('-') + ['value' => 0] : Table::count($figures->requests / $seconds),
            Table::failed($figures->failed, $figures->requests),
            ...array_map(
                static fn (float $share): array => Table::time($figures->wallQuantile($share)),
                [0.5, 0.95, 0.99],
            ),
            ['bar' => $all->cpu === 0 ? 0.0 : round(100 * $figures->cpu / $all->cpu, 2), 'value' => $figures->coreHours()]
                + Table::text(FiguresTable::hours($figures)),
            match (true) {
                $report === false => Table::text('look', $url),
                $report === null => Table::text('one release only'),
                $slower > 0 => Table::text($slower === 1 ? '1 function' : "$slower functions", $url) + ['tone' => 'bad'],
                $report->compared === [] => Table::text('not enough data', $url),
                default => Table::text('nothing', $url),
            },
        ];
    }
}
