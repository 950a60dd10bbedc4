<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\Requests;

/** Which services there are, and what they cost. */
final class ServicesCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('services', 'Services: requests, failures, time, cost in core-hours')
            ->addSelection()
            ->addLimitOption('services', 30)
            ->addFlag('json', 'Print JSON')
            ->setHelp('A core-hour is an hour of CPU time that requests took. The most expensive services come first.');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $all = (new Requests(self::client($input)))->services(self::selection($input, false));
        $rows = [];
        foreach (self::first($all, $input) as $one) {
            $figures = $one['figures'];
            $rows[] = [
                'service' => $one['service'],
                'env' => $one['env'],
                'hosts' => $one['hosts'],
                'requests' => $figures->requests,
                'failed' => $figures->failed,
                'p50_us' => $figures->wallQuantile(0.5),
                'p95_us' => $figures->wallQuantile(0.95),
                'p99_us' => $figures->wallQuantile(0.99),
                'core_hours' => $figures->coreHours(),
            ];
        }

        return self::show(new RowsView([
            'core_hours' => ['core-hours', RowsView::TIMES, 0],
            'hosts' => ['hosts', RowsView::COUNT, 3],
            'requests' => ['requests', RowsView::COUNT, 0],
            'failed' => ['failed', RowsView::COUNT, 2],
            'p50_us' => ['median', RowsView::US, 4],
            'p95_us' => ['p95', RowsView::US, 5],
            'p99_us' => ['p99', RowsView::US, 1],
            'env' => ['env', RowsView::TEXT, 6],
            'service' => ['service', RowsView::NAME, 0],
        ], $rows, 'No requests have arrived.', [], ['services_total' => count($all)]), $input, $output);
    }
}
