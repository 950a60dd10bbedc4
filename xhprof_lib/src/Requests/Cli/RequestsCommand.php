<?php

declare(strict_types=1);

namespace XHProf\Requests\Cli;

use Symfony\Component\Console\Input\InputArgument;
use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\GroupOptions;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Format\Period;
use XHProf\Format\Units;
use XHProf\Owners\Grouping;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Requests\GroupShares;
use XHProf\Requests\RequestRange;
use XHProf\Requests\RouteReport;
use XHProf\Requests\SiteNames;
use XHProf\Run\RunRecording;
use XHProf\Store\RunQuery;
use XHProf\Store\WindowRange;
use XHProf\WhatIf\RunWithout;
use XHProf\WhatIf\Strike;

/** What all requests took, by route: from the windows of the folder. */
final class RequestsCommand
{
    /** Values of --per. */
    private const PER = ['route', 'site'];

    public static function make(): AnswerCommand
    {
        $command = (new AnswerCommand('requests', 'What all requests took, by route, with percentiles', self::answer(...)))
            ->addArgument('folders', InputArgument::OPTIONAL | InputArgument::IS_ARRAY, 'With --by: folders of runs, a site each')
            ->addValue('route', 'Only this route or job: "GET /users/{id}"')
            ->addValue('source', 'Only windows of this source')
            ->addValue('host', 'Only windows of this host')
            ->addValue('from', 'Only windows since 2026-11-21, or "2026-11-21 14:30"')
            ->addValue('to', 'Only windows until then, inclusive')
            ->addValue('last', 'Only windows of a period: ' . Period::EXAMPLES)
            ->addValues('without', 'What if this function took no time: the percentiles as they would be')
            ->addOrderOptions('Column to sort by', RouteReport::USUAL, RouteReport::ORDERS)
            ->addValue('per', 'With --by: a line per route or per site [default: "site" of several folders]', suggested: self::PER);

        return GroupOptions::addTo($command)
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

                <info>--by</info> prints whose time it was: of each route the packages, plug-ins, folders, namespaces or owners,
                with their share. It reads the windows or, where there are none, the saved requests. With several folders, or
                <info>--per=site</info>, it is one table for all sites of a hoster; sites of one folder are told apart by the
                host of their routes (xhprof.route_host).

                  <info>xhprof requests</info>
                  <info>xhprof requests --by=plugin --route="GET /cart"</info>     which plug-in costs it
                  <info>xhprof requests --by=plugin /srv/sites/*/xhprof</info>     the plug-ins of all sites
                  <info>xhprof requests --by=plugin --group=shop /srv/sites/*/xhprof</info>   one of them, by site
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

    private static function groups(Arguments $given, Grouping $grouping): Report
    {
        $folders = $given->arguments('folders');
        $per = $given->text('per') === null ? (count($folders) > 1 ? 'site' : 'route') : $given->oneOf('per', self::PER);
        $order = $given->order(GroupShares::ORDERS, GroupShares::USUAL);
        $query = new RunQuery(
            ...$given->range(),
            source: $given->text('source') ?? '',
            host: $given->text('host') ?? '',
        );
        $shares = new GroupShares($grouping, $given->text('route') ?? '', $per === 'site');
        $names = SiteNames::of($folders);
        $stores = $folders === [] ? [$given->store()] : array_map(Arguments::folder(...), $folders);
        $isOneOfMany = count($stores) > 1;
        foreach ($stores as $at => $store) {
            SlowNotice::say(sprintf('Reading folder %s of %s', Units::count($at + 1), Units::count(count($stores))));
            $shares->add($store, $query, $isOneOfMany ? $names[$at] : null, $isOneOfMany);
        }

        return $shares->report($order, $given->number('limit'));
    }

    private static function answer(Arguments $given): Report
    {
        $isWithout = $given->texts('without') !== [];
        $grouping = GroupOptions::of($given);
        if ($grouping !== null && !$isWithout) {
            return self::groups($given, $grouping);
        }
        $options = ['--group' => $given->isGiven('group'), '--per' => $given->isGiven('per')];
        foreach ($options + ['several folders' => $given->arguments('folders') !== []] as $what => $isThere) {
            if ($isThere) {
                throw new UsageError($what . ($isWithout ? ' and --without exclude each other' : ' go with --by'));
            }
        }
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
