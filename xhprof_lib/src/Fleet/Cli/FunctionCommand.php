<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\JsonOutput;
use XHProf\Cli\Terminal\Screen;
use XHProf\Fleet\Question\OneFunction;
use XHProf\Fleet\Question\ReleaseFigures;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Format\Text;
use XHProf\Profile\CodePlace;

/**
 * One function on many hosts: by release, over time, its callers and callees, hosts.
 *
 * @phpstan-import-type Neighbour from OneFunction
 * @phpstan-import-type FunctionStep from OneFunction
 */
final class FunctionCommand extends StoreCommand
{
    protected function configure(): void
    {
        $this->question('function', 'One function: by release, over time, callers, callees, hosts')
            ->addArgument('name', InputArgument::REQUIRED, 'Its name, as `xhprof fleet functions` prints it')
            ->addSelection()
            ->addClock()
            ->addLimitOption('lines of each table', 10)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                Times are per request of the selection. Time below callers is the function's with all it called, time below
                callees is theirs: with the function's own time they add up to the same. Hosts are compared by the function's
                own time in requests of the same routes. Steps of time are those of `xhprof fleet trend`.

                  <info>xhprof fleet function PDO::prepare --service=shop --route='GET /users/{id}'</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $client = self::client($input);
        $which = self::selection($input);
        $clock = self::clock($input);
        $question = new OneFunction($client, self::argument($input, 'name'));
        $figures = $question->figures($which, $clock)
            ?? throw new CliError('no host has sent a function of this name: `xhprof fleet functions` lists them');
        $tables = $this->tables($question, $figures, $which, $clock, $input);
        $steps = TimeSteps::of($client, $which);
        $time = $steps === null ? [] : $question->overTime($steps, $clock);
        if ($input->getOption('json') === true) {
            JsonOutput::print($figures->toArray() + [
                'requests' => $figures->requestCount(),
                'step_seconds' => $steps?->seconds, 'over_time' => array_map(self::step(...), $time),
            ] + array_map(static fn (RowsView $view): array => $view->json(), $tables), $output);

            return self::SUCCESS;
        }
        $place = $figures->file === '' ? '' : ' (' . (new CodePlace($figures->file, $figures->line))->text() . ')';
        $output->writeln(OutputFormatter::escape(Text::printable("$figures->name$place")) . "\n");
        if ($steps !== null && $time !== []) {
            self::picture($steps, $time, $output);
        }
        foreach ($tables as $view) {
            $view->print(Screen::of($output));
            $output->writeln('');
        }

        return self::SUCCESS;
    }

    /** @return array<string, RowsView> */
    private function tables(
        OneFunction $question,
        ReleaseFigures $figures,
        Selection $which,
        SampledClock $clock,
        InputInterface $input,
    ): array {
        $releases = array_map(static fn (string $release): array => [
            'release' => $release, 'requests' => $figures->requestCount($release), 'samples' => $figures->samples($release),
            'self_ns' => $figures->selfPerRequest($release), 'total_ns' => $figures->totalPerRequest($release),
        ], $figures->releases());
        $requests = $figures->requestCount();
        $hosts = array_map(static fn (array $host): array => [
            'host' => $host['host'], 'requests' => $host['requests'], 'self_ns' => $host['time'] / $host['requests'],
            'slowness' => $host['slowness'], 'is_outlier' => $host['is_outlier'],
        ], $question->hosts($which, $clock));

        return [
            'releases' => new RowsView([
                'self_ns' => ['own', RowsView::NS, 0],
                'total_ns' => ['with callees', RowsView::NS, 0],
                'samples' => ['samples', RowsView::COUNT, 2],
                'requests' => ['requests', RowsView::COUNT, 1],
                'release' => ['release', RowsView::NAME, 0],
            ], self::first($releases, $input), 'No requests of this selection have arrived.', [], [
                'rows_total' => count($releases),
            ]),
            'callers' => self::neighbours(
                'called by',
                'Nothing that was sampled calls it.',
                $question->callers($which, $clock),
                $requests,
                $input,
            ),
            'callees' => self::neighbours(
                'calls',
                'It calls nothing that was sampled.',
                $question->callees($which, $clock),
                $requests,
                $input,
            ),
            'hosts' => new RowsView([
                'slowness' => ['slowness', RowsView::TIMES, 0],
                'self_ns' => ['own', RowsView::NS, 0],
                'requests' => ['requests', RowsView::COUNT, 1],
                'is_outlier' => ['', RowsView::MARK, 0],
                'host' => ['host', RowsView::NAME, 0],
            ], self::first($hosts, $input), 'It ran on no host.', HostsCommand::tooFew($hosts), ['rows_total' => count($hosts)]),
        ];
    }

    /** @param list<Neighbour> $found */
    private static function neighbours(
        string $title,
        string $none,
        array $found,
        int $requests,
        InputInterface $input,
    ): RowsView {
        $all = array_sum(array_column($found, 'time'));
        $rows = array_map(static fn (array $one): array => [
            'function' => $one['name'], 'file' => $one['file'], 'line' => $one['line'], 'samples' => $one['samples'],
            'total_ns' => $requests === 0 ? null : $one['time'] / $requests,
            'share' => $all === 0 ? null : 100 * $one['time'] / $all,
        ], $found);

        return new RowsView([
            'total_ns' => ['with callees', RowsView::NS, 0],
            'share' => ['%', RowsView::TIMES, 1],
            'samples' => ['samples', RowsView::COUNT, 2],
            'function' => [$title, RowsView::NAME, 0],
        ], self::first($rows, $input), $none, [], ['rows_total' => count($rows)]);
    }

    /**
     * @param FunctionStep $step
     *
     * @return array<string, string|int|float|null>
     */
    private static function step(array $step): array
    {
        return [
            'at' => $step['at'], 'began' => date('Y-m-d H:i', $step['at']), 'release' => $step['release'],
            'requests' => $step['requests'], 'samples' => $step['samples'],
            'self_ns' => self::perRequest($step['self'], $step['requests']),
            'total_ns' => self::perRequest($step['total'], $step['requests']),
        ];
    }

    private static function perRequest(int $time, int $requests): ?float
    {
        return $requests === 0 ? null : $time / $requests;
    }

    /** @param list<FunctionStep> $found */
    private static function picture(TimeSteps $steps, array $found, OutputInterface $output): void
    {
        $all = array_fill_keys($steps->all(), ['requests' => 0, 'self' => 0, 'total' => 0]);
        foreach ($found as $step) {
            foreach (['requests', 'self', 'total'] as $figure) {
                $all[$step['at']][$figure] = ($all[$step['at']][$figure] ?? 0) + $step[$figure];
            }
        }
        $screen = Screen::of($output);
        $lines = ['requests' => [RowsView::COUNT, []], 'own' => [RowsView::NS, []], 'with callees' => [RowsView::NS, []]];
        foreach (StepCharts::groups(array_values($all), $screen) as $group) {
            $requests = array_sum(array_column($group, 'requests'));
            $lines['requests'][1][] = $requests;
            $lines['own'][1][] = self::perRequest(array_sum(array_column($group, 'self')), $requests);
            $lines['with callees'][1][] = self::perRequest(array_sum(array_column($group, 'total')), $requests);
        }
        StepCharts::print($lines, $screen);
    }
}
