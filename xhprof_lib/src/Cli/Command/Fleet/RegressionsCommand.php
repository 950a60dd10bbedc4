<?php

declare(strict_types=1);

namespace XHProf\Cli\Command\Fleet;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\View\Fleet\RowsView;
use XHProf\Fleet\Question\Regression;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\Regressions;

/** Which functions got slower with a release. */
final class RegressionsCommand extends PairCommand
{
    private const LIMIT = 30;

    /** Exit code of --fail where something got slower. */
    private const FOUND = 3;

    protected function configure(): void
    {
        $this->question('regressions', 'Functions that got slower with a release, tested')
            ->addPair()
            ->addOption('fail', null, InputOption::VALUE_NONE, 'End with exit code ' . self::FOUND . ' if there are any')
            ->addLimitOption('functions', self::LIMIT)
            ->addJson()
            ->setHelp(
                <<<'HELP'
                A value is a function's own time per request of a route in 10 minutes, compared with that of the same hour of
                the day where the older release was on then. Welch's test compares the values of both releases, and false
                discoveries are controlled over all functions. A function is named if its own time grew by a tenth and by a
                hundredth of the route's time. A route without enough requests on both sides is named, and nothing is said
                of it.

                  <info>xhprof fleet regressions --service=shop</info>                     the newest release and the one before
                  <info>xhprof fleet regressions --service=shop --base=1.4 --release=1.5 --fail</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $client = self::client($input);
        $which = self::selection($input);
        $clock = self::clock($input);
        [$base, $release] = self::pair($input, $client, $which);
        $report = (new Regressions($client))->between($which, $base, $release, $clock);
        $rows = array_map(static fn (Regression $one): array => [
            'route' => $one->route, 'function' => $one->name, 'file' => $one->file, 'line' => $one->line,
            'growth_ns' => $one->growth(), 'before_ns' => $one->before, 'after_ns' => $one->after,
            'share' => 100 * $one->share(), 'false_rate' => $one->falseRate,
        ], self::first($report->slower, $input));
        self::show(new RowsView([
            'growth_ns' => ['growth', RowsView::NS, 0],
            'before_ns' => ['before', RowsView::NS, 2],
            'after_ns' => ['after', RowsView::NS, 2],
            'share' => ['% of route', RowsView::TIMES, 1],
            'route' => ['route', RowsView::NAME, 0],
            'function' => ['function', RowsView::NAME, 0],
        ], $rows, 'No function got slower.', self::notes($report), [
            'base' => $base, 'release' => $release, 'tested' => $report->tested, 'slower_total' => count($report->slower),
            'faster_total' => $report->faster, 'routes_compared' => $report->compared,
            'routes_without_enough_data' => $report->short,
        ]), $input, $output);

        return $input->getOption('fail') === true && $report->slower !== [] ? self::FOUND : self::SUCCESS;
    }

    /** @return list<string> */
    private static function notes(RegressionReport $report): array
    {
        $notes = [sprintf(
            '%s -> %s: %d functions of %d routes tested, own time per request; %d got faster',
            $report->old,
            $report->new,
            $report->tested,
            count($report->compared),
            $report->faster,
        )];
        if ($report->short !== []) {
            $notes[] = 'Not enough data: ' . implode(', ', $report->short);
        }

        return $notes;
    }
}
