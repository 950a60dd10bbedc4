<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\View\MemoryView;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryReport;
use XHProf\Memory\MemorySummary;

/** Common parts of the commands that print live memory. */
abstract class LiveMemoryCommand extends RunFolderCommand
{
    protected function configure(): void
    {
        $this->addArgument('run', InputArgument::OPTIONAL, self::RUN, 'latest')
            ->addValue('by', 'One line per path, function or type', 'path', 'b')
            ->addValue('sort', 'Column to sort by [default: "live"]', short: 's')
            ->addFlag('full', 'Full call paths, one function per line')
            ->addValue('source', 'Only look at runs of this source')
            ->addLimitOption('lines', 20)
            ->addFlag('json', 'Print JSON (bytes)')
            ->addFolderOption();
    }

    /** The two marks that limit the report, null for all of the memory. */
    abstract protected function range(InputInterface $input, int $marks): ?MarkRange;

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $sort = self::text($input, 'sort');
        $by = self::oneOf($input, 'by', MemoryReport::BY);
        $full = $input->getOption('full') === true;
        $run = self::argument($input, 'run');
        $store = $this->store($input);
        $view = SlowNotice::during(
            "Reading run $run",
            $output,
            function () use ($store, $run, $input, $by, $sort, $limit, $full): MemoryView {
                $opened = $store->named($run, self::text($input, 'source'));
                $memory = $opened->memory()
                    ?? throw new CliError('this run has no allocations: ' . MemorySummary::HOW_TO_RECORD);

                return new MemoryView($opened, $memory, $by, $sort, $limit, $full, $this->range($input, $memory->marks));
            },
        );

        return self::show($view, $input, $output);
    }
}
