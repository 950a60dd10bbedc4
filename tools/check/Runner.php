<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Runs all suites, several at a time, even when some fail, and summarises them. */
final class Runner
{
    /** How much busier than the lanes the suites may be together, so that no half of a processor waits. */
    private const MORE = 0.5;
    /** Seconds after its minutes when what still runs beside Suites::DEFAULT is ended. */
    private const GRACE = 2700;
    /** Most failures listed at the end, and most of them with details. */
    private const NAMED = 40;
    private const DETAILED = 10;

    /** @var list<array{string, string, list<string>}> suite, name, details */
    private array $failures = [];
    /** @var list<string> suites that did not make what others need */
    private array $unmade = [];
    /** @var list<string> suite and name of checks that passed when run again */
    private array $again = [];

    /**
     * @param array<string, string|null> $environment of every suite
     * @param int $lanes how many processors the suites keep busy together; more suites run where some wait. 1: one after the
     *     other. What one has to say is shown when it has ended; all of it is in its log
     * @param float $minutes after which only suites of Suites::DEFAULT begin
     * @param float $slower how many times as long as usual a suite may take
     * @param float $spent seconds of these minutes that were over before
     */
    public function __construct(
        private readonly string $root,
        private readonly string $logs,
        private readonly array $environment,
        private readonly int $lanes = 1,
        private readonly float $minutes = INF,
        private readonly float $slower = 1.0,
        private readonly float $spent = 0.0,
    ) {
    }

    /**
     * @param list<Suite> $suites
     */
    public function run(array $suites): Counts
    {
        $all = new Counts();
        $lines = [];
        $headings = [];
        foreach ($suites as $index => $suite) {
            $headings[$suite->name] = sprintf('[%d/%d] %s', $index + 1, count($suites), $suite->title);
            $lines[$suite->name] = '';
        }
        $running = [];
        $began = hrtime(true);
        while ($suites !== [] || $running !== []) {
            $left = $this->minutes * 60 - $this->spent - (hrtime(true) - $began) / 1e9;
            foreach ($suites as $index => $suite) {
                $why = $this->whyNot($suite, $left);
                if ($why !== null) {
                    unset($suites[$index]);
                    $all->skipped++;
                    $this->unmade[] = $suite->name;
                    $lines[$suite->name] = sprintf("%-18s %s\n", $suite->name, $why);
                }
            }
            foreach ($this->startable($suites, $running) as $index => $suite) {
                unset($suites[$index]);
                echo $headings[$suite->name], " ...\n";
                $limit = self::limit($suite, $left, $this->slower);
                $running[] = new SuiteRun($suite, $this->root, $this->logs, $this->environment, $limit);
            }
            if ($running === [] && $suites !== []) {
                throw new \LogicException('suites come after each other: ' . implode(', ', array_column($suites, 'name')));
            }
            foreach ($running as $index => $run) {
                if ($run->ended()) {
                    unset($running[$index]);
                    echo "\n{$headings[$run->suite->name]}\n$run->text";
                    $lines[$run->suite->name] = $this->summary($run);
                    $all->add($run->counts);
                }
            }
            usleep(50_000);
        }
        echo "\n", implode('', $lines), $this->names(), $all->skipped > 0 ? "$all->skipped skipped\n" : '';
        return $all;
    }

    /**
     * @param float $left seconds that are left of the minutes
     * @return int seconds after which the suite is ended
     */
    public static function limit(Suite $suite, float $left, float $slower): int
    {
        $seconds = $suite->timeout * $slower;
        return (int) ceil(self::isUsual($suite) ? $seconds : min($seconds, $left + self::GRACE));
    }

    private static function isUsual(Suite $suite): bool
    {
        return in_array($suite->group, Suites::DEFAULT, true);
    }

    /**
     * @param float $left seconds in which suites that are not usual may begin
     * @return string|null why it will not run; null where it will
     */
    private function whyNot(Suite $suite, float $left): ?string
    {
        $unmade = array_intersect($suite->needs, $this->unmade);
        if ($unmade !== []) {
            return 'not begun: it needs ' . implode(', ', $unmade);
        }
        return $left < 0 && !self::isUsual($suite) ? "not begun: $this->minutes minutes were over" : null;
    }

    /**
     * Suites that may start now, in their order: their predecessors have ended, no running suite holds the same lock, and the
     * lanes are not full.
     *
     * @param array<int, Suite> $waiting
     * @param array<SuiteRun> $running
     * @return array<int, Suite>
     */
    private function startable(array $waiting, array $running): array
    {
        $names = array_column([...$waiting, ...array_column($running, 'suite')], 'name');
        $locks = array_column(array_column($running, 'suite'), 'lock');
        $busy = array_sum(array_column(array_column($running, 'suite'), 'processors'));
        $startable = [];
        foreach ($waiting as $index => $suite) {
            $free = $suite->lock === '' || !in_array($suite->lock, $locks, true);
            $room = $this->lanes === 1 ? $busy <= 0 : $busy + $suite->processors <= $this->lanes + self::MORE;
            if ($free && $room && array_intersect([...$suite->needs, ...$suite->after], $names) === []) {
                $startable[$index] = $suite;
                $locks[] = $suite->lock;
                $busy += $suite->processors;
            }
        }
        return $startable;
    }

    /** @return string its line of the summary */
    private function summary(SuiteRun $run): string
    {
        $name = $run->suite->name;
        if ($run->counts->failed > 0 || $run->counts->passed === 0) {
            $this->unmade[] = $name;
        }
        array_push($this->again, ...array_map(static fn(string $test): string => "$name: $test", $run->counts->again));
        array_push($this->failures, ...array_map(static fn(array $failure): array => [$name, ...$failure], $run->failures));
        return sprintf("%-18s %s (%.0f s, %.0f s of CPU)\n", $name, $run->counts, $run->took, $run->cpu);
    }

    /** @return string the checks that passed when run again, and at the very end the failures */
    private function names(): string
    {
        $text = '';
        foreach (array_slice($this->again, 0, self::NAMED) as $name) {
            $text .= "again: $name\n";
        }
        foreach (array_slice($this->failures, 0, self::NAMED) as [$suite, $name, $details]) {
            $text .= "failed: $suite: $name\n";
            foreach (count($this->failures) > self::DETAILED ? [] : $details as $line) {
                $text .= "    $line\n";
            }
        }
        $more = count($this->failures) - self::NAMED;
        return $text . ($more > 0 ? "failed: and $more more\n" : '');
    }
}
