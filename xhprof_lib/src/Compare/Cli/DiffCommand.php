<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use Symfony\Component\Console\Input\InputArgument;
use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\GroupOptions;
use XHProf\Cli\UsageError;
use XHProf\Cli\CliError;
use XHProf\Compare\DiffReport;
use XHProf\Compare\DiffTables;
use XHProf\Compare\TreeDiff;
use XHProf\Report\Report;
use XHProf\Compare\Judgement;
use XHProf\Format\QuantityParser;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\NameRules;
use XHProf\Run\Run;

/** Compares two saved runs, or two sets of them. */
final class DiffCommand
{
    /** Exit code if a --fail-over budget is exceeded. */
    public const OVER_BUDGET = 3;

    public static function make(): AnswerCommand
    {
        $command = (new AnswerCommand('diff', 'Compare two runs, function by function', self::answer(...)))
            ->addArgument('a', InputArgument::REQUIRED, 'The run before. ' . AnswerCommand::RUN . '. ' . AnswerCommand::SEVERAL)
            ->addArgument('b', InputArgument::REQUIRED, 'The run after')
            ->addValue('sort', 'Column to sort by [default: "excl_wt"]', short: 's')
            ->addValue('q', 'Only functions with this text in their name')
            ->addValue('symbol', 'Compare this function, its callers and callees')
            ->addFlag('tree', 'The call paths that changed most', 't')
            ->addFlag('operations', 'Compare what both waited for: SQL, HTTP ... by text')
            ->addFlag('memory', 'Compare who holds the memory at the end, by call path')
            ->addFlag('levels', 'Keep the levels of a recursion (f, f@1...) apart')
            ->addFlag('exact-names', 'Do not match closures and files that moved')
            ->addValue('fail-over', 'Exit code 3 when the total grew by more, like "5%"');

        return GroupOptions::addTo($command, false)
            ->addRows('functions', 30)
            ->setHelp(
                <<<'HELP'
                Prints how much more (+) or less (-) run B takes than run A, the largest change first. Functions that
                only one of them has are marked <info>new</info> or <info>gone</info>. Closures are matched by their order in their
                function or file, not by their line; files of another folder by their name.

                  <info>xhprof diff 4f0c 91ab</info>
                  <info>xhprof diff 4f0c latest --sort=mu</info>
                  <info>xhprof diff 4f0c latest --symbol=array_map</info>
                  <info>xhprof diff before.cli.xhprof after.cli.xhprof --json</info>
                  <info>xhprof diff 4f0c latest --by=package</info>       which package takes more

                <info>--operations</info> prints which queries and other operations are new or gone, done more often, or slower;
                <info>--memory</info> what call paths hold and allocate more.

                <info>--tree</info> prints the call paths that changed most, each below its caller; --sort=excl_wt those that
                changed themselves.

                  <info>xhprof diff 4f0c 91ab --tree</info>
                  <info>xhprof diff 4f0c 91ab --operations</info>
                  <info>xhprof diff 4f0c 91ab --memory --json</info>

                With several runs on both sides, changes that may be chance (Welch's t-test) are marked <info>~</info> and come
                last, as do those under 1 % of the total:

                  <info>xhprof diff 4f0c,5a11,77e2 91ab,92cd,93ef</info>

                <info>--fail-over=5%</info> is for CI: the exit code is 3 when the total wall time grew by more than 5 %. --sort
                tests another metric, --symbol one function; with several runs on both sides growth that may be chance
                does not count. The same work always makes the same number of calls:

                  <info>xhprof diff 4f0c latest --sort=ct --fail-over=0%</info>
                HELP
            );
    }

    private static function answer(Arguments $given): DiffView|Report
    {
        foreach (['tree', 'operations', 'memory'] as $what) {
            if ($given->flag($what)) {
                return self::tables($given, $what);
            }
        }
        [$limit, $sort, $symbol] = [$given->number('limit'), $given->text('sort'), $given->text('symbol')];
        $budget = self::share($given);
        if ($budget !== null && $sort === 'fn') {
            throw new UsageError('--fail-over needs a metric; --sort=fn sorts by name');
        }
        $grouping = GroupOptions::of($given);
        if ($grouping !== null && $given->flag('levels')) {
            throw new UsageError('--by excludes --levels');
        }
        $side = static fn (Run $run): Run => $grouping === null ? $run : GroupOptions::run($run, $grouping);
        $source = $given->text('source');
        $store = $given->store();
        $report = DiffReport::between(
            $side($store->named($given->argument('a'), $source)),
            $side($store->named($given->argument('b'), $source)),
            $given->flag('levels'),
            $given->flag('exact-names') || $grouping !== null ? null : NameRules::ofFile((string) getenv(NameRules::FILE)),
            $grouping?->by->noun() ?? 'function',
        );
        $column = $sort ?? MetricOrder::sort(null, $report->metrics(), true);
        $view = new DiffView($report, $sort, $limit, $given->text('q') ?? '', $symbol, $grouping?->by->noun() ?? 'function');
        if ($budget !== null) {
            self::judge($given, $report->budget($column, $symbol), $budget);
        }

        return $view;
    }

    /** @param 'tree'|'operations'|'memory' $what */
    private static function tables(Arguments $given, string $what): Report
    {
        foreach (['tree', 'operations', 'memory', 'symbol', 'q', 'levels', 'fail-over', 'by', 'sort'] as $other) {
            $isOwn = $other === $what || ($what === 'tree' && $other === 'sort');
            if (!$isOwn && $given->has($other) && $given->isGiven($other)) {
                throw new UsageError("--$what excludes --$other");
            }
        }
        $source = $given->text('source');
        $rules = $given->flag('exact-names') ? null : NameRules::ofFile((string) getenv(NameRules::FILE));
        [$a, $b] = array_map(static fn (string $side): Run
            => $given->store()->named($given->argument($side), $source), ['a', 'b']);
        $both = DiffReport::between($a, $b, false, $rules);
        if ($what === 'tree') {
            return self::tree($both->a, $both->b, $given);
        }
        $report = DiffTables::of($what, $both->a, $both->b, $given->number('limit'));

        return $report->tables === [] ? throw new CliError(lcfirst(rtrim(implode(' ', $report->notes), '.'))) : $report;
    }

    private static function tree(Run $a, Run $b, Arguments $given): Report
    {
        [$before, $after] = [$a->has(Run::TREE) ? $a->tree() : null, $b->has(Run::TREE) ? $b->tree() : null];
        if ($before === null || $after === null) {
            $without = array_keys(array_filter(['A' => $before, 'B' => $after], is_null(...)));
            throw new CliError('no call tree of ' . implode(' and ', $without)
                . ': `bin/xhprof run`, xhprof_save() and imports of files that have call paths keep it');
        }

        return (new TreeDiff($a, $b, $before, $after, $given->text('sort'), $given->number('limit')))->report();
    }

    /**
     * @param array{growth: float, chance: ?float, text: string} $found
     * @param float $most share that it may grow by
     */
    private static function judge(Arguments $given, array $found, float $most): void
    {
        $judgement = Judgement::of($found['growth'], $most, $found['chance']);
        $given->verdict = sprintf('%s (%s; budget +%s %%)', $judgement->value, $found['text'], round(100 * $most, 3));
        $given->exitCode = $judgement->isOver() ? self::OVER_BUDGET : 0;
    }

    /** "5%" => 0.05, null if it was not given. */
    private static function share(Arguments $given): ?float
    {
        $text = $given->text('fail-over');
        if ($text === null) {
            return null;
        }
        $share = QuantityParser::share($text);
        if ($share === null) {
            $readings = is_numeric($text) && $text >= 0 ? array_unique(["$text%", 100 * (float) $text . '%']) : [];
            $hint = $readings === [] ? '' : ': write ' . implode(' or ', $readings);
            throw new UsageError("--fail-over takes a percentage like \"5%\", not \"$text\"$hint");
        }

        return $share;
    }
}
