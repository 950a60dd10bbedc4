<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Report\KeptReport;
use XHProf\Fleet\Report\RoutesReport;
use XHProf\Format\Units;
use XHProf\Report\Table;
use XHProf\Run\RouteFigures;
use XHProf\Stats\GrowthKind;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\ReportTable;

/**
 * show=routes: the routes of a service by release: how many requests, what they took, which failed. With a route: that by release,
 * its functions, and single requests of it.
 */
final class RoutesPage extends FleetPart
{
    private const FUNCTIONS = 30;
    private const KEPT_PATHS = 20;

    public function respond(): Response
    {
        $which = $this->query->needsService()->selection;
        $requests = new Requests($this->client);
        $report = new RoutesReport($this->client, $which);
        $all = $report->sum();
        $top = $this->asked->top('routes', $which->route === '' ? $which->service : $which->route, $which->route);
        if ($report->isEmpty()) {
            return $this->asked->page($top, [$this->asked->nothing('routes', 'requests')]);
        }
        $figures = new RequestFigures($this->asked);
        $tiles = FleetContext::tiles(RequestFigures::tiles($all));
        $where = FleetContext::where($report->times());
        if ($which->route === '') {
            $table = $this->table($report->table($requests->releases($which)), 'routes', $all);

            $blocks = [$tiles, $where, ...$figures->charts(), $this->asked->sortable($table, 'routes'), ...$this->kept()];

            return $this->asked->page($top, $blocks);
        }
        $releases = $requests->releases($which->ofRelease(''));
        $pair = ReleasePair::among(array_values(array_filter(
            $releases,
            static fn (array $one): bool => $one['requests'] > 0,
        )));
        $links = [
            'All functions' => $this->query->url('functions'),
            'Flame graph' => $this->query->url('flame'),
            'Hosts of this route' => $this->query->url('hosts'),
        ];
        if ($pair !== null) {
            $links["What changed from $pair->base to $pair->release"]
                = $this->query->differenceUrl(['release' => $pair->base], ['release' => $pair->release]);
            $links['Regressions of this route'] = $this->query->url('regressions');
        }
        $functions = (new FunctionsPage($this->asked))->functions($pair, self::FUNCTIONS, 'Heaviest functions');

        return $this->asked->page($top, [
            $tiles,
            $where,
            FleetContext::links($links),
            ...$figures->charts(),
            $this->table($report->table($releases, true), 'releases', $all),
            $this->asked->sortable($functions, 'routes'),
            (new KeptRequestsPage($this->asked))->table('Slowest requests that were kept', 10),
            ...$this->kept(),
        ]);
    }

    /** @return list<ReportTable> the call paths whose memory stays; none where it is not known */
    private function kept(): array
    {
        $table = KeptReport::report($this->client, $this->query->selection)->tables[0];
        if ($table->rows === []) {
            return [];
        }

        return [$this->asked->table($table->first(self::KEPT_PATHS), 'paths', fn (array $row, string $key): array => match ($key) {
            'route' => ['url' => $this->query->url('routes', ['route' => $row['route']])],
            'verdict' => ['title' => $row['about'], 'tone' => $row['verdict'] === GrowthKind::Grows->value ? 'bad' : ''],
            'bytes_per_request' => ['title' => '± ' . Units::bytes($row['error_bytes'])],
            default => [],
        })];
    }

    /** @param 'routes'|'releases' $id the latter where the route is known */
    private function table(Table $table, string $id, RouteFigures $all): ReportTable
    {
        $query = $this->query;

        return $this->asked->table($table, $id, static function (array $row, string $key) use ($query, $id, $all): array {
            $own = ['route' => (string) $row['route'], 'release' => (string) $row['release']];

            return match ($key) {
                'release' => FleetContext::named(
                    $own['release'],
                    '(none)',
                    $query->url($id === 'releases' ? 'functions' : 'routes', $own),
                ),
                'p99_us' => ['url' => $query->url('requests', $own), 'label' => 'The slowest requests'],
                'slowest_us' => [
                    'url' => $query->url('requests', $own + ['kept' => KeptRequest::SLOWEST]),
                    'label' => 'The slowest request that was kept',
                ],
                'wall_us' => ['share' => $all->wall, 'bar' => $all->wall],
                default => [],
            };
        });
    }
}
