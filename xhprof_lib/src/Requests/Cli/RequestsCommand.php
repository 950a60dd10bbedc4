<?php

declare(strict_types=1);

namespace XHProf\Requests\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Report\Order;
use XHProf\Requests\RouteReport;
use XHProf\Run\RunRecording;
use XHProf\Store\RequestTotals;
use XHProf\Store\RunQuery;

/** What all requests took, by route: from the windows of the folder. */
final class RequestsCommand extends RunFolderCommand
{
    protected function configure(): void
    {
        $this->setName('requests')
            ->setDescription('What all requests took, by route, with percentiles')
            ->addValue('route', 'Only this route or job: "GET /users/{id}"')
            ->addValue('source', 'Only windows of this source')
            ->addValue('host', 'Only windows of this host')
            ->addValue('from', 'Only windows since 2026-11-21, or "2026-11-21 14:30"')
            ->addValue('to', 'Only windows until then, inclusive')
            ->addValue('sort', 'By ' . implode(', ', RouteReport::ORDERS), RouteReport::USUAL, 's')
            ->addLimitOption('routes', 30)
            ->addFlag('json', 'Print JSON (microseconds and bytes)')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Prints what the requests of each route took: their number, how many failed, and how slow they were.
                p99 is the wall time that 99 of 100 requests did not exceed; it is at most 2 % off. The figures are
                those of the windows in the folder (xhprof.mode=aggregate), which count every request.
                Allocated and held are means per request of what was sampled (xhprof.alloc_sample_bytes): all that it
                allocated, and what it held when its memory was largest. "-" is not known.

                  <info>xhprof requests</info>
                  <info>xhprof requests --from="2026-11-21 14:00" --sort=p99</info>
                  <info>xhprof requests --json | jq '.routes[] | select(.wall_us.p99 > 500000)'</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $order = new Order(self::oneOf($input, 'sort', RouteReport::ORDERS));
        $text = static fn (string $option): string => self::text($input, $option) ?? '';
        $query = new RunQuery(
            source: $text('source'),
            host: $text('host'),
            from: self::moment($input, 'from', false),
            until: self::moment($input, 'to', true),
            start: RunRecording::WINDOW,
        );
        $store = $this->store($input);
        $totals = SlowNotice::during("Reading {$store->directory()}", $output, static fn (): RequestTotals
            => $store->catalog()->requestTotals($query));
        $report = RouteReport::report($totals, $store->catalog()->waiting(), $text('route'), $order, $limit);

        return self::show(new ReportView($report), $input, $output);
    }
}
