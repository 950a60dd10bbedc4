<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\UsageError;
use XHProf\Fleet\Question\Regression;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\RegressionRules;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\Verdicts;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Report\RegressionsReport;
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
            ->addOrderOptions()
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

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $client = self::client($given);
        $which = self::selection($given);
        $clock = self::clock($given);
        $file = $given->text('rules');
        $rules = $file === null ? RegressionRules::none() : RegressionRules::ofFile($file);
        $webhook = self::webhook($given);
        $pair = self::pair($given, $client, $which);
        $found = (new Regressions($client))->between($which, $pair->base, $pair->release, $clock);
        $now = time();
        $regressions = new RegressionsReport($found, $rules, $now);
        $isSaved = $given->flag('save');
        $isKnown = $isSaved ? (new Verdicts($client))->known($which, $pair->release) : static fn (): bool => false;
        $new = array_values(array_filter($regressions->slower, static fn (Regression $one): bool => !$isKnown($one)));
        self::show($given->shown($regressions->report()), $given, $output);
        if ($webhook !== null && $new !== []) {
            try {
                $webhook->post(self::message($which, $found, $new, $regressions));
            } catch (Rejected | Unavailable $e) {
                // Nothing is saved: it is new the next time too.
                $text = 'xhprof: what got slower was not delivered: ' . Text::printable($e->getMessage());
                Screen::errors($output)->writeln($text, OutputInterface::OUTPUT_RAW);

                return self::UNDELIVERED;
            }
        }
        if ($isSaved) {
            (new Verdicts($client))->save($which, $found, $rules, $now);
        }

        return $given->flag('fail-on-regressions') && $regressions->slower !== [] ? self::FOUND : self::SUCCESS;
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
        RegressionsReport $regressions,
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
            'slower' => array_map($regressions->row(...), array_slice($new, 0, self::LIMIT)),
            'muted_total' => count($regressions->muted),
            'routes_without_enough_data' => $report->short,
        ];
    }

    private static function webhook(Arguments $given): ?Webhook
    {
        $url = $given->text('webhook') ?? (string) getenv(self::WEBHOOK);
        try {
            return $url === '' ? null : Webhook::fromUrl($url, $given->text('ca-file'), new SystemClock(), Backoff::random());
        } catch (WrongAddress $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
    }
}
