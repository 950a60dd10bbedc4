<?php

declare(strict_types=1);

namespace XHProf\Requests\Web;

use XHProf\Exception\StoreError;
use XHProf\Format\Period;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Memory\GrowthReport;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Report\Order;
use XHProf\Report\TimeBar;
use XHProf\Requests\GroupShares;
use XHProf\Requests\KeptWindows;
use XHProf\Requests\RequestRange;
use XHProf\Requests\RouteReport;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Runs\Web\RunFilter;
use XHProf\Runs\Web\RunLines;
use XHProf\Stats\GrowthKind;
use XHProf\Store\RequestTotals;
use XHProf\Store\RouteRuns;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;
use XHProf\Store\WindowRange;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunGroups;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\TimeLabel;

/**
 * index.php?view=requests: profiles started by the settings of a live site. First all requests as
 * windows counted them, over time and by route; then those with a trigger, the newest on top, the slowest, and all saved runs by
 * route or job.
 *
 * Parameters: those of RunFilter but for its order; sort (a column of the tables of routes), dir; all=1 shows all routes.
 */
final class RequestsPage extends StorePage
{
    private const TRIGGERED = 10;
    private const SLOWEST = 15;
    private const MOST_OF_ALL = 30;

    /** Windows whose requests are looked at for the one nearest to p99. */
    private const NEAR = 5;

    /** Time limit for reading new runs, in seconds. */
    private const PATIENCE = 2.0;

    private const LONGEST_HOST = 253;

    /** Sources whose windows are added up. */
    private const SUMS = 3;

    /** The newest windows that are read for what requests keep, and what is shown of it. */
    private const KEPT_WINDOWS = 120;
    private const KEPT_PATHS = 20;
    private const KEPT_FINDINGS = 5;

    /** Lines of the table of packages, plug-ins or owners. */
    private const SHARES = 40;

    public function respond(Request $request): Response
    {
        // The sort key is that of the routes, not of the runs.
        $filter = new RunFilter($request->with('sort', 'time')->with('dir', ''), true);
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
            $range = RequestRange::of($catalog, self::query($filter, $ofWindows), $filter->last->label ?? '');
            $total = $filter->query->isFiltered() ? $catalog->find(new RunQuery(requests: true), 1)->matches : 0;
            $choices = $catalog->choices();
        } catch (StoreError) {
            return $this->view->page('runs_empty.html.twig', ['unreadable' => true, 'folder' => null], 500);
        }
        $isSendable = static fn (string $host): bool => VisibleName::text(trim($host), self::LONGEST_HOST) === $host;
        $lines = new RunLines($this->runs, $filter);
        $state = ['view' => 'requests'] + $filter->parameters();
        $url = static fn (array $more): string => Url::index($more + $state);
        $saved = RouteReport::saved($routes);
        $order = ReportTable::order($request, [...$saved->orders(), ...RouteReport::ORDERS]);
        $routesTable = new ReportTable($saved, self::additions($filter), static fn (array $row): array
            => self::links($row['runs'], $filter), 'routes');

        $response = $this->view->page('requests.html.twig', [
            'triggered' => $triggered === null ? [] : $lines->of($triggered->runs),
            'triggered_all' => ($triggered->matches ?? 0) > self::TRIGGERED
                ? ['count' => $triggered->matches ?? 0, 'url' => Url::index(['start' => 'trigger'] + $filter->parameters())]
                : null,
            'slowest' => $lines->of($slowest),
            'slowest_url' => Url::index(['sort' => 'wt'] + $filter->parameters()),
            'routes' => $routesTable->ordered($request, $url, new Order(RouteReport::USUAL_SAVED))->toArray(),
            'all' => $this->all($totals, $filter->query, $request, $url),
            'kept' => $this->kept($totals, $filter, $request, $url),
            'shares' => $this->shares($filter, $request, $url),
            'waiting' => $catalog->waiting()->text(),
            'window' => $windows === [] ? null : $this->window($windows[0]),
            'range' => $range === null ? null : $this->range($range, $slowest === [] && $windows === [], $url),
            'is_empty' => $slowest === [] && $routes === [] && $windows === [],
            'total' => $total,
            'is_filtered' => array_filter($filter->parameters()) !== [],
            'pending' => $pending,
            'zone' => 'Time zone ' . date_default_timezone_get(),
            'typed' => $filter->typed,
            'mistakes' => $filter->mistakes,
            'order' => ['sort' => $order?->by, 'dir' => $order?->descending === null ? null : $request->text('dir')],
            'choices' => ['hosts' => array_values(array_filter($choices['hosts'], $isSendable))] + $choices,
            'times' => $filter->periods(),
            'starts' => array_diff_key(RunFilter::STARTS, [RunRecording::WINDOW => 1]),
            'folder' => PHP_SAPI === 'cli-server' ? $this->runs->store->directory() : null,
        ]);

        return $pending > 0 ? $response->withHeaders(['Refresh' => '1']) : $response;
    }

    /**
     * @param \Closure(array<string, string|int|null>): string $url of this page
     *
     * @return array<string, mixed>|null the requests that windows counted; null without one
     */
    private function all(RequestTotals $totals, RunQuery $query, Request $request, \Closure $url): ?array
    {
        $covered = $totals->covered();
        $report = RouteReport::ofTotals($totals, $query->route);
        if ($covered === null || $report->all->requests === 0) {
            return null;
        }
        $sums = self::sums($totals, $query);
        $tables = new RouteTables(
            $report,
            static fn (string $route): ?string
                => $route === RequestWindow::BETWEEN ? null : Url::trendOfRoute($query->source, $route),
            'Its windows, one after the other',
            fn (string $route, RouteFigures $figures): array => self::flame($sums, $route)
                + $this->exemplars($totals, $route, $figures),
            count($sums) < 2 ? null : static fn (array $row): array
                => RouteReport::isBetween($row) ? [] : self::flames($sums, $row['route']),
        );
        $order = new Order(RouteReport::USUAL);

        return [
            'requests' => Units::count($report->all->requests),
            'from' => TimeLabel::of($covered['from']),
            'to' => TimeLabel::of($covered['to']),
            'is_cut' => $totals->isCut(),
            'flames' => self::flames($sums, $query->route),
            'chart' => RequestChart::draw($totals),
            'where' => TimeBar::of($report->times())?->drawn(),
            'times' => $tables->times($report->timesTable(), self::MOST_OF_ALL)->ordered($request, $url, $order)->toArray(),
            'memory' => $tables->memory($report->memoryTable(), self::MOST_OF_ALL)->ordered($request, $url)->toArray(),
            'about_memory' => $report->aboutMemory(),
        ];
    }

    /**
     * Whose time each route took, where the address asks for it: it takes reading the call paths.
     *
     * @param \Closure(array<string, string|int|null>): string $url of this page
     *
     * @return array{links: list<array{label: string, url: string, current: bool}>, table: array<string, mixed>|null,
     *     notes: list<string>, by: string}
     */
    private function shares(RunFilter $filter, Request $request, \Closure $url): array
    {
        $grouping = RunGroups::fromRequest($request->with('view', ''));
        // The first link stands for the page without this table.
        $links = array_slice(array_map(
            static fn (array $link): array => ['url' => "$link[url]#shares"] + $link,
            RunGroups::links($grouping, $request, ['view' => 'requests'] + $filter->parameters()),
        ), 1);
        if ($grouping === null) {
            return ['links' => $links, 'table' => null, 'notes' => [], 'by' => ''];
        }
        $shares = new GroupShares($grouping, $filter->query->route, false);
        $shares->add($this->runs->store, self::query($filter), null, seconds: self::PATIENCE);
        $noun = $grouping->by->noun();
        $more = ['groups' => $grouping->by->value];
        $table = new ReportTable($shares->table()->with([
            'key' => 'shares',
            'title' => '',
            'caption' => "Routes, with the share of each $noun in their time",
        ]), static fn (array $row, string $key): array => match ($key) {
            'row' => self::isNamed($row['row']) ? ['url' => $url(['route' => $row['row']] + $more) . '#shares'] : [],
            'group' => self::isNamed($row['group']) ? ['url' => $url(['group' => $row['group']] + $more) . '#shares'] : [],
            'share' => ['bar' => 1],
            default => [],
        }, class: 'routes', top: self::SHARES);

        return [
            'links' => $links,
            'table' => $table->ordered($request, static fn (array $own): string => $url($own + $more
                + ['group' => $grouping->one]) . '#shares')->toArray(),
            'notes' => $shares->notes(),
            'by' => $noun,
        ];
    }

    /**
     * @param \Closure(array<string, string|int|null>): string $url of this page
     *
     * @return array<string, mixed>|null what requests keep, by path; null where it is not known
     */
    private function kept(RequestTotals $totals, RunFilter $filter, Request $request, \Closure $url): ?array
    {
        $route = $filter->query->route;
        if ($totals->figures($route === '' ? null : $route)->allocations->followed === 0) {
            return null;
        }
        $windows = KeptWindows::read($this->runs->store, self::query($filter), self::KEPT_WINDOWS, self::PATIENCE);
        $report = GrowthReport::of($windows, $route === '' ? null : $route);
        $table = $report->table();
        $findings = array_slice($report->findings(), 0, self::KEPT_FINDINGS);
        $trend = static fn (string $route): ?string => Url::trendOfRoute($filter->query->source, $route);
        $shown = new ReportTable($table->with(['note' => 'of ' . Units::counted($windows->windows(), 'window')]), static fn (
            array $row,
            string $key,
        ): array => match ($key) {
            'route' => ['url' => $trend($row['route']), 'label' => 'Its windows, one after the other'],
            'verdict' => ['title' => $row['about'], 'tone' => $row['verdict'] === GrowthKind::Grows->value ? 'bad' : ''],
            'bytes_per_request' => ['title' => '± ' . Units::bytes($row['error_bytes'])],
            default => [],
        }, class: 'routes kept-paths', top: self::KEPT_PATHS);

        return [
            'findings' => [
                'list' => new FindingList($findings, 'growing', '', 'Memory that grows'),
                'urls' => array_map(static fn (Finding $one): ?string => $trend((string) ($one->json()['route'] ?? '')), $findings),
            ],
            'table' => $shown->ordered($request, $url)->toArray(),
        ];
    }

    /**
     * The windows of this range as runs.
     *
     * @return array<string, \Closure(string): ?RunId> by source, of a route; [] where the filter asks for what windows do not have
     */
    private static function sums(RequestTotals $totals, RunQuery $query): array
    {
        $covered = $totals->covered();
        $others = [$query->url, $query->tag, $query->status, ...$query->words];
        $isOther = implode('', $others) !== '' || $query->pinned !== null || $query->minWall !== null;
        if ($covered === null || $isOther || $query->start !== '') {
            return [];
        }
        // What was asked for, not what there is: an address that is sent has the same range.
        $from = $query->sinceRelease || $query->from === null ? (float) $covered['from'] : $query->from;
        $until = $query->until ?? (float) $covered['to'];
        $sums = [];
        foreach (array_slice($totals->sources(), 0, self::SUMS) as $source) {
            $sums[$source] = static fn (string $route): ?RunId => WindowRange::id($source, $from, $until, $route, $query->host);
        }

        return $sums;
    }

    /**
     * @param array<string, \Closure(string): ?RunId> $sums
     * @param string $route '' for all
     *
     * @return array<string, string> label => address of the flame graph of all these requests
     */
    private static function flames(array $sums, string $route): array
    {
        $links = [];
        foreach ($sums as $source => $id) {
            $run = $id($route);
            if ($run !== null) {
                $label = 'Flame graph' . (count($sums) > 1 ? " of $source" : '');
                $links[$label] = Url::index(Url::runParameters($run) + ['view' => 'flame']);
            }
        }

        return $links;
    }

    /**
     * @param array<string, \Closure(string): ?RunId> $sums
     *
     * @return array<string, array{url: string, title: string}> by column, where the windows are of one source
     */
    private static function flame(array $sums, string $route): array
    {
        $links = count($sums) === 1 && $route !== RequestWindow::BETWEEN ? self::flames($sums, $route) : [];

        return array_map(static fn (string $url): array => [
            'url' => $url, 'title' => 'Flame graph of all these requests',
        ], array_combine(array_map(static fn (): string => 'total', $links), $links));
    }

    /**
     * @param \Closure(array<string, string|int|null>): string $url of this page
     *
     * @return array{text: string, none: string|null, nearest: array<string, string>} the range that is asked for, and where it has
     *     no requests those that are nearest: label => address of their day
     */
    private function range(RequestRange $range, bool $isEmpty, \Closure $url): array
    {
        $nearest = [];
        foreach ($isEmpty ? $range->nearest() : [] as $side => $time) {
            if ($time !== null) {
                $day = date('Y-m-d', (int) $time);
                $nearest[Period::moment($time) . " $side it"] = $url(['last' => null, 'from' => $day, 'to' => $day]);
            }
        }

        return ['text' => $range->text(), 'none' => $isEmpty ? $range->none() : null, 'nearest' => $nearest];
    }

    /** @return array<string, array{url: string, title: string}> */
    private function exemplars(RequestTotals $totals, string $route, RouteFigures $figures): array
    {
        $store = $this->runs->store;
        $slowest = $totals->slowest($route);
        $allocating = $totals->slowestAllocating($route);
        $p99 = $figures->quantiles()['p99'] ?? null;
        $near = $p99 === null ? [] : $totals->nearest($route, $p99, self::NEAR);

        return ($slowest === null ? [] : ExemplarLinks::ofRoute($store, $slowest, $route, $near, $p99))
            + ($allocating === null ? [] : ExemplarLinks::ofAllocations($store, $allocating, $route));
    }

    /** @param array{start?: string, sort?: string, requests?: bool, route?: string} $own */
    private static function query(RunFilter $filter, array $own = []): RunQuery
    {
        return $filter->query->with($own + ['requests' => true, 'single' => false, 'sort' => 'time', 'descending' => true]);
    }

    /** @return \Closure(array<string, mixed>, string): array<string, mixed> links of the saved runs of a route */
    private static function additions(RunFilter $filter): \Closure
    {
        return static function (array $row, string $key) use ($filter): array {
            $own = ['route' => $row['route']] + $filter->parameters();
            $isNamed = self::isNamed($row['route']);

            return match ($key) {
                'route' => ['url' => $isNamed ? Url::index(['sort' => 'wt'] + $own) : null, 'label' => 'Its runs'],
                'failed' => ['url' => $isNamed ? Url::index(['status' => '5xx'] + $own) : null, 'tone' => 'bad'],
                'slowest' => ['url' => Url::index(Url::runParameters($row['runs']->slowest)), 'label' => 'The slowest run'],
                'sum' => ['share' => $row['whole'], 'bar' => $row['whole']],
                default => [],
            };
        };
    }

    /** @return array<string, string> */
    private static function links(RouteRuns $runs, RunFilter $filter): array
    {
        $own = ['view' => 'trend', 'route' => $runs->route, 'source' => $filter->query->source];

        return $runs->count < 2 || !self::isNamed($runs->route) ? [] : ['Trend' => Url::index($own)];
    }

    /** Whether an address can have the name of a route. */
    private static function isNamed(string $route): bool
    {
        return VisibleName::text($route, 1000) === $route;
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
