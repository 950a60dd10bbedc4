<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Runs suites one after the other, whatever comes of each, and sums up. */
final class Runner
{
    private const WIDTH = 100;
    /** Lines shown of the log of a runner that broke, and of a skipped check. */
    private const LOG_LINES = 60;
    /** How many failures are named at the end, and up to how many with details. */
    private const NAMED = 40;
    private const DETAILED = 10;

    private int $column = 0;
    /** @var list<array{string, Failure}> suite, what failed */
    private array $failures = [];
    /** @var list<string> suite and name of what passed when run again */
    private array $again = [];

    /** @param array<string, string|null> $environment of every suite */
    public function __construct(
        private readonly string $root,
        private readonly string $logs,
        private readonly array $environment,
    ) {
    }

    /**
     * @param list<Suite> $suites
     */
    public function run(array $suites): Counts
    {
        $all = new Counts();
        $lines = [];
        foreach ($suites as $index => $suite) {
            $this->write(sprintf("\n[%d/%d] %s\n", $index + 1, count($suites), $suite->title));
            $began = hrtime(true);
            $worked = self::processorTime();
            $counts = $this->one($suite);
            $all->add($counts);
            $lines[] = sprintf(
                "%-16s %s (%.0f s, %.0f s of CPU)\n",
                $suite->name,
                $counts,
                (hrtime(true) - $began) / 1e9,
                self::processorTime() - $worked,
            );
        }
        $this->write("\n" . implode('', $lines));
        foreach (array_slice($this->again, 0, self::NAMED) as $name) {
            $this->write("again: $name\n");
        }
        $this->nameFailures();
        $this->write($all->skipped > 0 ? "$all->skipped skipped\n" : '');
        return $all;
    }

    /** Seconds of CPU time of all commands that have ended. */
    private static function processorTime(): float
    {
        $usage = getrusage(1);
        return $usage === false ? 0.0 : $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']
            + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
    }

    /** At the very end, so that the last lines of a log tell what failed. */
    private function nameFailures(): void
    {
        foreach (array_slice($this->failures, 0, self::NAMED) as [$suite, $failure]) {
            $this->write("failed: $suite: $failure->name\n");
            foreach (count($this->failures) > self::DETAILED ? [] : $failure->details as $line) {
                $this->write("    $line\n");
            }
        }
        if (count($this->failures) > self::NAMED) {
            $this->write('failed: and ' . (count($this->failures) - self::NAMED) . " more\n");
        }
    }

    private function one(Suite $suite): Counts
    {
        $log = "$this->logs/$suite->name.log";
        $began = hrtime(true);
        $process = new Process(
            $suite->command,
            $this->root,
            array_merge($this->environment, $suite->environment),
            $log,
            $suite->timeout,
        );
        $exitCode = $process->run(fn(string $line) => $this->progress($suite->reader->line($line), $line));
        $this->endLine();
        if ($process->leftBehind) {
            $this->write("    left a process behind that still runs\n");
        }

        $counts = $suite->reader->counts($exitCode);
        foreach ($counts->again as $name) {
            $this->again[] = "$suite->name: $name";
        }
        $problem = $this->problem($suite, $counts, $exitCode);
        $failures = $suite->reader->failures();
        if ($problem !== null && (count($failures) < max(1, $counts->failed) || $exitCode === Process::TIMED_OUT)) {
            $failures[] = new Failure($problem);
        }
        array_push($this->failures, ...array_map(static fn(Failure $failure): array => [$suite->name, $failure], $failures));
        if ($problem !== null) {
            $this->showLog($log, $counts->failed > 0 ? $suite->reader->tail() : self::LOG_LINES);
            $counts->failed += $counts->failed > 0 ? 0 : 1;
            $this->write("    $problem\n");
        } elseif ($exitCode === Suite::SKIPPED) {
            $this->showLog($log, self::LOG_LINES);
        }
        $this->write(sprintf("    %s (%.1f s)\n", $counts, (hrtime(true) - $began) / 1e9));
        return $counts;
    }

    /** Why this suite is not as it should be, or null. */
    private function problem(Suite $suite, Counts $counts, int $exitCode): ?string
    {
        if ($exitCode === Process::TIMED_OUT) {
            return "ended for taking longer than $suite->timeout s";
        }
        if ($counts->total() === 0) {
            return "ran no test; exit code $exitCode";
        }
        if ($counts->failed > 0) {
            return "failed with exit code $exitCode; all of its output: build/log/$suite->name.log";
        }
        if ($exitCode !== 0 && $counts->skipped < $counts->total()) {
            return "the runner broke: exit code $exitCode without a failed test";
        }
        return null;
    }

    /** @param string|null $mark as Reader::line() returns it */
    private function progress(?string $mark, string $line): void
    {
        if ($mark === null) {
            $this->endLine();
            $this->write("    $line\n");
            return;
        }
        foreach (str_split($mark) as $character) {
            if ($this->column === 0) {
                $this->write('    ');
            }
            $this->write($character);
            if (++$this->column >= self::WIDTH) {
                $this->endLine();
            }
        }
    }

    private function endLine(): void
    {
        if ($this->column > 0) {
            $this->write("\n");
        }
        $this->column = 0;
    }

    /** @param int $count the number of last lines */
    private function showLog(string $file, int $count): void
    {
        $lines = file($file, FILE_IGNORE_NEW_LINES) ?: [];
        if ($count > 0 && count($lines) > $count) {
            $this->write(sprintf("    ... %d lines before\n", count($lines) - $count));
        }
        foreach (array_slice($lines, max(0, count($lines) - $count)) as $line) {
            $this->write("    | $line\n");
        }
    }

    private function write(string $text): void
    {
        fwrite(STDOUT, $text);
    }
}
