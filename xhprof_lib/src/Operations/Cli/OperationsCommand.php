<?php

declare(strict_types=1);

namespace XHProf\Operations\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Run\RunReportView;
use XHProf\Cli\UsageError;
use XHProf\Operations\OperationReport;
use XHProf\Operations\WaitReport;
use XHProf\Run\MeanRun;

/** What a run waited for: SQL, HTTP requests, caches, files ... */
final class OperationsCommand
{
    public static function make(): AnswerCommand
    {
        $about = 'Print what a run waited for: SQL, HTTP, caches, files, processes ...';

        return (new AnswerCommand('operations', $about, self::answer(...)))
            ->addRun()
            ->addValue('kind', 'Only operations of this kind: sql, http, cache ...', short: 'k')
            ->addOrderOptions('Column to sort by', WaitReport::USUAL, OperationReport::SORTS)
            ->addFlag('callers', 'Also print who does each, with its call path; in JSON too', 'c')
            ->addRows('operations', 20, 'Print JSON (nanoseconds)')
            ->setHelp(
                <<<'HELP'
                Prints the operations of a run by text, the slowest first. A text has no values: SQL has ? for literals and
                placeholders and (…) for lists, a URL {id} for ids.

                Columns: calls, total, the longest one (max), the median and the 95th percentile, and dup: calls with the same
                values as one before. An operation that one function repeats in a loop is marked with that function.

                Exact profiles record operations unless xhprof.collect_additional_info is off. In a sampled run the time of
                functions that are operations stands for them: there are no texts, durations and values.

                  <info>xhprof operations</info>                           the newest run
                  <info>xhprof operations 4f0c --kind=sql --callers</info>  queries, and where they come from
                  <info>xhprof operations 4f0c --sort=ct</info>            what is done most often
                  <info>xhprof operations 4f0c --json --callers | jq '.operations[0].callers'</info>
                HELP
            );
    }

    private static function answer(Arguments $given): RunReportView
    {
        [$limit, $order] = [$given->number('limit'), $given->order(OperationReport::SORTS, WaitReport::USUAL)];
        $kind = $given->text('kind');
        $run = $given->run();
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

        return new RunReportView($run, $report->report($limit, $given->flag('callers')));
    }
}
