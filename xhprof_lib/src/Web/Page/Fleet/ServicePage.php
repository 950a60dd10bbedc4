<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\Requests;
use XHProf\Web\Http\Response;

/** show=routes: the routes of a service by release: how many requests, what they took, which failed. */
final class ServicePage extends FleetPart
{
    public function respond(): Response
    {
        $which = $this->query->selection;
        $requests = new Requests($this->client);
        $rows = $requests->routes($which);
        $top = $this->asked->top('routes', $which->service);
        if ($rows === []) {
            return $this->asked->page($top, [$this->asked->nothing('routes', 'requests')]);
        }
        $tables = new FiguresTable($this->asked);

        return $this->asked->page($top, [
            Asked::tiles(FiguresTable::tiles(FiguresTable::sum($rows))),
            ...$tables->charts(),
            $this->asked->sortable($tables->routes($rows, $requests->releases($which)), 'routes'),
        ]);
    }
}
