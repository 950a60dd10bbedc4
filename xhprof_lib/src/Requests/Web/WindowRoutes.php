<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\RunRecording;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\Url;

/** A window on all requests: its routes, and the windows beside it. */
final class WindowRoutes
{
    /** Runs searched for one of the same host. */
    private const NEAR = 20;

    /** Routes shown; the others are functions of the run all the same. */
    private const MAX_ROUTES = 100;

    public function __construct(private readonly Runs $runs, private readonly ShownRun $set)
    {
    }

    /** @return string|null URL of the window of the same source and host before or after this one */
    public function adjacentUrl(bool $after): ?string
    {
        $from = $this->set->run->meta()->ts;
        if ($from === null) {
            return null;
        }
        $query = new RunQuery(
            source: $this->set->source(),
            host: $this->set->run->meta()->origin->host ?? '',
            from: $after ? floor($from) + 1 : null,
            until: $after ? null : floor($from),
            start: RunRecording::WINDOW,
            descending: !$after,
        );
        try {
            $found = $this->runs->store->catalog()->find($query, self::NEAR)->runs;
        } catch (StoreError) {
            return null;
        }
        $found = array_values(array_filter($found, static fn (RunEntry $run): bool => $run->error === null));

        return $found === [] ? null : Url::index(Url::runParameters($found[0]->id));
    }

    /**
     * @return array{tiles: list<array{label: string, text: string, exact: string}>, rows: list<array<string, mixed>>, more: int,
     *     damaged: int}|null null for a run that is no window, or the mean of several
     */
    public function table(): ?array
    {
        $window = $this->set->run->meta()->window;
        if ($window === null || $this->set->isMean()) {
            return null;
        }
        $routes = $window->routes();
        $samples = $window->samples();
        $rows = [];
        foreach (array_slice($routes, 0, self::MAX_ROUTES) as $route) {
            $values = $window->routeStats($route);
            if ($values !== null) {
                $rows[] = $this->row($route, $values, $window, $samples);
            }
        }

        return [
            'tiles' => [
                ['label' => 'Requests', 'text' => Units::count($window->requests), 'exact' => Units::count($window->requests)],
                [
                    'label' => 'Requests/s',
                    'text' => RouteLines::rate($window->requests, $window->length()),
                    'exact' => 'over the whole window',
                ],
                ['label' => 'Processes', 'text' => Units::count($window->processes), 'exact' => 'that took part'],
            ],
            'rows' => $rows,
            'more' => count($routes) - count($rows),
            'damaged' => $window->damaged,
        ];
    }

    /** @return array<string, mixed> */
    private function row(string $route, RouteFigures $figures, RequestWindow $window, int $samples): array
    {
        $symbol = $this->set->run->profile()->hasSymbol($route) ? Url::symbolParameter($route) : null;

        return [
            'name' => $route,
            'url' => $symbol === null ? null : Url::index($this->set->parameters() + $symbol),
            'trend_url' => self::trendUrl($this->set->source(), $route),
            'samples' => Units::count($figures->samples),
            'share' => Units::percent($figures->samples, $samples),
            'links' => $this->links($route, $figures),
        ] + RouteLines::of($figures, $window->length(), $window->wall(), $window->allocated());
    }

    /** @return array<string, array{url: string, title: string}> */
    private function links(string $route, RouteFigures $figures): array
    {
        [$store, $id] = [$this->runs->store, $this->set->ids[0]];

        return ExemplarLinks::ofRoute($store, $id, $route, [$id], $figures->quantiles()['p99'] ?? null)
            + ($figures->allocations->isKnown() ? ExemplarLinks::ofAllocations($store, $id, $route) : []);
    }

    public static function trendUrl(string $source, string $route): ?string
    {
        return strlen($route) > 500 || preg_match('//u', $route) !== 1 ? null : Url::index([
            'view' => 'trend',
            'source' => $source,
            'start' => RunRecording::WINDOW,
            'route' => $route,
        ]);
    }

    /**
     * Values of a route for its trend: per request, and in total.
     *
     * @return array<string, int|float>|null null if it had no request in this window
     */
    public static function trendValues(?RequestWindow $window, string $route): ?array
    {
        $figures = $window?->routeStats($route);
        if ($window === null || $figures === null || $figures->requests === 0) {
            return null;
        }
        $length = $window->length();
        $quantiles = [];
        foreach ($figures->walls->count() === 0 ? [] : $figures->quantiles() as $quantile => $value) {
            $quantiles[RouteFigures::metric($quantile)->key] = $value ?? 0;
        }

        $allocations = $figures->allocations;

        return [Metrics::REQUEST_MEAN => $figures->mean() ?? 0] + $quantiles + array_filter([
            Metrics::REQUEST_ALLOCATED => $allocations->allocatedPerRequest(),
            Metrics::REQUEST_HELD => $allocations->heldPerRequest(),
        ], is_int(...)) + [
            Metrics::REQUEST_MAX => $figures->max,
            Metrics::REQUEST_SHARE => $window->wall() === 0 ? 0 : round(100 * $figures->wall / $window->wall(), 2),
            Metrics::REQUEST_RATE => $length > 0 ? round($figures->requests / $length, 3) : 0,
            Metrics::REQUESTS => $figures->requests,
            Metrics::REQUEST_FAILED => $figures->failed,
        ];
    }
}
