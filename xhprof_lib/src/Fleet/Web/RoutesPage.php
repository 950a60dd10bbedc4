<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Requests;
use XHProf\Web\Http\Response;

/**
 * show=routes: the routes of a service by release: how many requests, what they took, which failed. With a route: that by release,
 * its functions, and single requests of it.
 */
final class RoutesPage extends FleetPart
{
    private const FUNCTIONS = 30;

    public function respond(): Response
    {
        $which = $this->query->needsService()->selection;
        $requests = new Requests($this->client);
        $rows = $requests->routes($which);
        $top = $this->asked->top('routes', $which->route === '' ? $which->service : $which->route, $which->route);
        if ($rows === []) {
            return $this->asked->page($top, [$this->asked->nothing('routes', 'requests')]);
        }
        $tables = new FiguresTable($this->asked);
        $tiles = FleetContext::tiles(FiguresTable::tiles(FiguresTable::sum($rows)));
        if ($which->route === '') {
            $table = $tables->routes($rows, $requests->releases($which));

            return $this->asked->page($top, [$tiles, ...$tables->charts(), $this->asked->sortable($table, 'routes')]);
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

        return $this->asked->page($top, [
            $tiles,
            FleetContext::links($links),
            ...$tables->charts(),
            $tables->routes($rows, $releases, 'release'),
            $this->asked->sortable($tables->functions($pair, self::FUNCTIONS, 'Heaviest functions'), 'routes'),
            (new KeptRequestsPage($this->asked))->table('Slowest requests that were kept', 10),
        ]);
    }
}
