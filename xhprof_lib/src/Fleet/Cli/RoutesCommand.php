<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\Requests;

/** What the requests of each route took in each release. */
final class RoutesCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('routes', 'Routes by release: requests, failures, percentiles')
            ->addSelection()
            ->addLimitOption('lines', 40)
            ->addFlag('json', 'Print JSON')
            ->setHelp('The routes that took most time come first. Percentiles are of all requests, at most 2 % off.');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $all = (new Requests(self::client($input)))->routes(self::selection($input));
        $rows = [];
        foreach (self::first($all, $input) as $one) {
            $figures = $one['figures'];
            $rows[] = [
                'route' => $one['route'],
                'release' => $one['release'],
                'requests' => $figures->requests,
                'failed' => $figures->failed,
                'mean_us' => $figures->mean(),
                ...self::quantiles($figures->quantiles()),
                'slowest_us' => $figures->max,
                'wall_us' => $figures->wall,
                'cpu_us' => $figures->cpu,
            ];
        }

        return self::show(new RowsView([
            'requests' => ['requests', RowsView::COUNT, 1],
            'failed' => ['failed', RowsView::COUNT, 3],
            'mean_us' => ['mean', RowsView::US, 0],
            'p50_us' => ['median', RowsView::US, 4],
            'p95_us' => ['p95', RowsView::US, 2],
            'p99_us' => ['p99', RowsView::US, 0],
            'slowest_us' => ['slowest', RowsView::US, 6],
            'wall_us' => ['total', RowsView::US, 5],
            'release' => ['release', RowsView::TEXT, 0],
            'route' => ['route', RowsView::NAME, 0],
        ], $rows, 'No requests of this selection have arrived.', [], ['lines_total' => count($all)]), $input, $output);
    }

    /**
     * @param array<string, int|null> $quantiles
     *
     * @return array<string, int|null>
     */
    private static function quantiles(array $quantiles): array
    {
        return array_combine(array_map(static fn (string $key): string => "{$key}_us", array_keys($quantiles)), $quantiles);
    }
}
