<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\Functions;

/** What functions took per request in two releases. */
final class FleetDiffCommand extends StoreCommand
{
    /** Functions that are compared: the most expensive of both. */
    private const MOST = 2000;

    protected function configure(): void
    {
        $this->question('diff', 'Functions of two releases: time per request, and its change')
            ->addPair()
            ->addLimitOption('functions', 30)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                The largest change of own time per request comes first, whether chance explains it or not:
                `xhprof fleet regressions` tests that. Two flame graphs to compare are two runs of `xhprof fleet flame`.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $client = self::client($input);
        $which = self::selection($input);
        $clock = self::clock($input);
        [$base, $release] = self::pair($input, $client, $which);
        $functions = new Functions($client);
        $requests = $functions->requests($which);
        $rows = [];
        foreach ($functions->top($which, $clock, self::MOST) as $function) {
            [$before, $after] = [$function->selfPerRequest($base), $function->selfPerRequest($release)];
            if ($before !== null && $after !== null) {
                $rows[] = [
                    'function' => $function->name, 'file' => $function->file, 'line' => $function->line,
                    'before_ns' => $before, 'after_ns' => $after, 'change_ns' => $after - $before,
                    'total_before_ns' => $function->totalPerRequest($base),
                    'total_after_ns' => $function->totalPerRequest($release),
                ];
            }
        }
        usort($rows, static fn (array $a, array $b): int => abs($b['change_ns']) <=> abs($a['change_ns']));

        return self::show(new RowsView([
            'change_ns' => ['change', RowsView::NS, 0],
            'before_ns' => ['before', RowsView::NS, 1],
            'after_ns' => ['after', RowsView::NS, 1],
            'total_after_ns' => ['with callees', RowsView::NS, 2],
            'function' => ['function', RowsView::NAME, 0],
        ], self::first($rows, $input), 'No samples of both releases have arrived.', [
            "$base -> $release, own time per request",
        ], ['base' => $base, 'release' => $release, 'requests' => [
            'base' => $requests[$base] ?? 0, 'release' => $requests[$release] ?? 0,
        ], 'functions_total' => count($rows)]), $input, $output);
    }
}
