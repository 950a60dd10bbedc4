<?php

declare(strict_types=1);

namespace XHProf\Requests\Cli;

use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\View;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Run\RouteAllocations;
use XHProf\Run\RouteFigures;
use XHProf\Store\RequestTotals;
use XHProf\Store\WaitingRequests;

/** The routes of windows, one per line. */
final class RequestsView implements View
{
    public const SORTS = [
        'total', 'requests', 'failed', 'p50', 'p90', 'p95', 'p99', 'p999', 'max', 'allocated', 'held', 'kept', 'route',
    ];

    /** Which column of a quantile a narrow screen loses first: the highest. */
    private const WEIGHTS = ['p50' => 3, 'p90' => 7, 'p95' => 4, 'p99' => 0, 'p999' => 8];

    /** @var array<int, array{string, RouteFigures}> name and figures, in order */
    private readonly array $routes;

    private readonly RouteFigures $all;

    private readonly float $seconds;

    /** @param int $limit 0 for all */
    public function __construct(
        private readonly RequestTotals $totals,
        private readonly WaitingRequests $waiting,
        string $route,
        private readonly string $sort,
        private readonly int $limit,
    ) {
        $this->all = $totals->figures();
        $this->seconds = (float) $totals->seconds();
        $names = array_filter($totals->routes(), static fn (string $name): bool => $route === '' || $name === $route);
        $routes = array_map(static fn (string $name): array => [$name, $totals->figures($name)], array_values($names));
        if ($sort === 'route') {
            usort($routes, static fn (array $a, array $b): int => strcmp($a[0], $b[0]));
        } elseif ($sort !== 'total') {
            usort($routes, static fn (array $a, array $b): int => self::value($b[1], $sort) <=> self::value($a[1], $sort));
        }
        $this->routes = $routes;
    }

    public function print(Screen $screen): void
    {
        $waiting = $this->waiting->text();
        if ($this->routes === []) {
            $screen->writeln(match (true) {
                $this->all->requests > 0 => 'No requests of this route were counted.',
                $waiting !== '' => 'No window of requests is saved yet.',
                default => 'No requests were counted. xhprof.mode=aggregate counts them; see docs/production.md.',
            });
            $screen->say($waiting);

            return;
        }
        $covered = $this->totals->covered();
        if ($covered !== null) {
            $screen->writeln(sprintf(
                '%s requests, %s to %s (%s)%s',
                Units::count($this->all->requests),
                date('Y-m-d H:i', $covered['from']),
                date('Y-m-d H:i', $covered['to']),
                date('T'),
                $this->totals->isCut() ? '; older windows are left out' : '',
            ));
            $screen->writeln('');
        }
        $this->table()->print($screen);
        $screen->rest(count($this->shown()), count($this->routes), 'routes');
        $screen->say($waiting);
    }

    public function json(): array
    {
        $covered = $this->totals->covered();

        return [
            'from' => $covered['from'] ?? null,
            'to' => $covered['to'] ?? null,
            'seconds' => $this->totals->seconds(),
            'is_cut' => $this->totals->isCut(),
            'requests' => $this->all->requests,
            'failed' => $this->all->failed,
            'aborted' => $this->all->aborted,
            'waiting' => $this->waiting->requests,
            'wall_us' => $this->all->quantiles(),
            'routes_total' => count($this->routes),
            'sort' => $this->sort,
            'routes' => array_map(static fn (array $route): array => [
                'route' => $route[0],
                'requests' => $route[1]->requests,
                'failed' => $route[1]->failed,
                'aborted' => $route[1]->aborted,
                'wall_us' => $route[1]->quantiles()
                    + ['mean' => $route[1]->mean(), 'max' => $route[1]->max, 'total' => $route[1]->wall],
                'cpu_us' => ['p50' => $route[1]->cpus->quantile(0.5), 'total' => $route[1]->cpu],
                'after_us' => ['requests' => $route[1]->early, 'mean' => $route[1]->meanAfter(), 'total' => $route[1]->after],
                'cut' => $route[1]->cut,
                'mixed' => $route[1]->mixed,
                'unsampled_us' => ['requests' => $route[1]->unsampled, 'total' => $route[1]->unsampledTime],
                'peak_bytes' => ['p99' => $route[1]->peaks->quantile(0.99)],
                'allocated_bytes' => self::allocations($route[1]->allocations, 'allocated'),
                'held_bytes' => self::allocations($route[1]->allocations, 'held'),
                'kept_bytes' => [
                    'mean' => $route[1]->keptMean(),
                    'total' => $route[1]->keptRequests === 0 ? null : $route[1]->kept,
                    'requests' => $route[1]->keptRequests,
                ],
            ], $this->shown()),
        ];
    }

    /**
     * @param 'allocated'|'held' $figure
     *
     * @return array{mean: int|null, total: int|null, requests: int}
     */
    private static function allocations(RouteAllocations $allocations, string $figure): array
    {
        return [
            'mean' => $figure === 'held' ? $allocations->heldPerRequest() : $allocations->allocatedPerRequest(),
            'total' => !$allocations->isKnown() ? null : ($figure === 'held' ? $allocations->held : $allocations->allocated),
            'requests' => $allocations->requests,
        ];
    }

    private function table(): Table
    {
        $isAllocating = static fn (array $route): bool => $route[1]->allocations->requests > 0;
        $hasAllocations = array_filter($this->routes, $isAllocating) !== [];
        $allocations = $hasAllocations ? ['allocated_bytes', Metrics::REQUEST_HELD] : [];
        $hasFailed = $this->all->failed > 0;
        $hasKept = array_filter($this->routes, static fn (array $route): bool => ($route[1]->keptMean() ?? 0) !== 0) !== [];
        $hasAfter = $this->all->early > 0;
        $columns = [new Column('requests', weight: 1), new Column('per second', weight: 9)];
        if ($hasFailed) {
            $columns[] = new Column('failed', weight: 2);
        }
        foreach (self::WEIGHTS as $quantile => $weight) {
            $columns[] = new Column(lcfirst(RouteFigures::metric($quantile)->label), weight: $weight);
        }
        $table = new Table([
            ...$columns,
            new Column('slowest', weight: 5),
            new Column('CPU', weight: 11),
            new Column('peak', weight: 12),
            ...array_map(static fn (string $key): Column => new Column(Metrics::of($key)->short, weight: 10), $allocations),
            ...($hasKept ? [new Column('kept', weight: 10)] : []),
            new Column('total', weight: 6),
            ...($hasAfter ? [new Column('after', weight: 12)] : []),
            ...($this->all->cut > 0 ? [new Column('cut', weight: 3)] : []),
            ...($this->all->mixed > 0 ? [new Column('mixed', weight: 4)] : []),
            ...($this->all->unsampled > 0 ? [new Column('no samples', weight: 12)] : []),
            Column::name('route', 20),
        ]);
        $time = static fn (?int $us): string => MetricLabel::value($us, 'wt');
        foreach ($this->shown() as [$name, $figures]) {
            $table->add([
                Units::count($figures->requests),
                $this->seconds > 0 ? Units::count($figures->requests / $this->seconds) : '-',
                ...($hasFailed ? [$figures->failed === 0 ? '' : Units::count($figures->failed)] : []),
                ...array_values(array_map($time, $figures->quantiles())),
                $time($figures->max),
                MetricLabel::value($figures->cpus->quantile(0.5), 'cpu'),
                MetricLabel::value($figures->peaks->quantile(0.99), 'pmu'),
                ...($hasAllocations ? [
                    MetricLabel::value($figures->allocations->allocatedPerRequest(), Metrics::REQUEST_ALLOCATED),
                    MetricLabel::value($figures->allocations->heldPerRequest(), Metrics::REQUEST_HELD),
                ] : []),
                ...($hasKept ? [MetricLabel::value($figures->keptMean(), 'mu')] : []),
                $time($figures->wall),
                ...($hasAfter ? [$figures->early === 0 ? '' : $time($figures->after)] : []),
                ...($this->all->cut > 0 ? [$figures->cut === 0 ? '' : Units::count($figures->cut)] : []),
                ...($this->all->mixed > 0 ? [$figures->mixed === 0 ? '' : Units::count($figures->mixed)] : []),
                ...($this->all->unsampled > 0 ? [$figures->unsampled === 0 ? '' : $time($figures->unsampledTime)] : []),
                Text::printable($name),
            ]);
        }

        return $table;
    }

    /** @return array<int, array{string, RouteFigures}> */
    private function shown(): array
    {
        return $this->limit === 0 ? $this->routes : array_slice($this->routes, 0, $this->limit);
    }

    private static function value(RouteFigures $figures, string $sort): int
    {
        return match ($sort) {
            'requests' => $figures->requests,
            'failed' => $figures->failed,
            'max' => $figures->max,
            'kept' => $figures->keptMean() ?? 0,
            // What is not known is last.
            'allocated' => $figures->allocations->allocatedPerRequest() ?? -1,
            'held' => $figures->allocations->heldPerRequest() ?? -1,
            default => $figures->quantiles()[$sort] ?? 0,
        };
    }
}
