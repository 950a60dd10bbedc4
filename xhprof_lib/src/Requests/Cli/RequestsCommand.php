<?php

declare(strict_types=1);

namespace XHProf\Requests\Cli;

use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\GroupOptions;
use XHProf\Cli\UsageError;
use XHProf\Format\Period;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Requests\RequestRange;
use XHProf\Requests\RouteReport;
use XHProf\Run\RunRecording;
use XHProf\Store\RunQuery;
use XHProf\Store\WindowRange;
use XHProf\WhatIf\RunWithout;
use XHProf\WhatIf\Strike;

/** What all requests took, by route: from the windows of the folder. */
final class RequestsCommand
{
    public static function make(): AnswerCommand
    {
        $command = (new AnswerCommand('requests', 'What all requests took, by route, with percentiles', self::answer(...)))
            ->addValue('route', 'Only this route or job: "GET /users/{id}"')
            ->addValue('source', 'Only windows of this source')
            ->addValue('host', 'Only windows of this host')
            ->addValue('from', 'Only windows since 2026-11-21, or "2026-11-21 14:30"')
            ->addValue('to', 'Only windows until then, inclusive')
            ->addValue('last', 'Only windows of a period: ' . Period::EXAMPLES)
            ->addValues('without', 'What if this function took no time: the percentiles as they would be')
            ->addOrderOptions('Column to sort by', RouteReport::USUAL, RouteReport::ORDERS);

        return GroupOptions::addTo($command, false)
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
                  <info>xhprof requests --last=24h --route='GET /search' --without='PDOStatement::execute'</info>
                  <info>xhprof requests --json | jq '.routes[] | select(.wall_us.p99 > 500000)'</info>
                HELP
            );
    }

    /** @throws UsageError where the windows are of several sources, or there are none */
    private static function without(Arguments $given, RunQuery $query, Order $order, int $limit): Report
    {
        $store = $given->store();
        $totals = $store->catalog()->requestTotals($query);
        $covered = $totals->covered();
        $sources = $totals->sources();
        if ($covered === null) {
            $none = RequestRange::of($store->catalog(), $query, $given->period()->label ?? '');
            throw new UsageError($none === null ? 'no requests were counted' : lcfirst(trim("{$none->none()} {$none->near()}")));
        }
        if (count($sources) > 1) {
            throw new UsageError('--without needs --source: these windows are of ' . implode(', ', $sources));
        }
        $id = WindowRange::id(
            $sources[0],
            $query->from ?? (float) $covered['from'],
            $query->until ?? (float) $covered['to'],
            $given->text('route') ?? '',
            $query->host,
        );
        $run = $store->open($id ?? throw new UsageError("--source=$sources[0] is no name of a source"));
        $report = RunWithout::of($run, Strike::of($run, $given->texts('without'), GroupOptions::of($given)))->report();
        $tables = $report->tables;
        if (isset($tables[1])) {
            $tables[1] = $tables[1]->ordered($given->isGiven('sort') ? $order : null)->first($limit, 'routes');
        }

        return new Report($tables, $report->notes, $report->facts, $report->headings);
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
        if ($given->texts('without') !== []) {
            return self::without($given, $query, $order, $limit);
        }
        $range = RequestRange::of($runs, $query, $given->period()->label ?? '');
        $route = $given->text('route') ?? '';

        return RouteReport::report($runs->requestTotals($query), $runs->waiting(), $route, $order, $limit, $range);
    }
}
