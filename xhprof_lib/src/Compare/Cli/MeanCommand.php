<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use Symfony\Component\Console\Input\InputArgument;
use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\GroupOptions;
use XHProf\Cli\UsageError;
use XHProf\Compare\MeanReport;
use XHProf\Functions\MetricOrder;
use XHProf\Run\MeanRun;
use XHProf\Stats\Distribution;

/** The mean of several saved runs and their spread. */
final class MeanCommand
{
    /** Its name in older versions. */
    public const ALIAS = 'aggregate';

    public static function make(): AnswerCommand
    {
        $command = (new AnswerCommand('mean', 'Mean, median, spread of several runs, function by function', self::answer(...)))
            ->setAliases([self::ALIAS])
            ->addArgument('runs', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'The runs, two or more. ' . AnswerCommand::RUN)
            ->addOrderOptions('Column to show and sort by; cv_ before it: by its spread [default: "excl_wt"]')
            ->addValue('agg', 'Sort by: ' . implode(', ', Distribution::KINDS), 'mean', 'a')
            ->addValue('q', 'Only functions with this text in their name')
            ->addFlag('levels', 'Keep the levels of a recursion (f, f@1...) apart');

        return GroupOptions::addTo($command)
            ->addRows('functions', 30, AnswerCommand::JSON . ', all columns')
            ->setHelp(
                <<<'HELP'
                Prints the mean, median, 95th percentile, least, most and standard deviation of one column (--sort)
                over the runs. A run that did not call a function counts as 0. Runs far from the others are marked
                <info>outlier</info> (modified z-score above 3.5).

                  <info>xhprof mean 4f0c 91ab 77e2</info>
                  <info>xhprof mean 4f0c,91ab,77e2 --sort=wt --agg=p95</info>
                  <info>xhprof mean 4f0c 91ab 77e2 --by=package</info>
                  <info>xhprof report 4f0c,91ab,77e2</info>    their mean as one run
                HELP
            );
    }

    private static function answer(Arguments $given): MeanView
    {
        [$limit, $sort, $descending] = [$given->number('limit'), $given->text('sort'), $given->isDescending()];
        $kind = $given->oneOf('agg', Distribution::KINDS);
        $query = $given->text('q') ?? '';
        $run = $given->store()->named(implode(',', $given->arguments('runs')), $given->text('source'));
        if (!$run instanceof MeanRun) {
            throw new UsageError('a mean takes two runs or more');
        }
        $grouping = GroupOptions::of($given);
        if ($grouping !== null && $given->flag('levels')) {
            throw new UsageError('--by excludes --levels');
        }
        $grouped = $grouping === null ? $run : GroupOptions::run($run, $grouping);
        $run = $grouped instanceof MeanRun ? $grouped : $run;
        $noun = $grouping === null || $grouping->one !== null ? 'function' : $grouping->by->noun();
        $report = new MeanReport($run, $given->flag('levels'), $noun);
        $column = (string) preg_replace('/\A' . MeanReport::VARIATION . '/', '', $sort ?? '');
        $known = $sort === null || $column === MeanReport::BY_RUNS ? null : $column;
        $known = MetricOrder::sort($known, $report->statistics->metrics());
        $sort ??= $known;

        return new MeanView($report, $report->names($sort, $kind, $descending, $query), $sort, $kind, $limit, $noun);
    }
}
