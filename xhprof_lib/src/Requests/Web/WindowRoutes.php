<?php

declare(strict_types=1);

namespace XHProf\Requests\Web;

use XHProf\Format\Units;
use XHProf\Requests\RouteReport;
use XHProf\Run\RouteFigures;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;

/** Prepares the routes of a window for the page of its functions. */
final class WindowRoutes
{
    /** Most routes that are shown; the table of functions has all of them. */
    private const MOST = 100;

    /**
     * @return array{tiles: list<array{label: string, text: string, exact: string}>, times: array<string, mixed>,
     *     memory: array<string, mixed>, about_memory: string, routes: int, damaged: int}|null null for a run that is no window, or
     *     the mean of several
     */
    public static function describe(RunOpener $runs, ShownRun $set): ?array
    {
        $window = $set->run->meta()->window;
        if ($window === null || $set->isMean()) {
            return null;
        }
        $report = RouteReport::ofWindow($window);
        [$store, $id] = [$runs->store, $set->ids[0]];
        $tables = new RouteTables(
            $report,
            static fn (string $route): ?string => $set->run->profile()->hasSymbol($route)
                ? Url::index($set->parameters() + Url::symbolParameter($route))
                : null,
            'Functions of this route',
            static fn (string $route, RouteFigures $figures): array
                => ExemplarLinks::ofRoute($store, $id, $route, [$id], $figures->quantiles()['p99'] ?? null)
                + ($figures->allocations->isKnown() ? ExemplarLinks::ofAllocations($store, $id, $route) : []),
            static fn (array $row): array => RouteReport::isBetween($row) ? []
                : array_filter(['Trend' => (string) Url::trendOfRoute($set->source(), $row['route'])]),
        );
        $requests = Units::count($window->requests);

        return [
            'tiles' => [
                ['label' => 'Requests', 'text' => $requests, 'exact' => $requests],
                [
                    'label' => 'Requests/s',
                    'text' => RouteReport::rate($window->requests, $window->length()),
                    'exact' => $window->windows > 0 ? 'over the time of its windows' : 'over the whole window',
                ],
                $window->windows > 0
                    ? ['label' => 'Windows', 'text' => Units::count($window->windows), 'exact' => 'that begin in this range']
                    : ['label' => 'Processes', 'text' => Units::count($window->processes), 'exact' => 'that took part'],
            ],
            'times' => $tables->times($report->timesTable()->first(self::MOST), self::MOST)->toArray(),
            'memory' => $tables->memory($report->memoryTable()->first(self::MOST), self::MOST)->toArray(),
            'about_memory' => $report->aboutMemory(),
            'routes' => count($report->routes),
            'damaged' => $window->damaged,
        ];
    }
}
