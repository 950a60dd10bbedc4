<?php

declare(strict_types=1);

namespace XHProf\Functions\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Compare\Cli\DiffCommand;
use XHProf\Findings\Findings;
use XHProf\Functions\CallersReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\RunHead;
use XHProf\Functions\SymbolReport;
use XHProf\Paths\PathsReport;
use XHProf\Profile\CallTree;
use XHProf\Report\FindingList;
use XHProf\Report\Report;
use XHProf\Run\ChangedRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;

/** Prints a saved run. */
final class ReportCommand extends RunFolderCommand
{
    /** Exit code if --fail-on-findings finds something, as for a budget that is exceeded. */
    public const FOUND = DiffCommand::OVER_BUDGET;

    protected function configure(): void
    {
        $this->setName('report')
            ->setDescription('Print a saved run: flat profile, one function, call paths, findings')
            ->addArgument('run', InputArgument::OPTIONAL, self::RUN . '. ' . self::SEVERAL, 'latest')
            ->addValue('sort', 'Column to sort by [default: "excl_wt"]', short: 's')
            ->addValue('q', 'Only functions with this text in their name')
            ->addValue('symbol', 'Callers and callees of this function')
            ->addFlag('tree', 'The heaviest call paths', 't')
            ->addFlag('findings', 'What to look at first, at most five things')
            ->addFlag('fail-on-findings', 'The same, with exit code 3 if there are any')
            ->addCorrectedOption()
            ->addFlag('levels', 'Keep the levels of a recursion (f, f@1...) apart')
            ->addFlag('files', 'Print the file and line of each function', 'f')
            ->addStableNamesOption()
            ->addValue('source', 'Only look at runs of this source')
            ->addLimitOption('lines', 30)
            ->addFlag('json', 'Print JSON (microseconds and bytes)')
            ->addFolderOption()
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

                  <info>xhprof report</info>                              the newest run
                  <info>xhprof report 4f0c --sort=wt --limit=100</info>   by inclusive wall time
                  <info>xhprof report 4f0c --symbol='App\Kernel::boot'</info>
                  <info>xhprof report latest --tree</info>                the heaviest call paths
                  <info>xhprof report latest --findings</info>            what to look at first
                  <info>xhprof report latest --files</info>               and where their code is
                  <info>xhprof report latest --stable-names</info>        to keep beside reports of other releases
                  <info>xhprof report latest --corrected --sort=excl_corrected_wt</info>
                  <info>xhprof report 4f0c,91ab,77e2</info>               the mean of several
                  <info>xhprof report ./old.xhprof.xhprof</info>          a file from elsewhere
                  <info>xhprof report latest --json | jq '.functions[0]'</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $sort = self::sort($input);
        $corrected = $input->getOption('corrected') === true;
        $symbol = self::text($input, 'symbol');
        if ($symbol !== null && $input->getOption('tree') === true) {
            throw new UsageError('--symbol and --tree exclude each other');
        }
        $isStrict = $input->getOption('fail-on-findings') === true;
        $isFindings = $isStrict || $input->getOption('findings') === true;
        $isStable = $input->getOption('stable-names') === true;
        if ($isFindings && ($symbol !== null || $input->getOption('tree') === true || $isStable)) {
            throw new UsageError('--findings excludes --symbol, --tree and --stable-names');
        }
        $run = self::argument($input, 'run');
        $store = $this->store($input);
        $isTree = $input->getOption('tree') === true;
        $read = static function () use ($store, $input, $run, $corrected, $isTree, $isStable): Run {
            $opened = $store->named($run, self::text($input, 'source'));
            if ($opened instanceof MeanRun && ($corrected || $isTree)) {
                throw new UsageError('--tree and --corrected take one run, not the mean of several');
            }

            // call paths have their own corrected times
            $opened = $corrected && !$isTree
                ? ChangedRun::corrected($opened) ?? throw new CliError(RunHead::NOT_CORRECTED)
                : $opened;

            return $isStable ? ChangedRun::renamed($opened, self::stableNames($opened, $opened->tree())) : $opened;
        };
        if (self::text($input, 'q') !== null && ($isFindings || $isTree || $symbol !== null)) {
            throw new UsageError('--q excludes --symbol, --tree and --findings');
        }
        $open = static fn (): Report => $isFindings
            ? Findings::report($read())
            : self::report($read(), $input, $symbol, $sort, $limit);
        $report = SlowNotice::during("Reading run $run", $output, $open);
        self::show(new ReportView($report), $input, $output);

        return $isStrict && !FindingList::areRight($report->findings) ? self::FOUND : self::SUCCESS;
    }

    /**
     * @param int $limit 0 for all
     *
     * @throws CliError
     */
    private static function report(Run $run, InputInterface $input, ?string $symbol, ?string $sort, int $limit): Report
    {
        $levels = $input->getOption('levels') === true;
        $corrected = $input->getOption('corrected') === true;
        $places = $input->getOption('files') === true ? self::places($run) : null;
        if ($symbol !== null) {
            $found = SymbolReport::compute($run->profile(), $symbol, !$levels);

            return (new CallersReport($run, $found, $sort, $limit, $levels, $places))->report();
        }

        return $input->getOption('tree') === true
            ? (new PathsReport($run, self::tree($run, $corrected), $sort, $limit, $corrected, $places))->report()
            : (new FunctionsReport($run, $sort, $limit, $levels, $places, self::text($input, 'q') ?? ''))->report();
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
