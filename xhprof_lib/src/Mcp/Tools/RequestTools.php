<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Report\Order;
use XHProf\Requests\RequestRange;
use XHProf\Requests\RouteReport;
use XHProf\Run\RunRecording;
use XHProf\Store\RunQuery;

/** Questions about all requests that were counted. */
final class RequestTools
{
    /** @return list<Tool> */
    public static function all(): array
    {
        return [new Tool(
            'requests',
            'What all requests took, by route',
            'What the requests and jobs of each route took, of all that were counted (xhprof.mode=aggregate): number, failures,'
                . ' percentiles, CPU time, memory. Ask this about production; list_runs then has single requests of a route.',
            [
                new Parameter('route', 'string', 'Only this route or job: "GET /users/{id}"'),
                new Parameter('source', 'string', 'Only this source (application)'),
                new Parameter('host', 'string', 'Only this host'),
                ...Given::rangeParameters(),
                new Parameter('sort', 'string', 'Order', RouteReport::USUAL, RouteReport::ORDERS),
                Parameter::limit('routes', 15),
            ],
            static function (Given $given, Desk $desk): Answer {
                $query = new RunQuery(
                    ...$given->range(),
                    source: $given->text('source'),
                    host: $given->text('host'),
                    start: RunRecording::WINDOW,
                );
                $runs = $desk->store()->catalog();
                $totals = $runs->requestTotals($query);
                $report = RouteReport::report(
                    $totals,
                    $runs->waiting(),
                    $given->text('route'),
                    new Order($given->text('sort')),
                    $given->number('limit'),
                    RequestRange::of($runs, $query, $given->period()),
                );
                $route = $report->tables[0]->rows[0]['route'] ?? null;
                $route = is_string($route) ? $desk->words->name($route) : null;
                $single = $route === null ? [] : ['route' => $route, 'sort' => 'wt'];

                return new Answer([$report], [
                    new Call('list_runs', $single, $single === [] ? 'single runs' : 'the slowest single requests of the first'
                        . ' route'),
                    ...($route === null ? [] : [new Call('leaks', ['route' => $route], 'what its requests keep in memory')]),
                ]);
            },
        )];
    }
}
