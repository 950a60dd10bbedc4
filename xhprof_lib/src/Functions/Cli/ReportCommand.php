<?php

declare(strict_types=1);

namespace XHProf\Functions\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\GroupOptions;
use XHProf\Cli\UsageError;
use XHProf\Compare\Cli\DiffCommand;
use XHProf\Findings\Findings;
use XHProf\Findings\Ticket;
use XHProf\Functions\CallersReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\RunHead;
use XHProf\Functions\SymbolReport;
use XHProf\Owners\Grouping;
use XHProf\Owners\GroupsReport;
use XHProf\Paths\PathsReport;
use XHProf\Profile\CallTree;
use XHProf\Report\FindingList;
use XHProf\Report\Report;
use XHProf\Run\ChangedRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\WhatIf\RunWithout;
use XHProf\WhatIf\Strike;

/** Prints a saved run. */
final class ReportCommand
{
    /** Exit code if --fail-on-findings finds something, as for a budget that is exceeded. */
    public const FOUND = DiffCommand::OVER_BUDGET;

    public static function make(): AnswerCommand
    {
        $about = 'Print a saved run: flat profile, one function, call paths, findings';

        $command = (new AnswerCommand('report', $about, self::answer(...)))
            ->addRun('. ' . AnswerCommand::SEVERAL)
            ->addOrderOptions('Column to sort by [default: "excl_wt"]')
            ->addValue('q', 'Only functions with this text in their name, or that match this /pattern/')
            ->addValue('symbol', 'Callers and callees of this function')
            ->addFlag('tree', 'The heaviest call paths', 't')
            ->addFlag('findings', 'What to look at first, at most five things')
            ->addFlag('fail-on-findings', 'The same, with exit code 3 if there are any')
            ->addCorrectedOption()
            ->addFlag('levels', 'Keep the levels of a recursion (f, f@1...) apart')
            ->addValues('without', 'What if this took no time: a function, an operation; with --by a package...')
            ->addFlag('files', 'Print the file and line of each function', 'f')
            ->addStableNamesOption();

        return GroupOptions::addTo($command)
            ->addRows('lines', 30)
            ->setHelp(
                <<<'HELP'
                Prints where the time of a saved run went, the heaviest function first.

                Columns to sort by: wt (wall time), cpu (CPU time), mu (memory), pmu (peak growth), each with
                callees; excl_wt, excl_cpu... without them; ct (calls); fn (name). A run has the metrics that
                were recorded.

                main() is the script, load::FILE the reading and compiling of a file, run_init::FILE a file's code outside of
                functions, f@1 the first level of a recursion, (truncated) calls beyond xhprof.max_nodes.

                <info>--corrected</info> adds corrected_wt and corrected_cpu: times without the profiler's own cost, an
                estimate of the program as it would run unprofiled. They may be off by a few ns per call.

                <info>--by</info> adds up functions by the Composer package, the plug-in (WordPress, Drupal, Symfony, Magento), the
                folder, the namespace or the owner of their code. What PHP's own functions take belongs to their callers, so
                that all groups together have the run's time. Calls are those from another group.

                  <info>xhprof report</info>                              the newest run
                  <info>xhprof report 4f0c --sort=wt --limit=100</info>   by inclusive wall time
                  <info>xhprof report 4f0c --symbol='App\Kernel::boot'</info>
                  <info>xhprof report latest --tree</info>                the heaviest call paths
                  <info>xhprof report latest --findings</info>            what to look at first
                  <info>xhprof report latest --without='PDO::query'</info>   what if it took no time
                  <info>xhprof report latest --files</info>               and where their code is
                  <info>xhprof report latest --stable-names</info>        to keep beside reports of other releases
                  <info>xhprof report latest --corrected --sort=excl_corrected_wt</info>
                  <info>xhprof report 4f0c,91ab,77e2</info>               the mean of several
                  <info>xhprof report ./old.xhprof.xhprof</info>          a file from elsewhere
                  <info>xhprof report latest --markdown</info>            for a ticket: findings, functions, operations
                  <info>xhprof report latest --json | jq '.functions[0]'</info>
                HELP
            );
    }

    private static function answer(Arguments $given): Report
    {
        [$limit, $sort, $descending] = [$given->number('limit'), $given->sort(), $given->isDescending()];
        [$isTree, $isStable, $corrected] = [$given->flag('tree'), $given->flag('stable-names'), $given->flag('corrected')];
        $symbol = $given->text('symbol');
        if ($symbol !== null && $isTree) {
            throw new UsageError('--symbol and --tree exclude each other');
        }
        $isStrict = $given->flag('fail-on-findings');
        $isFindings = $isStrict || $given->flag('findings');
        if ($isFindings && ($symbol !== null || $isTree || $isStable)) {
            throw new UsageError('--findings excludes --symbol, --tree and --stable-names');
        }
        if ($given->text('q') !== null && ($isFindings || $isTree || $symbol !== null)) {
            throw new UsageError('--q excludes --symbol, --tree and --findings');
        }
        $grouping = GroupOptions::of($given);
        if ($grouping !== null && ($isFindings || $given->flag('files') || $given->flag('levels'))) {
            throw new UsageError('--by excludes --findings, --files and --levels');
        }
        $without = $given->texts('without');
        $others = $isFindings || $isTree || $isStable || $corrected || $symbol !== null || $given->text('q') !== null
            || $given->flag('files') || $given->flag('levels') || $given->text('group') !== null;
        if ($without !== [] && $others) {
            throw new UsageError('--without is a report of its own: of the other ones, only --by goes with it');
        }
        if ($descending !== null && ($isFindings || $isTree)) {
            throw new UsageError('--dir excludes --tree and --findings');
        }
        $run = $given->run();
        if ($run instanceof MeanRun && ($corrected || $isTree)) {
            throw new UsageError('--tree and --corrected take one run, not the mean of several');
        }
        // call paths have their own corrected times
        if ($corrected && !$isTree) {
            $run = ChangedRun::corrected($run) ?? throw new CliError(RunHead::NOT_CORRECTED);
        }
        if ($without !== []) {
            return RunWithout::of($run, Strike::of($run, $without, $grouping))->report();
        }
        $run = $isStable ? ChangedRun::renamed($run, AnswerCommand::stableNames($run, $run->tree())) : $run;
        if ($grouping !== null) {
            return self::groups($run, $grouping, $given, $symbol, $sort, $descending, $limit);
        }
        if (!$isFindings) {
            return self::report($run, $given, $symbol, $sort, $descending, $limit);
        }
        $report = Findings::report($run);
        $given->exitCode = $isStrict && !FindingList::areRight($report->findings) ? self::FOUND : 0;

        return $report;
    }

    /**
     * @param int $limit 0 for all
     *
     * @throws CliError
     */
    private static function report(Run $run, Arguments $given, ?string $symbol, ?string $sort, ?bool $down, int $limit): Report
    {
        $levels = $given->flag('levels');
        $corrected = $given->flag('corrected');
        $places = $given->flag('files') ? self::places($run) : null;
        if ($symbol !== null) {
            $found = SymbolReport::compute($run->profile(), $symbol, !$levels);

            return (new CallersReport($run, $found, $sort, $limit, $levels, $places, $down))->report();
        }

        if ($given->flag('tree')) {
            return (new PathsReport($run, self::tree($run, $corrected), $sort, $limit, $corrected, $places))->report();
        }
        $query = $given->text('q') ?? '';
        $functions = new FunctionsReport($run, $sort, $limit, $levels, $places, $query, $down);

        return $given->flag('markdown') && $query === '' ? Ticket::of($run, $functions) : $functions->report();
    }

    /**
     * @param int $limit 0 for all
     *
     * @throws CliError
     */
    private static function groups(
        Run $run,
        Grouping $grouping,
        Arguments $given,
        ?string $symbol,
        ?string $sort,
        ?bool $down,
        int $limit,
    ): Report {
        $groups = GroupOptions::run($run, $grouping);
        if ($grouping->one !== null || $symbol !== null || $given->flag('tree')) {
            return self::report($groups, $given, $symbol, $sort, $down, $limit);
        }

        return (new GroupsReport($run, $groups, $grouping->by, $sort, $limit, $given->text('q') ?? '', $down))->report();
    }

    /** @throws CliError if the run does not have them */
    private static function places(Run $run): FunctionPlaces
    {
        $places = FunctionPlaces::ofTree($run->tree());

        return $places->isEmpty()
            ? throw new CliError('--files: this run does not say where its functions are; one run of xhprof_save() or '
                . '`xhprof run` does')
            : $places;
    }

    /** @throws CliError if the run does not have it, or not its corrected times */
    private static function tree(Run $run, bool $corrected): CallTree
    {
        $tree = $run->tree()
            ?? throw new CliError('this run has no call tree; xhprof_save(), `xhprof run` and imports of files that have call paths'
                . ' save one');

        return $corrected && $tree->correctedMetrics() === [] ? throw new CliError(RunHead::NOT_CORRECTED) : $tree;
    }
}
