<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\Verdicts;

/** What `xhprof fleet regressions --save` has found so far. */
final class VerdictsCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('verdicts', 'Regressions that were found and saved, the newest first')
            ->addPlace()
            ->addLimitOption('verdicts', 30)
            ->addFlag('json', 'Print JSON');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $text = static fn (string $option): string => self::text($input, $option) ?? '';
        $which = new Selection($text('service'), $text('env'), $text('route'), $text('release'));
        $rows = array_map(
            static fn (array $one): array => ['found' => date('Y-m-d H:i', $one['at'])] + $one,
            (new Verdicts(self::client($input)))->latest($which, self::most($input)),
        );

        return self::show(new RowsView([
            'found' => ['found', RowsView::TEXT, 2],
            'growth_ns' => ['growth', RowsView::NS, 0],
            'state' => ['state', RowsView::TEXT, 1],
            'owner' => ['owner', RowsView::TEXT, 3],
            'release' => ['release', RowsView::TEXT, 0],
            'route' => ['route', RowsView::NAME, 0],
            'function' => ['function', RowsView::NAME, 0],
        ], $rows, 'No regression of this selection was saved.'), $input, $output);
    }
}
