<?php

declare(strict_types=1);

namespace XHProf\Operations\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Run\RunReportView;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\Terminal\View;
use XHProf\Cli\UsageError;
use XHProf\Operations\OperationReport;
use XHProf\Operations\WaitReport;
use XHProf\Report\Order;
use XHProf\Run\MeanRun;

/** Prints what a run waited for: SQL, HTTP requests, caches, files ... */
final class OperationsCommand extends RunFolderCommand
{
    protected function configure(): void
    {
        $this->setName('operations')
            ->setDescription('Print what a run waited for: SQL, HTTP, caches, files, processes ...')
            ->addArgument('run', InputArgument::OPTIONAL, self::RUN, 'latest')
            ->addValue('kind', 'Only operations of this kind: sql, http, cache ...', short: 'k')
            ->addValue('sort', 'Column to sort by: ' . implode(', ', OperationReport::SORTS), WaitReport::USUAL, 's')
            ->addFlag('callers', 'Also print who does each, with its call path; in JSON too', 'c')
            ->addValue('source', 'Only look at runs of this source')
            ->addLimitOption('operations', 20)
            ->addFlag('json', 'Print JSON (nanoseconds)')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Prints the operations of a run by text, the slowest first. A text has no values: SQL has ? for literals and
                placeholders and (…) for lists, a URL {id} for ids.

                Columns: calls, total, the longest one (max), the median and the 95th percentile, and dup: calls with the same
                values as one before. An operation that one function repeats in a loop is marked with that function.

                Exact profiles record operations unless xhprof.collect_additional_info is off. In a sampled run the time of
                functions that are operations stands for them: there are no texts, durations and values.

                  <info>xhprof operations</info>                           the newest run
                  <info>xhprof operations 4f0c --kind=sql --callers</info> queries, and where they come from
                  <info>xhprof operations 4f0c --sort=ct</info>            what is done most often
                  <info>xhprof operations 4f0c --json --callers | jq '.operations[0].callers'</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $order = new Order(self::oneOf($input, 'sort', OperationReport::SORTS));
        $limit = self::number($input, 'limit');
        $kind = self::text($input, 'kind');
        $name = self::argument($input, 'run');
        $store = $this->store($input);
        $callers = $input->getOption('callers') === true;
        $read = static function () use ($store, $name, $input, $kind, $order, $limit, $callers): View {
            $run = $store->named($name, self::text($input, 'source'));
            if ($run instanceof MeanRun) {
                throw new UsageError('operations takes one run, not the mean of several');
            }
            $operations = $run->operations() ?? throw new CliError(WaitReport::NONE);
            $kinds = $operations->kinds();
            if ($kind !== null && !isset($kinds[$kind])) {
                $others = $kinds === [] ? '' : ', but ' . implode(', ', array_keys($kinds));
                throw new CliError("this run has no operations of the kind \"$kind\"$others");
            }
            $report = new WaitReport($operations, $kind, $order, $run->total('wt'));

            return new RunReportView($run, $report->report($limit, $callers));
        };
        $view = SlowNotice::during("Reading run $name", $output, $read);

        return self::show($view, $input, $output);
    }
}
