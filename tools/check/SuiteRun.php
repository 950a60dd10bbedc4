<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** One running suite, and the report on it. */
final class SuiteRun
{
    private const WIDTH = 100;
    /** Lines shown of the log of a runner that crashed, and of a skipped check. */
    private const LOG_LINES = 60;

    public readonly Counts $counts;
    /** @var list<Failure> */
    public array $failures = [];
    /** Seconds that it took. */
    public float $took = 0.0;
    /** Number of its marks of progress. */
    public int $marks = 0;

    public readonly Process $process;
    private readonly string $log;
    private readonly int $began;
    private int $column = 0;
    private string $pending = '';

    /**
     * @param array<string, string|null> $environment of every suite
     * @param int $timeout seconds
     */
    public function __construct(
        public readonly Suite $suite,
        string $root,
        string $logs,
        array $environment,
        private readonly int $timeout,
    ) {
        $this->counts = new Counts();
        $this->log = "$logs/$suite->name.log";
        $this->began = hrtime(true);
        $environment = array_merge($environment, $suite->environment);
        $this->process = new Process($suite->command, $root, $environment, $this->log, $timeout);
        $this->process->start();
    }

    /**
     * Reads its output so far, without waiting.
     *
     * @return bool whether it has ended: then counts, failures and took are set
     */
    public function proceed(): bool
    {
        $exitCode = $this->process->proceed(fn(string $line) => $this->progress($this->suite->reader->line($line), $line));
        if ($exitCode === null) {
            return false;
        }
        $this->took = (hrtime(true) - $this->began) / 1e9;
        $this->end($exitCode);
        return true;
    }

    /** Its output since the last call. */
    public function takeOutput(): string
    {
        [$pending, $this->pending] = [$this->pending, ''];
        return $pending;
    }

    private function end(int $exitCode): void
    {
        $this->endLine();
        if ($this->process->leftBehind) {
            $this->say('left a process behind that still runs');
        }
        $counts = $this->suite->reader->counts($exitCode);
        $this->counts->add($counts);
        $this->counts->again = $counts->again;
        $this->failures = $this->suite->reader->failures();
        $problem = $this->problem($counts, $exitCode);
        if ($problem !== null && (count($this->failures) < max(1, $counts->failed) || $exitCode === Process::TIMED_OUT)) {
            $this->failures[] = new Failure($problem);
        }
        if ($problem !== null) {
            $this->showLog($counts->failed > 0 ? $this->suite->reader->tail() : self::LOG_LINES);
            $this->counts->failed += $counts->failed > 0 ? 0 : 1;
            $this->say($problem);
        } elseif ($exitCode === Suite::SKIPPED) {
            $this->showLog(self::LOG_LINES);
        }
        $this->say(sprintf('%s (%.1f s)', $this->counts, $this->took));
    }

    /** The problem of the suite as a whole, or null. */
    private function problem(Counts $counts, int $exitCode): ?string
    {
        if ($exitCode === Process::TIMED_OUT) {
            return "ended for taking longer than $this->timeout s";
        }
        if ($counts->total() === 0) {
            return "ran no test; exit code $exitCode";
        }
        if ($counts->failed > 0) {
            return "failed with exit code $exitCode; all of its output: build/log/{$this->suite->name}.log";
        }
        if ($exitCode !== 0 && $counts->skipped < $counts->total()) {
            return "the runner broke: exit code $exitCode without a failed test";
        }
        if ($this->failures !== []) {
            return 'names failures, and counts none';
        }
        return null;
    }

    /** @param string|null $mark as Reader::line() returns it */
    private function progress(?string $mark, string $line): void
    {
        if ($mark === null) {
            $this->endLine();
            $this->say($line);
            return;
        }
        $this->marks += strlen($mark);
        foreach ($mark === '' ? [] : str_split($mark) as $character) {
            $this->pending .= $this->column === 0 ? "    $character" : $character;
            if (++$this->column >= self::WIDTH) {
                $this->endLine();
            }
        }
    }

    private function endLine(): void
    {
        $this->pending .= $this->column > 0 ? "\n" : '';
        $this->column = 0;
    }

    /** @param int $count the number of last lines */
    private function showLog(int $count): void
    {
        $lines = file($this->log, FILE_IGNORE_NEW_LINES) ?: [];
        if ($count > 0 && count($lines) > $count) {
            $this->say(sprintf('... %d lines before', count($lines) - $count));
        }
        foreach (array_slice($lines, max(0, count($lines) - $count)) as $line) {
            $this->say("| $line");
        }
    }

    private function say(string $line): void
    {
        $this->pending .= "    $line\n";
    }
}
