<?php

declare(strict_types=1);

namespace XHProf\Requests;

use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteAllocations;
use XHProf\Run\RouteFigures;
use XHProf\Store\RequestTotals;
use XHProf\Store\RouteRuns;
use XHProf\Store\WaitingRequests;

/** The report on requests by route: what they took and what memory, in one window or in those of a folder. */
final class RouteReport
{
    /** Orders of the command, and the one that rows have where none is asked for. */
    public const ORDERS = [
        'total', 'requests', 'failed', 'p50', 'p90', 'p95', 'p99', 'p999', 'max', 'suspended', 'peak', 'allocated', 'held', 'kept',
        'stays', 'route',
    ];
    public const USUAL = 'total';
    public const USUAL_SAVED = 'sum';

    private const ROUTE = 'Method and path without the parts that vary, or the name of the job';
    private const FAILED_RUN = 'Answered with a status from 500, or ended by a signal';
    private const ABORTED = 'Their clients were gone before the end';
    private const SHAPE = 'Wall times of the requests from fast to slow, each bar as much slower than the one before';
    private const WAITS = 'Share of the wall time in which they waited: for a database, the network, a disk, a lock, a moment, a'
        . ' client';
    private const WHERE = 'Where the time was: CPU time as it was measured, waiting by samples, and the rest, in which nothing ran';
    private const AFTER = 'Time in which requests went on when their clients had the answer, by fastcgi_finish_request(); the other'
        . ' times end with the answer';
    private const SUSPENDED = 'Time in which the requests were suspended: other fibers ran, or the loop waited. It is part of their'
        . ' wall time, and has no samples';
    private const CUT = "Jobs whose samples and CPU time end where another fiber's job began";
    private const MIXED = 'Jobs within which other fibers ran, which are in their samples and CPU time';
    private const UNSAMPLED = 'Time within the requests for which there are no samples: they began a profile or a job of their own,'
        . ' or could not be sampled';
    private const SAMPLES = 'Samples of this route, and their share';
    private const PEAK = [
        "Largest memory of PHP's heap in half of the requests, at most",
        "Largest memory of PHP's heap in 99 % of the requests, at most",
    ];
    private const ALLOCATED = 'What a request allocates in the mean, freed or not: an estimate from sampled allocations';
    private const HELD = 'What a request holds of it in the mean when its memory is largest: an estimate from sampled allocations';
    private const BY_ALL = 'What all requests allocated together, and the share of all routes';
    private const KEPT = 'Memory that a process keeps, for each request: how its resident memory grew from the begin of a request'
        . ' to the begin of its next one. Caches grow at first; a leak grows on.';

    private const STAYS = 'Memory of a request that was alive 16 requests later, less what was freed after that: an estimate from'
        . ' sampled allocations';

    /** Columns that are there even if nothing is known, and those of the memory of requests. */
    private const ALWAYS = ['route', 'requests', 'rate', 'mean', 'max', 'total'];
    private const MEMORY = ['peak_median', 'peak', 'allocated', 'held', 'by_all', 'kept', 'stays'];

    /** Columns as terminals have them, as far as there are such. */
    private const PRINTED = [
        'requests', 'rate', 'failed', 'p50', 'p90', 'p95', 'p99', 'p999', 'mean', 'max', 'cpu', 'peak', 'allocated', 'held', 'kept',
        'stays', 'total', 'suspended', 'after', 'cut', 'mixed', 'unsampled', 'route',
    ];

    /** Which column of a quantile a narrow screen loses first: the highest. */
    private const QUANTILES = ['p50' => 3, 'p90' => 22, 'p95' => 13, 'p99' => 0, 'p999' => 23];

    /** @var array<string, Column>|null */
    private ?array $columns = null;

    /**
     * @param list<array{route: string, figures: RouteFigures}> $routes those of most time first
     * @param RouteFigures $all     of all routes, shown or not
     * @param float        $seconds in which the requests ended; 0: unknown
     * @param bool         $isOne   whether it is one window
     */
    private function __construct(
        public readonly array $routes,
        public readonly RouteFigures $all,
        public readonly float $seconds,
        private readonly bool $isOne = false,
    ) {
    }

    /** Where the time of all routes was: the sum of their bars, as more may be known of one route than of another. */
    public function times(): ?TimeParts
    {
        $times = array_filter(array_map(static fn (array $row): ?TimeParts => $row['figures']->times(), $this->routes));

        return $times === [] ? null : TimeParts::sum(array_values($times));
    }

    /** @param string $route '' for all */
    public static function ofTotals(RequestTotals $totals, string $route = ''): self
    {
        $names = array_filter($totals->routes(), static fn (string $name): bool => $route === '' || $name === $route);
        $routes = array_map(static fn (string $name): array => ['route' => $name, 'figures' => $totals->figures($name)], $names);

        return new self(array_values($routes), $totals->figures(), (float) $totals->seconds());
    }

    public static function ofWindow(RequestWindow $window): self
    {
        $routes = array_map(static fn (string $route): array => [
            'route' => $route, 'figures' => $window->routeStats($route) ?? RouteFigures::none(),
        ], $window->routes());

        return new self($routes, RouteFigures::sum(array_column($routes, 'figures')), $window->length(), true);
    }

    /**
     * @param Order $order by one of ORDERS
     * @param int   $limit of routes, 0 for all
     * @param RequestRange|null $range that was asked for; null for any time
     */
    public static function report(
        RequestTotals $totals,
        WaitingRequests $waiting,
        string $route,
        Order $order,
        int $limit,
        ?RequestRange $range = null,
    ): Report {
        $own = self::ofTotals($totals, $route);
        $covered = $totals->covered();
        $none = match (true) {
            $own->all->requests > 0 => 'No requests of this route were counted.',
            $range !== null && $covered === null => trim("{$range->none()} {$range->near()}"),
            $waiting->requests > 0 => 'No window of requests is saved yet.',
            default => 'No requests were counted. xhprof.mode=aggregate counts them; see docs/production.md.',
        };
        $columns = $own->columns();
        $table = new Table(
            'routes',
            [...array_values($columns), new Column('figures', Unit::Text, '', label: '', inJson: false)],
            array_map(self::row(...), $own->routes),
            $none,
            printed: array_values(array_intersect(self::PRINTED, array_keys($columns))),
        );

        return new Report(
            [$table->ordered($order)->first($limit, 'routes')],
            array_values(array_filter([
                $waiting->text(),
                array_filter($own->routes, self::isBetween(...)) === [] ? ''
                    : RequestWindow::BETWEEN . ': ' . lcfirst(RequestWindow::BETWEEN_HELP),
            ])),
            [
                'from' => $covered['from'] ?? null,
                'to' => $covered['to'] ?? null,
                'seconds' => $totals->seconds(),
                'is_cut' => $totals->isCut(),
                'requests' => $own->all->requests,
                'failed' => $own->all->failed,
                'aborted' => $own->all->aborted,
                'waiting' => $waiting->requests,
                'wall_us' => $own->all->quantiles(),
                'routes_total' => count($own->routes),
                'sort' => $order->by,
                'range' => $range?->facts($covered === null),
            ],
            $covered === null || $own->routes === [] ? [] : [new Heading('', [sprintf(
                '%s requests, %s to %s (%s)%s',
                Units::count($own->all->requests),
                date('Y-m-d H:i', $covered['from']),
                date('Y-m-d H:i', $covered['to']),
                date('T', $covered['to']),
                $totals->isCut() ? '; older windows are left out' : '',
            ), ...($range === null ? [] : ['Windows that begin ' . $range->text()])], bar: TimeBar::of($own->times()))],
        );
    }

    /** What the requests took. */
    public function timesTable(): Table
    {
        $columns = array_diff_key($this->columns(), array_flip(self::MEMORY));

        return $this->table('times', $columns, $this->routes, 'Routes, with what their requests took');
    }

    /** The memory of these requests; without rows where nothing is known. */
    public function memoryTable(): Table
    {
        $columns = array_intersect_key($this->columns(), array_flip(self::MEMORY));
        $isKnown = static fn (array $row): bool => $row['figures']->peaks->count() > 0 || $row['figures']->keptRequests > 0
            || $row['figures']->allocations->isKnown();
        // Here they give way to nothing; on a phone what is held gives way to what stays.
        $weights = ['peak' => 0, 'allocated' => 0, 'held' => isset($columns['stays']) ? Column::PHONE : 0, 'stays' => 0];
        foreach (array_intersect_key($columns, $weights) as $key => $column) {
            $columns[$key] = $column->with(['weight' => $weights[$key]]);
        }
        $rows = $columns === [] ? [] : array_values(array_filter($this->routes, $isKnown));
        $route = new Column('route', Unit::Name, 'route', label: 'Route or job');

        return $this->table('memory', [$route, ...array_values($columns)], $rows, 'Routes, with the memory of their requests');
    }

    /** What the figures of memory are. */
    public function aboutMemory(): string
    {
        return 'per request' . (isset($this->columns()['held']) ? '; allocated and held are estimates from samples' : '');
    }

    /**
     * Saved runs by route, those that took most time first.
     *
     * @param list<RouteRuns> $routes
     */
    public static function saved(array $routes): Table
    {
        $failed = static fn (array $row): int|string => $row['failed'] ?: '';
        $sum = static fn (RouteRuns $runs): int => (int) ($runs->wall->mean() * $runs->count);
        $whole = array_sum(array_map($sum, $routes));

        $table = new Table('routes', [
            new Column('route', Unit::Name, 'route', 0, 'Route or job', self::ROUTE),
            new Column('count', Unit::Count, 'runs', help: 'Number of saved runs'),
            new Column('failed', Unit::Count, 'failed', 11, help: self::FAILED_RUN, value: $failed),
            new Column('median', Unit::Microseconds, 'median', help: 'Median wall time'),
            new Column('p95', Unit::Microseconds, 'p95', 12, 'p95', '95th percentile of wall time'),
            new Column('slowest', Unit::Microseconds, 'slowest', 13, help: 'Longest wall time'),
            new Column('sum', Unit::Microseconds, 'total', help: 'Total wall time'),
        ], array_map(static fn (RouteRuns $runs): array => [
            'route' => $runs->route,
            'count' => $runs->count,
            'failed' => $runs->failed,
            'median' => $runs->wall->quantile(0.5),
            'p95' => $runs->wall->quantile(0.95),
            'slowest' => $runs->wall->max(),
            'sum' => $sum($runs),
            'whole' => $whole,
            'runs' => $runs,
        ], $routes), '', 'By route and job', 'Routes and jobs, with the times of their runs', 'saved runs only');

        return $table->ordered(new Order(self::USUAL_SAVED));
    }

    /** @return string requests per second */
    public static function rate(int $requests, float $seconds): string
    {
        return $seconds > 0 ? Units::count($requests / $seconds) : '-';
    }

    /** "5 requests": those whose times are known. */
    public static function counted(RouteFigures $figures): string
    {
        return Units::counted($figures->walls->count(), 'request');
    }

    /** After their number: how long most of the requests took, as the tables have it. */
    public static function shares(RouteFigures $figures): string
    {
        return sprintf(
            ', half of them up to %s, 99 %% up to %s',
            Units::us($figures->wallQuantile(0.5) ?? 0),
            Units::us($figures->wallQuantile(0.99) ?? 0),
        );
    }

    /** Says what a route waited for: each kind of waiting with its share of the wall time. */
    public static function waits(RouteFigures $figures): string
    {
        $parts = [];
        foreach ($figures->times()?->parts() ?? [] as $part) {
            if ($part['group'] === TimePart::WAITING) {
                $parts[$part['label'] . ' ' . Units::percent($part['share'], 1)] = $part['us'];
            }
        }
        arsort($parts);

        return implode(', ', array_keys($parts));
    }

    /** @return float|null share of the wall time in which they waited; null where nothing is known of it */
    private static function waitsOf(RouteFigures $figures): ?float
    {
        $times = $figures->met > 0 ? $figures->times() : null;

        return $times?->share($times->group(TimePart::WAITING));
    }

    /**
     * @param array<Column> $columns
     * @param list<array{route: string, figures: RouteFigures}> $rows
     */
    private function table(string $key, array $columns, array $rows, string $caption): Table
    {
        return new Table($key, array_values($columns), $rows, 'No requests in this window.', caption: $caption);
    }

    /** @return array<string, Column> those of which anything is known; those that only pages have too */
    private function columns(): array
    {
        if ($this->columns !== null) {
            return $this->columns;
        }
        $seconds = $this->seconds;
        $us = Unit::Microseconds;
        $quantiles = [];
        foreach (self::QUANTILES as $key => $weight) {
            $label = RouteFigures::metric($key)->label;
            $help = RouteFigures::meaning(RouteFigures::QUANTILES[$key]);
            $quantiles[] = self::column($key, $us, $weight, lcfirst($label), $label, $help, static fn (RouteFigures $figures): ?int
                => $figures->quantiles()[$key]);
        }
        $columns = [
            new Column('route', Unit::Name, 'route', label: 'Route or job'),
            new Column('requests', Unit::Count, 'requests', 1, value: static fn (array $row): int|string
                => self::isBetween($row) ? '' : $row['figures']->requests),
            new Column('rate', Unit::Count, 'per second', 24, value: static fn (array $row): ?float
                => $seconds > 0 && !self::isBetween($row) ? $row['figures']->requests / $seconds : null),
            self::column('failed', Unit::Count, 11, 'failed', 'Failed', RouteFigures::FAILED, static fn (
                RouteFigures $figures,
            ): int|string => $figures->failed ?: ''),
            self::column('aborted', Unit::Count, 25, '', 'Aborted', self::ABORTED, static fn (RouteFigures $figures): int|string
                => $figures->aborted ?: ''),
            ...$quantiles,
            self::column('mean', $us, 2, 'mean', 'Mean', '', static fn (RouteFigures $figures): ?int => $figures->mean()),
            self::column('max', $us, 14, 'slowest', 'Slowest', '', static fn (RouteFigures $figures): ?int
                => $figures->requests === 0 ? null : $figures->max),
            // Pictures of them.
            self::column('shape', Unit::Text, 25, '', 'Times', self::SHAPE, static fn (RouteFigures $figures): int|string
                => $figures->walls->count() ?: ''),
            self::column('where', Unit::Text, 21, '', 'Where', self::WHERE, static fn (RouteFigures $figures): int|string
                => $figures->times()?->isUnknown() === false ? $figures->wall : ''),
            self::column('cpu', $us, 26, 'CPU', '', '', static fn (RouteFigures $figures): ?int => $figures->cpus->quantile(0.5)),
            self::column('total', $us, 6, 'total', 'Total', '', static fn (RouteFigures $figures): ?int
                => $figures->requests === 0 ? null : $figures->wall),
            self::column('waits', Unit::Percent, 17, '', 'Waiting', self::WAITS, static fn (RouteFigures $figures): ?float
                => self::waitsOf($figures)),
            self::column('suspended', $us, 18, 'suspended', 'Suspended', self::SUSPENDED, static fn (
                RouteFigures $figures,
            ): int|string => $figures->suspended > 0 ? $figures->suspendedTime : ''),
            self::column('after', $us, 19, 'after', 'After the answer', self::AFTER, static fn (RouteFigures $figures): int|string
                => $figures->early > 0 ? $figures->after : ''),
            self::column('cut', Unit::Count, 12, 'cut', 'Cut', self::CUT, static fn (RouteFigures $figures): int|string
                => $figures->cut ?: ''),
            self::column('mixed', Unit::Count, 13, 'mixed', 'Mixed', self::MIXED, static fn (RouteFigures $figures): int|string
                => $figures->mixed ?: ''),
            self::column('unsampled', $us, 18, 'no samples', 'Without samples', self::UNSAMPLED, static fn (
                RouteFigures $figures,
            ): int|string => $figures->unsampled > 0 ? $figures->unsampledTime : ''),
            self::column('samples', Unit::Count, 16, '', 'Samples', self::SAMPLES, fn (RouteFigures $figures): ?int
                => $this->isOne ? $figures->samples : null),
            self::column('peak_median', Unit::Bytes, 22, '', 'Peak, median', self::PEAK[0], static fn (RouteFigures $figures): ?int
                => $figures->peaks->quantile(0.5)),
            self::column('peak', Unit::Bytes, 27, 'peak', 'Peak, p99', self::PEAK[1], static fn (RouteFigures $figures): ?int
                => $figures->peaks->quantile(0.99)),
            self::column(
                'allocated',
                Unit::Bytes,
                25,
                'allocated',
                'Allocated',
                self::ALLOCATED,
                static fn (RouteFigures $figures): ?int => $figures->allocations->allocatedPerRequest(),
            ),
            self::column('held', Unit::Bytes, 25, 'held', Metrics::of('peak_bytes')->label, self::HELD, static fn (
                RouteFigures $figures,
            ): ?int => $figures->allocations->heldPerRequest()),
            self::column('by_all', Unit::Bytes, 22, '', 'Allocated by all', self::BY_ALL, static fn (RouteFigures $figures): ?int
                => $figures->allocations->isKnown() ? $figures->allocations->allocated : null),
            self::column('kept', Unit::Bytes, 25, 'kept', 'Kept', self::KEPT, static fn (RouteFigures $figures): ?int
                => $figures->keptMean()),
            self::column('stays', Unit::Bytes, 24, 'stays', 'Stays', self::STAYS, static fn (RouteFigures $figures): ?int
                => $figures->allocations->staysPerRequest()),
        ];
        $known = array_filter($columns, fn (Column $column): bool => in_array($column->key, self::ALWAYS, true)
            || $this->has(static fn (array $row): bool => !in_array($column->of($row), [null, ''], true)));
        $known = array_column($known, null, 'key');

        return $this->columns = array_diff_key($known, array_filter([
            'mean' => isset($known['shape']),
            'kept' => !$this->has(static fn (array $row): bool => ($row['figures']->keptMean() ?? 0) !== 0),
            'stays' => !$this->has(static fn (array $row): bool => $row['figures']->allocations->followed > 0),
        ]));
    }

    /**
     * @param array<string, mixed> $row
     *
     * @return bool whether it is what belongs to no request
     */
    public static function isBetween(array $row): bool
    {
        return $row['route'] === RequestWindow::BETWEEN;
    }

    /** @param \Closure(array{route: string, figures: RouteFigures}): bool $is of any route */
    private function has(\Closure $is): bool
    {
        foreach ($this->routes as $row) {
            if ($is($row)) {
                return true;
            }
        }

        return false;
    }

    /** @param \Closure(RouteFigures): (int|float|string|null) $value */
    private static function column(
        string $key,
        Unit $unit,
        int $weight,
        string $title,
        string $label,
        string $help,
        \Closure $value,
    ): Column {
        return new Column($key, $unit, $title, $weight, $label, $help, value: static fn (array $row): int|float|string|null
            => $value($row['figures']));
    }

    /**
     * @param array{route: string, figures: RouteFigures} $row
     *
     * @return array<string, mixed> for programs, µs and bytes
     */
    private static function row(array $row): array
    {
        $figures = $row['figures'];
        $memory = $figures->allocations;

        return [
            'route' => $row['route'],
            'requests' => $figures->requests,
            'failed' => $figures->failed,
            'aborted' => $figures->aborted,
            'wall_us' => $figures->quantiles() + ['mean' => $figures->mean(), 'max' => $figures->max, 'total' => $figures->wall],
            'cpu_us' => ['p50' => $figures->cpus->quantile(0.5), 'total' => $figures->cpu],
            'suspended_us' => [
                'requests' => $figures->suspended, 'mean' => $figures->meanSuspended(), 'total' => $figures->suspendedTime,
            ],
            ...TimeBar::json($figures->times()),
            'after_us' => ['requests' => $figures->early, 'mean' => $figures->meanAfter(), 'total' => $figures->after],
            'cut' => $figures->cut,
            'mixed' => $figures->mixed,
            'unsampled_us' => ['requests' => $figures->unsampled, 'total' => $figures->unsampledTime],
            'peak_bytes' => ['p99' => $figures->peaks->quantile(0.99)],
            'allocated_bytes' => self::sampled($memory, $memory->allocatedPerRequest(), $memory->allocated),
            'held_bytes' => self::sampled($memory, $memory->heldPerRequest(), $memory->held),
            'kept_bytes' => [
                'mean' => $figures->keptMean(),
                'total' => $figures->keptRequests === 0 ? null : $figures->kept,
                'requests' => $figures->keptRequests,
            ],
            'stays_bytes' => [
                'mean' => $memory->staysPerRequest(),
                'kept' => $memory->followed === 0 ? null : $memory->kept,
                'released' => $memory->followed === 0 ? null : $memory->released,
                'requests' => $memory->followed,
            ],
            'figures' => $figures,
        ];
    }

    /** @return array{mean: int|null, total: int|null, requests: int} */
    private static function sampled(RouteAllocations $allocations, ?int $mean, int $total): array
    {
        return ['mean' => $mean, 'total' => $allocations->isKnown() ? $total : null, 'requests' => $allocations->requests];
    }
}
