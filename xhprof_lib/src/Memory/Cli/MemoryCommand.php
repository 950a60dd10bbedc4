<?php

declare(strict_types=1);

namespace XHProf\Memory\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Run\RunReportView;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\Terminal\View;
use XHProf\Memory\LiveReport;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryReport;
use XHProf\Report\Order;

/** Prints the live memory of a run by call path, function or type. */
class MemoryCommand extends RunFolderCommand
{
    /** Texts on the marks that limit the report where no option does; '' where none do. */
    protected const MARKS = ['', ''];

    protected function configure(): void
    {
        $this->setName('memory')
            ->setDescription('Print who holds the memory of a run: live blocks by call path, function or type')
            ->addArgument('run', InputArgument::OPTIONAL, self::RUN, 'latest')
            ->addValue('by', 'One line per path, function or type', 'path', 'b')
            ->addValue('sort', 'Column to sort by [default: "live"]', short: 's')
            ->addFlag('full', 'Full call paths, one function per line')
            ->addValue('after', 'Only what was allocated after this mark, 0 for all' . static::MARKS[0])
            ->addValue('before', 'Only what was allocated before this mark' . static::MARKS[1])
            ->addValue('when', 'Of "end", or of "peak": when PHP\'s heap was largest', 'end')
            ->addValue('source', 'Only look at runs of this source')
            ->addLimitOption('lines', 20)
            ->addFlag('json', 'Print JSON (bytes)')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Prints which call paths allocated the memory that was still in use when the profile stopped, the
                heaviest first: the function that allocated comes first, then its caller, and so on. The levels of a
                recursion are merged.

                Columns to sort by: live (bytes still in use), blocks (their number), allocated and freed (total bytes,
                not by type); by function also incl (live, with its callees).

                A run has these figures if allocations were recorded:

                  <info>xhprof run --alloc -- script.php</info>

                or with xhprof_enable(XHPROF_FLAGS_ALLOC) … xhprof_disable(), xhprof_save() in the program.

                  <info>xhprof memory</info>                                 the newest run
                  <info>xhprof memory 4f0c --by=function --sort=incl</info>  functions, with their callees
                  <info>xhprof memory 4f0c --by=type</info>                  strings, arrays, objects of which class
                  <info>xhprof memory 4f0c --sort=allocated</info>           who makes the most garbage
                  <info>xhprof memory 4f0c --full --limit=3</info>           full call paths
                  <info>xhprof memory 4f0c --json | jq '.rows[0].path'</info>
                HELP
            );
    }

    /** The two marks that limit the report, null for all of the memory. */
    protected function range(InputInterface $input, int $marks): ?MarkRange
    {
        $mark = static fn (string $option): ?int
            => $input->getOption($option) === null ? null : self::number($input, $option);
        [$after, $before] = [$mark('after'), $mark('before')];

        return $after === null && $before === null && static::MARKS[0] === '' ? null : MarkRange::choose($marks, $after, $before);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $order = new Order(self::text($input, 'sort') ?? LiveReport::USUAL);
        $by = self::oneOf($input, 'by', MemoryReport::BY);
        $isFull = $input->getOption('full') === true;
        $name = self::argument($input, 'run');
        $store = $this->store($input);
        $isPeak = self::oneOf($input, 'when', ['end', 'peak']) === 'peak';
        $read = function () use ($store, $name, $input, $by, $order, $limit, $isFull, $isPeak): View {
            $run = $store->named($name, self::text($input, 'source'));
            $memory = $run->memory() ?? throw new CliError('this run has no allocations: ' . LiveReport::HOW_TO_RECORD);
            $range = $this->range($input, $memory->marks);
            if ($isPeak) {
                $memory = $memory->atPeak() ?? throw new CliError('who held the memory at its peak was not recorded');
            }
            $report = new LiveReport($memory, $by, $range, $isPeak);

            return new RunReportView($run, $report->report($order, $limit, $isFull));
        };
        $view = SlowNotice::during("Reading run $name", $output, $read);

        return self::show($view, $input, $output);
    }
}
