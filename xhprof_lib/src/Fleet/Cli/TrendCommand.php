<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Terminal\Screen;
use XHProf\Fleet\Question\OverTime;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Run\RouteFigures;

/**
 * What requests took, step after step.
 *
 * @phpstan-import-type Step from OverTime
 */
final class TrendCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('trend', 'Requests over time, by release: rate, failures, percentiles, CPU time')
            ->addSelection()
            ->addLimitOption('lines', 24)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                A step is 10 minutes of two days, an hour of two weeks, else a day (UTC). A picture is of all releases
                together, each character a step or several; the newest lines follow it. Percentiles are of all requests
                of a step, at most 2 % off.

                  <info>xhprof fleet trend --service=shop --route='GET /users/{id}' --from=2026-11-21</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $client = self::client($input);
        $steps = TimeSteps::of($client, self::selection($input));
        $found = $steps === null ? [] : (new OverTime($client))->requests($steps);
        if ($input->getOption('json') !== true && $steps !== null && $found !== []) {
            self::picture($steps, $found, $output);
        }
        $rows = $steps === null ? [] : array_map(static fn (array $step): array => self::row($step, $steps), $found);
        $rows = self::most($input) < count($rows) ? array_slice($rows, -self::most($input)) : $rows;

        return self::show(new RowsView([
            'began' => ['began', RowsView::TEXT, 0],
            'requests' => ['requests', RowsView::COUNT, 1],
            'rate' => ['a second', RowsView::TIMES, 5],
            'failed' => ['failed', RowsView::COUNT, 3],
            'p50_us' => ['median', RowsView::US, 4],
            'p95_us' => ['p95', RowsView::US, 2],
            'p99_us' => ['p99', RowsView::US, 0],
            'cpu_mean_us' => ['mean CPU', RowsView::US, 6],
            'release' => ['release', RowsView::NAME, 0],
        ], $rows, 'No requests of this selection have arrived.', self::since($found), [
            'step_seconds' => $steps?->seconds, 'from' => $steps?->which->from, 'until' => $steps?->which->to,
            'lines_total' => count($found),
        ]), $input, $output);
    }

    /** @param list<Step> $found */
    private static function picture(TimeSteps $steps, array $found, OutputInterface $output): void
    {
        $all = array_fill_keys($steps->all(), RouteFigures::none());
        foreach ($found as $step) {
            $all[$step['at']] = ($all[$step['at']] ?? RouteFigures::none())->plus($step['figures']);
        }
        $screen = Screen::of($output);
        $lines = ['requests' => [RowsView::COUNT, []], 'failed' => [RowsView::COUNT, []]]
            + array_fill_keys(['median', 'p95', 'p99', 'mean CPU'], [RowsView::US, []]);
        foreach (StepCharts::groups(array_values($all), $screen) as $group) {
            $figures = RouteFigures::none();
            foreach ($group as $one) {
                $figures = $figures->plus($one);
            }
            $lines['requests'][1][] = $figures->requests;
            $lines['failed'][1][] = $figures->failed;
            $lines['median'][1][] = $figures->wallQuantile(0.5);
            $lines['p95'][1][] = $figures->wallQuantile(0.95);
            $lines['p99'][1][] = $figures->wallQuantile(0.99);
            $lines['mean CPU'][1][] = self::meanCpu($figures);
        }
        StepCharts::print($lines, $screen);
    }

    /**
     * @param Step $step
     *
     * @return array<string, string|int|float|null>
     */
    private static function row(array $step, TimeSteps $steps): array
    {
        $figures = $step['figures'];

        return [
            'at' => $step['at'],
            'began' => date('Y-m-d H:i', $step['at']),
            'release' => $step['release'],
            'requests' => $figures->requests,
            'failed' => $figures->failed,
            'rate' => $figures->requests / max(1, $steps->secondsOf($step['at'])),
            'p50_us' => $figures->wallQuantile(0.5),
            'p95_us' => $figures->wallQuantile(0.95),
            'p99_us' => $figures->wallQuantile(0.99),
            'cpu_mean_us' => self::meanCpu($figures),
        ];
    }

    private static function meanCpu(RouteFigures $figures): ?int
    {
        return $figures->requests === 0 ? null : intdiv($figures->cpu, $figures->requests);
    }

    /**
     * @param list<Step> $found
     *
     * @return list<string>
     */
    private static function since(array $found): array
    {
        $since = [];
        foreach ($found as $step) {
            $since["\0{$step['release']}"] ??= $step['at'];
        }
        $notes = [];
        foreach (count($since) > 1 ? $since : [] as $release => $at) {
            $notes[] = substr((string) $release, 1) . ' since ' . date('Y-m-d H:i', $at);
        }

        return $notes;
    }
}
