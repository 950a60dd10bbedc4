<?php

declare(strict_types=1);

namespace XHProf\Operations\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Operations\OperationReport;

/** Prints what a run waited for: SQL, HTTP requests, caches, files ... */
final class OperationsCommand extends RunFolderCommand
{
    protected function configure(): void
    {
        $this->setName('operations')
            ->setDescription('Print what a run waited for: SQL, HTTP, caches, files, processes ...')
            ->addArgument('run', InputArgument::OPTIONAL, self::RUN, 'latest')
            ->addValue('kind', 'Only operations of this kind: sql, http, cache ...', short: 'k')
            ->addValue('sort', 'Column to sort by: ' . implode(', ', OperationReport::SORTS), 'total', 's')
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
        $sort = self::oneOf($input, 'sort', OperationReport::SORTS);
        $limit = self::number($input, 'limit');
        $kind = self::text($input, 'kind');
        $run = self::argument($input, 'run');
        $store = $this->store($input);
        $callers = $input->getOption('callers') === true;
        $view = SlowNotice::during("Reading run $run", $output, static fn (): OperationsView => new OperationsView(
            $store->named($run, self::text($input, 'source')),
            $kind,
            $sort,
            $limit,
            $callers,
        ));

        return self::show($view, $input, $output);
    }
}
