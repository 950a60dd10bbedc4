<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Report\ServicesReport;
use XHProf\Format\Units;
use XHProf\Report\Table;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\ReportTable;

/**
 * Without show: all services, what their requests took and cost, and what got slower since the release before. The most expensive
 * services are tested for that, as many as there is time for.
 */
final class OverviewPage extends FleetPart
{
    /** Seconds after which no further service is tested. */
    private const PATIENCE = 0.5;

    public function respond(): Response
    {
        $top = $this->asked->top('', 'Fleet');
        $services = new ServicesReport($this->client, $this->query->selection);
        if ($services->services === []) {
            return $this->asked->page($top, [$this->asked->nothing('', 'requests')]);
        }
        $services->test($this->query->clock, self::PATIENCE);
        $all = $services->sum();
        $slower = $services->slower();

        return $this->asked->page($top, [
            FleetContext::tiles([
                ['label' => 'Services', 'text' => Units::count(count($services->services)), 'exact' => 'with their environments'],
                ['label' => 'Requests', 'text' => Units::count($all->requests), 'exact' => ''],
                RequestFigures::failed($all),
                RequestFigures::cost($all),
            ]),
            ...(new RequestFigures($this->asked))->serviceCharts($services->services),
            $this->asked->sortable($this->services($services->report()->tables[0], $all->coreHours()), ''),
            $slower->rows === [] ? null : $this->slower($slower),
        ]);
    }

    private function services(Table $table, float $hours): ReportTable
    {
        $query = $this->query;

        return $this->asked->table($table, 'services', static function (array $row, string $key) use ($query, $hours): array {
            $which = ['service' => (string) $row['service'], 'env' => (string) $row['env']];

            return match ($key) {
                'service' => FleetContext::named($which['service'], '(no name)', $query->url('routes', $which)),
                'hosts' => ['url' => $query->url('hosts', $which)],
                'core_hours' => ['bar' => $hours],
                'slower' => ($row['slower_total'] === null ? [] : ['url' => $query->url('regressions', $which)])
                    + ($row['slower_total'] > 0 ? ['tone' => 'bad'] : []),
                default => [],
            };
        });
    }

    private function slower(Table $table): ReportTable
    {
        $query = $this->query;

        return $this->asked->table($table, 'slower', static function (array $row, string $key) use ($query): array {
            $which = ['service' => (string) $row['service'], 'env' => (string) $row['env']];
            $route = $which + ['route' => (string) $row['route']];
            $pair = $which + ['release' => (string) $row['release'], 'base_release' => (string) $row['base']];

            return match ($key) {
                'function' => ['url' => $query->functionUrl((string) $row['function'], $route)],
                'growth_ns' => ['from' => self::figure($row['before_ns'])],
                'service' => ['url' => $query->url('routes', $which)],
                'route' => FleetContext::named($route['route'], '(no route)', $query->url('routes', $route)),
                'releases' => ['url' => $query->url('regressions', $pair)],
                default => [],
            };
        });
    }
}
