<?php

declare(strict_types=1);

namespace XHProf\Requests\Web;

use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Run\RunRecording;
use XHProf\Runs\Web\RunFilter;
use XHProf\Runs\Web\RunLines;
use XHProf\Store\RequestTotals;
use XHProf\Store\RouteRuns;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ExemplarLinks;
use XHProf\Web\Run\RouteLines;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\WindowRoutes;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TableSorting;
use XHProf\Web\Table\TimeLabel;

/**
 * index.php?view=requests: profiles started by the settings of a live site. First all requests as
 * windows counted them, over time and by route; then those with a trigger, the newest on top, the slowest, and all saved runs by
 * route or job.
 *
 * Parameters: those of RunFilter but for its order; sort (one of SORTS), dir; all=1 shows all routes.
 */
final class RequestsPage extends StorePage
{
    private const TRIGGERED = 10;
    private const SLOWEST = 15;
    private const MOST_OF_ALL = 30;

    /** Windows whose requests are looked at for the one nearest to p99. */
    private const NEAR = 5;

    private const ROUTES = 50;
    private const MAX_ROUTES = 2000;

    /** Time limit for reading new runs, in seconds. */
    private const PATIENCE = 2.0;

    private const LONGEST_HOST = 253;

    /** key => [label, title] */
    private const SORTS = [
        'route' => ['Route or job', 'Method and path without the parts that vary, or the name of the job'],
        'count' => ['Runs', 'Number of saved runs'],
        'failed' => ['Failed', 'Answered with a status from 500, or ended by a signal'],
        'median' => ['Median', 'Median wall time'],
        'p95' => ['p95', '95th percentile of wall time'],
        'slowest' => ['Slowest', 'Longest wall time'],
        'sum' => ['Total', 'Total wall time'],
    ];

    public function respond(Request $request): Response
    {
        // The sort key is that of the routes, not of the runs.
        $filter = new RunFilter($request->with('sort', 'time')->with('dir', ''), true);
        $sorting = TableSorting::from($request, array_keys(self::SORTS), 'sum', ['route']);
        $catalog = $this->runs->store->catalog();
        try {
            $pending = $catalog->sync(self::PATIENCE);
            $routes = $catalog->routes(self::query($filter));
            $triggered = in_array($filter->query->start, ['', 'trigger'], true)
                ? $catalog->find(self::query($filter, ['start' => 'trigger']), self::TRIGGERED)
                : null;
            $slowest = $catalog->find(self::query($filter, ['sort' => 'wt']), self::SLOWEST)->runs;
            $ofWindows = ['start' => RunRecording::WINDOW, 'requests' => false];
            $windows = $catalog->find(self::query($filter, $ofWindows), 1)->runs;
            $totals = $catalog->requestTotals(self::query($filter, $ofWindows + ['route' => '']));
            $total = $filter->query->isFiltered() ? $catalog->find(new RunQuery(requests: true), 1)->matches : 0;
            $choices = $catalog->choices();
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => null], 500);
        }
        $isSendable = static fn (string $host): bool => VisibleName::text(trim($host), self::LONGEST_HOST) === $host;
        $lines = new RunLines($this->runs, $filter);
        $all = $request->flag('all');
        $state = ['view' => 'requests'] + $filter->parameters() + ['all' => $all ? '1' : null];
        $direction = $sorting->direction($sorting->key === 'route');
        $order = ['sort' => $sorting->key === 'sum' ? null : $sorting->key, 'dir' => $direction];

        $response = $this->view->page('requests.html.twig', [
            'triggered' => $triggered === null ? [] : $lines->of($triggered->runs),
            'triggered_all' => ($triggered->matches ?? 0) > self::TRIGGERED
                ? ['count' => $triggered->matches ?? 0, 'url' => Url::index(['start' => 'trigger'] + $filter->parameters())]
                : null,
            'slowest' => $lines->of($slowest),
            'slowest_url' => Url::index(['sort' => 'wt'] + $filter->parameters()),
            'routes' => $this->routes($routes, $sorting, $all ? self::MAX_ROUTES : self::ROUTES, $filter),
            'route_count' => count($routes),
            'all_url' => Url::index(['all' => '1'] + $state + $order),
            'head' => self::head($sorting, $state),
            'all' => $this->all($totals, $filter->query),
            'waiting' => $catalog->waiting()->text(),
            'window' => $windows === [] ? null : $this->window($windows[0]),
            'is_empty' => $slowest === [] && $routes === [] && $windows === [],
            'total' => $total,
            'is_filtered' => array_filter($filter->parameters()) !== [],
            'pending' => $pending,
            'typed' => $filter->typed,
            'mistakes' => $filter->mistakes,
            'order' => $order,
            'choices' => ['hosts' => array_values(array_filter($choices['hosts'], $isSendable))] + $choices,
            'times' => array_map(static fn (array $last): string => $last[1], RunFilter::LAST),
            'starts' => array_diff_key(RunFilter::STARTS, [RunRecording::WINDOW => 1]),
            'folder' => PHP_SAPI === 'cli-server' ? $this->runs->store->directory() : null,
        ]);

        return $pending > 0 ? $response->withHeaders(['Refresh' => '1']) : $response;
    }

    /** @return array<string, mixed>|null the requests that windows counted; null without one */
    private function all(RequestTotals $totals, RunQuery $query): ?array
    {
        $covered = $totals->covered();
        $routes = array_values(array_filter(
            $totals->routes(),
            static fn (string $route): bool => $query->route === '' || $query->route === $route,
        ));
        $figures = $totals->figures();
        if ($covered === null || $figures->requests === 0) {
            return null;
        }
        $seconds = (float) $totals->seconds();

        return [
            'requests' => Units::count($figures->requests),
            'from' => TimeLabel::of($covered['from']),
            'to' => TimeLabel::of($covered['to']),
            'is_cut' => $totals->isCut(),
            'chart' => RequestChart::of($totals),
            'rows' => array_map(fn (string $route): array => [
                'name' => $route,
                'url' => WindowRoutes::trendUrl($query->source, $route),
                'url_title' => 'Its windows, one after the other',
                'trend_url' => null,
                'links' => $this->links($totals, $route),
            ] + RouteLines::of(
                $totals->figures($route),
                $seconds,
                $figures->wall,
                $figures->allocations->allocated,
            ), array_slice($routes, 0, self::MOST_OF_ALL)),
            'more' => max(0, count($routes) - self::MOST_OF_ALL),
        ];
    }

    /** @return array<string, array{url: string, title: string}> */
    private function links(RequestTotals $totals, string $route): array
    {
        $store = $this->runs->store;
        $slowest = $totals->slowest($route);
        $allocating = $totals->slowestAllocating($route);

        $p99 = $totals->figures($route)->quantiles()['p99'] ?? null;
        $near = $p99 === null ? [] : $totals->nearest($route, $p99, self::NEAR);

        return ($slowest === null ? [] : ExemplarLinks::ofRoute($store, $slowest, $route, $near, $p99))
            + ($allocating === null ? [] : ExemplarLinks::ofAllocations($store, $allocating, $route));
    }

    /** @param array{start?: string, sort?: string, requests?: bool, route?: string} $own */
    private static function query(RunFilter $filter, array $own = []): RunQuery
    {
        return $filter->query->with($own + ['requests' => true, 'single' => false, 'sort' => 'time', 'descending' => true]);
    }

    /**
     * @param list<RouteRuns> $routes
     * @return list<array<string, mixed>>
     */
    private function routes(array $routes, TableSorting $sorting, int $most, RunFilter $filter): array
    {
        $sums = array_map(static fn (RouteRuns $runs): int => (int) ($runs->wall->mean() * $runs->count), $routes);
        $total = array_sum($sums);
        $sorted = $sorting->apply($routes, static fn (RouteRuns $runs, int|string $i): int|float|string => match ($sorting->key) {
            'route' => $runs->route,
            'count' => $runs->count,
            'failed' => $runs->failed,
            'median' => $runs->wall->quantile(0.5),
            'p95' => $runs->wall->quantile(0.95),
            'slowest' => $runs->wall->max(),
            default => $sums[$i] ?? 0,
        });
        $lines = [];
        $wall = ShownMetric::of('wt');
        foreach (array_slice($sorted, 0, $most, true) as $i => $runs) {
            $own = ['route' => $runs->route] + $filter->parameters();
            $isNamed = VisibleName::text($runs->route, 1000) === $runs->route;
            $lines[] = [
                'route' => $runs->route,
                'url' => $isNamed ? Url::index(['sort' => 'wt'] + $own) : null,
                'trend_url' => !$isNamed || $runs->count < 2 ? null : Url::index(['view' => 'trend', 'route' => $runs->route]
                    + ['source' => $filter->query->source]),
                'count' => Units::count($runs->count),
                'failed' => $runs->failed === 0 ? '' : Units::count($runs->failed),
                'failed_url' => $isNamed ? Url::index(['status' => '5xx'] + $own) : null,
                'slowest_url' => Url::index(Url::runParameters($runs->slowest)),
                'cells' => array_map(static fn (int|float $value): array => Cells::value($value, $wall), [
                    'median' => $runs->wall->quantile(0.5),
                    'p95' => $runs->wall->quantile(0.95),
                    'slowest' => $runs->wall->max(),
                ]),
                'sum' => Cells::value($sums[$i] ?? 0, $wall, $total, true),
            ];
        }

        return $lines;
    }

    /**
     * @param array<string, string|null> $state
     * @return list<array<string, mixed>>
     */
    private static function head(TableSorting $sorting, array $state): array
    {
        $head = [];
        foreach (self::SORTS as $key => [$label, $title]) {
            $url = static fn (): string => Url::index($sorting->linkTo($key, $key === 'route') + $state) . '#routes';
            $head[] = Columns::column($key, $label, $title, $sorting, $url);
        }

        return $head;
    }

    /** @return array<string, mixed> the newest window */
    private function window(RunEntry $run): array
    {
        return [
            'title' => $run->title,
            'url' => Url::index(Url::runParameters($run->id)),
            'time' => TimeLabel::of($run->time),
            'source' => $run->id->source,
            'trend_url' => Url::index(['view' => 'trend', 'source' => $run->id->source, 'start' => RunRecording::WINDOW]),
            'all_url' => Url::index(['start' => RunRecording::WINDOW, 'only' => $run->id->source]),
        ];
    }
}
