<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\UsageError;
use XHProf\Fleet\Question\Regression;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\RegressionRules;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\Verdicts;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Ship\Backoff;
use XHProf\Fleet\Ship\SystemClock;
use XHProf\Fleet\Ship\Webhook;
use XHProf\Fleet\Unavailable;
use XHProf\Fleet\WrongAddress;
use XHProf\Format\Text;

/** Which functions got slower with a release. */
final class RegressionsCommand extends StoreCommand
{
    private const LIMIT = 30;

    /** Exit code of --fail-on-regressions where something got slower. */
    private const FOUND = 3;

    /** Exit code where the webhook did not take what was found. */
    private const UNDELIVERED = 4;

    /** Environment variable that stands for --webhook: all users of a machine see its command lines. */
    public const WEBHOOK = 'XHPROF_FLEET_WEBHOOK';

    protected function configure(): void
    {
        $this->question('regressions', 'Functions that got slower with a release, tested')
            ->addPair()
            ->addValue('rules', 'File of JSON with owners and mutes: docs/fleet.md')
            ->addFlag('save', 'Save what is found as verdicts, and post only what is new')
            ->addValue('webhook', 'Post what got slower there, as JSON')
            ->addFlag('fail-on-regressions', 'Exit code ' . self::FOUND . ' if there are any')
            ->addLimitOption('functions', self::LIMIT)
            ->addFlag('json', 'Print JSON')
            ->setHelp(
                <<<'HELP'
                A value is a function's own time per request of a route in 10 minutes, compared with that of the same hour of
                the day where the older release was on then. Welch's test compares the values of both releases, and false
                discoveries are controlled over all functions. A function is named if its own time grew by a tenth and by a
                hundredth of the route's time. A route without enough requests on both sides is named, and nothing is said
                of it.

                  <info>xhprof fleet regressions --service=shop</info>                     the newest release and the one before
                  <info>xhprof fleet regressions --service=shop --base=1.4 --release=1.5 --fail-on-regressions</info>
                  <info>xhprof fleet regressions --service=shop --rules=rules.json --save --webhook=https://chat.example/x</info>

                What the rules mute is neither posted, nor does it fail. The environment variable XHPROF_FLEET_WEBHOOK stands
                for <info>--webhook</info>. The exit code is 4 if the webhook does not take it, after three attempts.
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $client = self::client($input);
        $which = self::selection($input);
        $clock = self::clock($input);
        $file = self::text($input, 'rules');
        $rules = $file === null ? RegressionRules::none() : RegressionRules::ofFile($file);
        $webhook = self::webhook($input);
        [$base, $release] = self::pair($input, $client, $which);
        $report = (new Regressions($client))->between($which, $base, $release, $clock);
        $now = time();
        $isMuted = static fn (Regression $one): bool => $rules->mute($one->route, $one->name, $now) !== null;
        $slower = array_values(array_filter($report->slower, static fn (Regression $one): bool => !$isMuted($one)));
        $muted = array_values(array_filter($report->slower, $isMuted));
        $isSaved = $input->getOption('save') === true;
        $isKnown = $isSaved ? (new Verdicts($client))->known($which, $release) : static fn (): bool => false;
        $new = array_values(array_filter($slower, static fn (Regression $one): bool => !$isKnown($one)));
        $this->print($report, $slower, $muted, $rules, $now, $input, $output);
        if ($webhook !== null && $new !== []) {
            try {
                $webhook->post(self::message($which, $report, $new, count($muted), $rules));
            } catch (Rejected | Unavailable $e) {
                // Nothing is saved: it is new the next time too.
                $text = 'xhprof: what got slower was not delivered: ' . Text::printable($e->getMessage());
                Screen::errors($output)->writeln($text, OutputInterface::OUTPUT_RAW);

                return self::UNDELIVERED;
            }
        }
        if ($isSaved) {
            (new Verdicts($client))->save($which, $report, $rules, $now);
        }

        return $input->getOption('fail-on-regressions') === true && $slower !== [] ? self::FOUND : self::SUCCESS;
    }

    /**
     * @param list<Regression> $slower
     * @param list<Regression> $muted
     */
    private function print(
        RegressionReport $report,
        array $slower,
        array $muted,
        RegressionRules $rules,
        int $now,
        InputInterface $input,
        OutputInterface $output,
    ): void {
        $rows = array_map(static fn (Regression $one): array => self::row($one, $rules), self::first($slower, $input));
        $silent = [];
        $notes = self::notes($report);
        foreach ($muted as $one) {
            $mute = $rules->mute($one->route, $one->name, $now);
            $silent[] = self::row($one, $rules) + ['until' => $mute?->until, 'reason' => $mute?->reason];
            $notes[] = "Muted until $mute?->until: $one->name of $one->route ($mute?->reason)";
        }
        foreach ($rules->ended($now) as $mute) {
            $notes[] = "A mute has ended on $mute->until: " . trim("$mute->function $mute->route") . " ($mute->reason)";
        }
        $hasOwners = array_filter(array_column($rows, 'owner')) !== [];
        self::show(new RowsView([
            'growth_ns' => ['growth', RowsView::NS, 0],
            'before_ns' => ['before', RowsView::NS, 2],
            'after_ns' => ['after', RowsView::NS, 2],
            'share' => ['% of route', RowsView::TIMES, 1],
            ...($hasOwners ? ['owner' => ['owner', RowsView::TEXT, 1]] : []),
            'route' => ['route', RowsView::NAME, 0],
            'function' => ['function', RowsView::NAME, 0],
        ], $rows, 'No function got slower.', $notes, [
            'base' => $report->old, 'release' => $report->new, 'tested' => $report->tested, 'slower_total' => count($slower),
            'faster_total' => $report->faster, 'routes_compared' => $report->compared,
            'routes_without_enough_data' => $report->short, 'muted' => $silent,
        ]), $input, $output);
    }

    /** @return array<string, string|int|float> */
    private static function row(Regression $one, RegressionRules $rules): array
    {
        return [
            'route' => $one->route, 'function' => $one->name, 'file' => $one->file, 'line' => $one->line,
            'owner' => $rules->owner($one->file), 'growth_ns' => $one->growth(), 'before_ns' => $one->before,
            'after_ns' => $one->after, 'share' => 100 * $one->share(), 'false_rate' => $one->falseRate,
        ];
    }

    /**
     * @param list<Regression> $new
     *
     * @return array<string, mixed> what the webhook gets
     */
    private static function message(
        Selection $which,
        RegressionReport $report,
        array $new,
        int $muted,
        RegressionRules $rules,
    ): array {
        $lines = array_map(static fn (Regression $one): string => sprintf(
            '%s of %s: %+.0f %%',
            Text::printable($one->name),
            Text::printable($one->route),
            $one->before > 0 ? 100 * $one->growth() / $one->before : 100,
        ), array_slice($new, 0, self::LIMIT));

        return [
            // What chat servers show.
            'text' => "$which->service: slower in $report->new than in $report->old\n" . implode("\n", $lines),
            'service' => $which->service,
            'env' => $which->env,
            'base' => $report->old,
            'release' => $report->new,
            'slower_total' => count($new),
            'slower' => array_map(static fn (Regression $one): array => self::row($one, $rules), array_slice($new, 0, self::LIMIT)),
            'muted_total' => $muted,
            'routes_without_enough_data' => $report->short,
        ];
    }

    private static function webhook(InputInterface $input): ?Webhook
    {
        $url = self::text($input, 'webhook') ?? (string) getenv(self::WEBHOOK);
        try {
            return $url === '' ? null : Webhook::of($url, self::text($input, 'ca-file'), new SystemClock(), Backoff::random());
        } catch (WrongAddress $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
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
