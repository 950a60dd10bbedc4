<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Fleet\Question\Functions;

/** Which functions take most time per request. */
final class FunctionsCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('functions', 'Functions: own time and time with callees per request, by release')
            ->addSelection()
            ->addClock()
            ->addFlag('by-release', 'A line for each release')
            ->addLimitOption('functions', 30)
            ->addFlag('json', 'Print JSON')
            ->setHelp('Times are sums over samples, divided by all requests of the selection. The most own time comes first.');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $which = self::selection($input);
        $functions = (new Functions(self::client($input)))->top($which, self::clock($input), self::most($input));
        $rows = [];
        foreach ($functions as $function) {
            foreach ($input->getOption('by-release') === true ? $function->releases() : [null] as $release) {
                $rows[] = $function->toArray($release) + ['release' => $release];
            }
        }

        return self::show(new RowsView([
            'self_ns' => ['own', RowsView::NS, 0],
            'total_ns' => ['with callees', RowsView::NS, 0],
            'samples' => ['samples', RowsView::COUNT, 2],
            ...($input->getOption('by-release') === true ? ['release' => ['release', RowsView::TEXT, 0]] : []),
            'function' => ['function', RowsView::NAME, 0],
        ], $rows, 'No samples of this selection have arrived.', ['Times are per request.']), $input, $output);
    }
}
