<?php

declare(strict_types=1);

namespace XHProf\Requests\Cli;

use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Format\Period;
use XHProf\Report\Report;
use XHProf\Requests\RequestRange;
use XHProf\Requests\RouteReport;
use XHProf\Run\RunRecording;
use XHProf\Store\RunQuery;

/** What all requests took, by route: from the windows of the folder. */
final class RequestsCommand
{
    public static function make(): AnswerCommand
    {
        return (new AnswerCommand('requests', 'What all requests took, by route, with percentiles', self::answer(...)))
            ->addValue('route', 'Only this route or job: "GET /users/{id}"')
            ->addValue('source', 'Only windows of this source')
            ->addValue('host', 'Only windows of this host')
            ->addValue('from', 'Only windows since 2026-11-21, or "2026-11-21 14:30"')
            ->addValue('to', 'Only windows until then, inclusive')
            ->addValue('last', 'Only windows of a period: ' . Period::EXAMPLES)
            ->addOrderOptions('Column to sort by', RouteReport::USUAL, RouteReport::ORDERS)
            ->addRows('routes', 30)
            ->setHelp(
                <<<'HELP'
                Prints what the requests of each route took: their number, how many failed, and how slow they were.
                p99 is the wall time that 99 of 100 requests did not exceed; it is at most 2 % off. The figures are
                those of the windows in the folder (xhprof.mode=aggregate), which count every request.
                Allocated and held are means per request of what was sampled (xhprof.alloc_sample_bytes): all that it
                allocated, and what it held when its memory was largest. "-" is not known.

                A window counts in the range of time in which it begins. Times are local ones (date.timezone of php.ini); a
                release is since the window or run that named it first.

                  <info>xhprof requests</info>
                  <info>xhprof requests --last=yesterday --sort=p95 --limit=1</info>      yesterday's worst route
                  <info>xhprof requests --from="2026-11-21 14:00" --sort=p99</info>
                  <info>xhprof requests --json | jq '.routes[] | select(.wall_us.p99 > 500000)'</info>
                HELP
            );
    }

    private static function answer(Arguments $given): Report
    {
        [$limit, $order] = [$given->number('limit'), $given->order(RouteReport::ORDERS, RouteReport::USUAL)];
        $query = new RunQuery(
            ...$given->range(),
            source: $given->text('source') ?? '',
            host: $given->text('host') ?? '',
            start: RunRecording::WINDOW,
        );
        $runs = $given->store()->catalog();
        $range = RequestRange::of($runs, $query, $given->period()->label ?? '');
        $route = $given->text('route') ?? '';

        return RouteReport::report($runs->requestTotals($query), $runs->waiting(), $route, $order, $limit, $range);
    }
}
