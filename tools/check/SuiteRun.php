<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** One running suite, without standard input; all of its output is in its log. */
final class SuiteRun
{
    /** Exit code of a command that was ended for taking too long. */
    private const TIMED_OUT = 124;
    /** Last lines shown of the log of a suite that failed or was skipped. */
    private const LINES = 200;

    public Counts $counts;
    /** @var list<array{string, list<string>}> name, a few lines of details */
    public array $failures = [];
    /** Seconds that it took. */
    public float $took = 0.0;
    /** Seconds of CPU of the command and the processes that it waited for. */
    public float $cpu = 0.0;
    /** What it had to say, when it has ended. */
    public string $text = '';

    private readonly string $log;
    private readonly string $xml;
    private readonly int $began;
    /** @var resource */
    private $process;

    /**
     * @param array<string, string|null> $environment of every suite; null takes a variable away
     * @param int $timeout seconds
     */
    public function __construct(
        public readonly Suite $suite,
        string $root,
        string $logs,
        array $environment,
        private readonly int $timeout,
    ) {
        $this->log = realpath($logs) . "/$suite->name.log";
        $this->xml = realpath($logs) . "/$suite->name.xml";
        $this->began = hrtime(true);
        file_put_contents($this->log, '');
        $output = [['file', '/dev/null', 'r'], ['file', $this->log, 'a'], ['file', $this->log, 'a']];
        $environment = array_filter(array_merge(getenv(), $environment, $suite->environment), is_string(...));
        $command = ['timeout', '--kill-after=10', (string) $timeout, ...$suite->command];
        $process = proc_open($command, $output, $pipes, $root, $environment);
        $this->process = $process === false ? throw new \RuntimeException("cannot run {$suite->command[0]}") : $process;
    }

    /** Whether it has ended: then all is set. Does not wait. */
    public function ended(): bool
    {
        $before = self::cpuOfChildren();
        $status = proc_get_status($this->process);
        // The call above has waited for this process alone.
        $this->cpu += self::cpuOfChildren() - $before;
        if ($status['running']) {
            return false;
        }
        proc_close($this->process);
        $this->took = (hrtime(true) - $this->began) / 1e9;
        // timeout(1) kills a command that ignores SIGTERM, and dies with it.
        $late = $status['exitcode'] !== 0 && $this->took >= $this->timeout;
        $this->end($late ? self::TIMED_OUT : $status['exitcode']);
        return true;
    }

    private function end(int $exitCode): void
    {
        $outcome = Outcome::read($this->suite->report, $exitCode, $this->log, $this->xml);
        [$this->counts, $this->failures] = [$outcome->counts, $outcome->failures];
        $problem = $this->problem($exitCode);
        if ($problem !== null && (count($this->failures) < max(1, $this->counts->failed) || $exitCode === self::TIMED_OUT)) {
            $this->failures[] = [$problem, []];
        }
        $this->counts->failed += $problem !== null && $this->counts->failed === 0 ? 1 : 0;
        $lines = file($this->log, FILE_IGNORE_NEW_LINES) ?: [];
        // Its stages, and what is worth a look.
        $notes = $this->suite->report === Report::Totals ? '# |\[\d|' : '';
        $said = preg_grep("/^\\s*({$notes}FAIL |not ok |(# )?again: )| \\.\\.\\.$/", $lines) ?: [];
        foreach (glob('/proc/[0-9]*/fd/1') ?: [] as $output) {
            if (@readlink($output) === $this->log) {
                $said[] = 'left a process behind that still runs';
                break;
            }
        }
        if ($problem !== null || $exitCode === Suite::SKIPPED) {
            $before = max(0, count($lines) - self::LINES);
            array_push($said, ...($before > 0 ? ["... $before lines before"] : []));
            array_push($said, ...array_map(static fn(string $line): string => "| $line", array_slice($lines, $before)));
        }
        array_push($said, ...($problem === null ? [] : [$problem]));
        $said[] = sprintf('%s (%.1f s)', $this->counts, $this->took);
        $this->text = '    ' . implode("\n    ", $said) . "\n";
    }

    /** The problem of the suite as a whole, or null. */
    private function problem(int $exitCode): ?string
    {
        return match (true) {
            $exitCode === self::TIMED_OUT => "ended for taking longer than $this->timeout s",
            $this->counts->total() === 0 => "ran no test; exit code $exitCode",
            $this->counts->failed > 0
                => "failed with exit code $exitCode; all of its output: build/log/{$this->suite->name}.log",
            $exitCode !== 0 && $this->counts->skipped < $this->counts->total()
                => "the runner broke: exit code $exitCode without a failed test",
            $this->failures !== [] => 'names failures, and counts none',
            default => null,
        };
    }

    /** Seconds of CPU of all children that have been waited for. */
    private static function cpuOfChildren(): float
    {
        $usage = getrusage(1) ?: [];
        $of = static fn(string $kind): float => ($usage["ru_$kind.tv_sec"] ?? 0) + ($usage["ru_$kind.tv_usec"] ?? 0) / 1e6;
        return $of('utime') + $of('stime');
    }
}
