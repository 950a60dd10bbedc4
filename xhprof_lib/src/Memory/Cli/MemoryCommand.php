<?php

declare(strict_types=1);

namespace XHProf\Memory\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Run\RunReportView;
use XHProf\Cli\UsageError;
use XHProf\Format\Period;
use XHProf\Memory\GrowthReport;
use XHProf\Memory\LiveReport;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryReport;
use XHProf\Report\Report;
use XHProf\Requests\KeptWindows;
use XHProf\Store\RunQuery;

/** The live memory of a run by call path, function or type: all of it, or what is left of two marks. */
final class MemoryCommand
{
    /** Options that ask for windows in place of a run. */
    private const OF_WINDOWS = ['from', 'to', 'last', 'route', 'host'];

    public static function make(): AnswerCommand
    {
        return self::command('memory', 'Print who holds the memory of a run: live blocks by call path, function or type')
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

    /** Between two marks, of which each has a default. */
    public static function leaks(): AnswerCommand
    {
        $defaults = [' [default: 1]', ' [default: the last one]'];
        $about = 'Print what a run allocated between two marks and never freed, or what the requests of windows keep';

        return self::command('leaks', $about, $defaults)
            ->addValue('from', 'Of the windows since 2026-11-21, or "2026-11-21 14:30", in place of a run')
            ->addValue('to', 'Of the windows until then, inclusive')
            ->addValue('last', 'Of the windows of a period: ' . Period::EXAMPLES)
            ->addValue('route', 'Of the requests of this route or job in windows')
            ->addValue('host', 'Of the windows of this host')
            ->setHelp(
                <<<'HELP'
                Prints which call paths hold memory that was allocated after one mark and before another and is
                still in use: what a worker leaks from job to job. Where its jobs are spans (xhprof_span()), each ends with
                a mark, and nothing is changed in the program:

                  <info>xhprof run --alloc -- worker.php</info>

                xhprof_alloc_mark() makes one too, the first is 1:

                  xhprof_enable(XHPROF_FLAGS_ALLOC);
                  foreach ($queue->take(100) as $job) {
                      $job->run();
                      xhprof_alloc_mark();
                  }
                  xhprof_disable();
                  xhprof_save('worker');

                Caches fill before mark 1, and a job may still run after the last mark. Both parts are left out unless
                --after or --before names them. The column "marks" shows in how many intervals between marks the blocks
                of a line were allocated: a leak grows in most of them, a cache in few.

                With --from, --to, --route or --host it is about all requests instead, as windows counted them
                (xhprof.mode=aggregate with xhprof.alloc_sample_bytes, in workers): which call paths keep memory beyond
                their requests, how much of each request, and whether that goes on. A cache that is full, or that lets go
                as much as it takes, does not grow. It takes at least four windows to say so.

                  <info>xhprof leaks --from="2026-11-21 14:00"</info>   windows since then
                  <info>xhprof leaks --route="POST /orders"</info>      all windows, one route
                  <info>xhprof leaks</info>                             the newest run
                  <info>xhprof leaks 4f0c --after=10 --before=20</info>  between these marks
                  <info>xhprof leaks 4f0c --by=type</info>              strings, arrays, objects of which class
                  <info>xhprof leaks 4f0c --full --limit=3</info>       full call paths
                HELP
            );
    }

    /** @param array{string, string} $defaults texts on the marks that limit the report where no option does; '' where none do */
    private static function command(string $name, string $about, array $defaults = ['', '']): AnswerCommand
    {
        $hasMarks = $defaults[0] !== '';

        $answer = static fn (Arguments $given): RunReportView|Report => self::answer($given, $hasMarks);

        return (new AnswerCommand($name, $about, $answer))
            ->addRun()
            ->addValue('by', 'One line per path, function or type', 'path', 'b')
            ->addOrderOptions('Column to sort by', LiveReport::USUAL)
            ->addFlag('full', 'Full call paths, one function per line')
            ->addValue('after', "Only what was allocated after this mark, 0 for all$defaults[0]")
            ->addValue('before', "Only what was allocated before this mark$defaults[1]")
            ->addValue('when', 'Of "end", or of "peak": when PHP\'s heap was largest', 'end')
            ->addRows('lines', 20, 'Print JSON (bytes)');
    }

    private static function answer(Arguments $given, bool $hasMarks): RunReportView|Report
    {
        if ($hasMarks && array_filter(self::OF_WINDOWS, $given->isGiven(...)) !== []) {
            return self::windows($given);
        }
        [$limit, $order] = [$given->number('limit'), $given->order([], LiveReport::USUAL)];
        $by = $given->oneOf('by', MemoryReport::BY);
        $isPeak = $given->oneOf('when', ['end', 'peak']) === 'peak';
        $run = $given->run();
        if ($hasMarks && ($run->meta()->window->sampled ?? 0) > 0) {
            throw new CliError('this run is one window of requests: --from, --to or --route compares several');
        }
        $memory = $run->memory() ?? throw new CliError('this run has no allocations: ' . LiveReport::HOW_TO_RECORD);
        [$after, $before] = [$given->maybe('after'), $given->maybe('before')];
        $isWhole = $after === null && $before === null && !$hasMarks;
        $range = $isWhole ? null : MarkRange::choose($memory->marks, $after, $before);
        if ($isPeak) {
            $memory = $memory->atPeak() ?? throw new CliError('who held the memory at its peak was not recorded');
        }
        $report = new LiveReport($memory, $by, $range, $isPeak);

        return new RunReportView($run, $report->report($order, $limit, $given->flag('full')));
    }

    private static function windows(Arguments $given): Report
    {
        foreach (['after', 'before'] as $option) {
            if ($given->isGiven($option)) {
                throw new UsageError("--$option is of a run, and the other options are of windows");
            }
        }
        $query = new RunQuery(
            ...$given->range(),
            source: $given->text('source') ?? '',
            host: $given->text('host') ?? '',
        );
        $report = GrowthReport::of(KeptWindows::read($given->store(), $query), $given->text('route'))->report();

        $order = $given->text('sort') === LiveReport::USUAL ? null : $given->order($report->orders());

        return $report->shown($order, $given->number('limit'));
    }
}
