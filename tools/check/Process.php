<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** A child process without standard input; its whole output goes to a log file, and line by line to an observer. */
final class Process
{
    /** Exit code of a command that was ended for taking too long. */
    public const TIMED_OUT = 124;

    /** Whether the command ended before a process that it had started, which still holds its output open. */
    public bool $leftBehind = false;
    /** Seconds of CPU of the command and the processes that it waited for, when it has ended. */
    public float $cpu = 0.0;

    /** @var resource|null */
    private $process = null;
    /** @var resource|null its output */
    private $output = null;
    /** @var resource|null */
    private $log = null;
    /** The unfinished line of its output. */
    private string $line = '';
    private int $began = 0;

    /**
     * @param list<string> $command
     * @param array<string, string|null> $environment added to this process's; null takes a variable away
     * @param int $timeout seconds
     */
    public function __construct(
        private readonly array $command,
        private readonly string $folder,
        private readonly array $environment,
        private readonly string $file,
        private readonly int $timeout,
    ) {
    }

    /**
     * Runs it to its end.
     *
     * @param callable(string): void $observe called with every line, without its end
     * @return int the exit code, or TIMED_OUT
     */
    public function run(callable $observe): int
    {
        $this->start();
        do {
            self::wait([$this]);
        } while (($exitCode = $this->proceed($observe)) === null);
        return $exitCode;
    }

    public function start(): void
    {
        $environment = array_filter(
            array_merge(getenv(), $this->environment),
            static fn(?string $value): bool => $value !== null,
        );
        $this->began = hrtime(true);
        $log = fopen($this->file, 'wb');
        $process = proc_open(
            [
                'sh', '-c', 'exec "$0" "$@" </dev/null 2>&1',
                'timeout', '--kill-after=10', (string) $this->timeout, ...$this->command,
            ],
            [1 => ['pipe', 'w']],
            $pipes,
            $this->folder,
            $environment,
        );
        if ($log === false || $process === false) {
            throw new \RuntimeException('cannot run ' . $this->command[0]);
        }
        [$this->process, $this->output, $this->log] = [$process, $pipes[1], $log];
        stream_set_blocking($this->output, false);
    }

    /**
     * Waits until one of these has output, a second at most.
     *
     * @param list<self> $processes that were started and have not ended
     */
    public static function wait(array $processes): void
    {
        $read = [];
        foreach ($processes as $process) {
            if ($process->output !== null && !feof($process->output)) {
                $read[] = $process->output;
            }
        }
        [$write, $except] = [null, null];
        // A process that has closed its output and goes on is only polled.
        if (count($read) < count($processes)) {
            usleep(20_000);
        }
        if ($read !== []) {
            stream_select($read, $write, $except, count($read) < count($processes) ? 0 : 1);
        }
    }

    /**
     * Reads its output so far, without waiting.
     *
     * @param callable(string): void $observe called with every whole line, without its end
     * @return int|null the exit code, or TIMED_OUT; null while it runs
     */
    public function proceed(callable $observe): ?int
    {
        assert(is_resource($this->process) && is_resource($this->output) && is_resource($this->log));
        // Asked before the last read: the process writes nothing after its end.
        $before = self::cpuOfChildren();
        $status = proc_get_status($this->process);
        // The call above has waited for this process alone.
        $this->cpu += self::cpuOfChildren() - $before;
        while (($text = (string) fread($this->output, 65536)) !== '') {
            fwrite($this->log, $text);
            $lines = explode("\n", $this->line . $text);
            $this->line = (string) array_pop($lines);
            foreach ($lines as $line) {
                $observe(rtrim($line, "\r"));
            }
        }
        if ($status['running']) {
            return null;
        }
        $this->leftBehind = !feof($this->output);
        if ($this->line !== '') {
            $observe(rtrim($this->line, "\r"));
        }
        fclose($this->output);
        fclose($this->log);
        proc_close($this->process);
        $took = hrtime(true) - $this->began;
        // timeout(1) kills a command that ignores SIGTERM, and dies with it.
        return $status['exitcode'] !== 0 && $took >= $this->timeout * 1_000_000_000 ? self::TIMED_OUT : $status['exitcode'];
    }

    /** Seconds of CPU of all children that have been waited for. */
    private static function cpuOfChildren(): float
    {
        $usage = getrusage(1) ?: [];
        $cpu = 0.0;
        foreach (['utime', 'stime'] as $kind) {
            $cpu += ($usage["ru_$kind.tv_sec"] ?? 0) + ($usage["ru_$kind.tv_usec"] ?? 0) / 1e6;
        }
        return $cpu;
    }

    /**
     * A short command without input; its output is ours.
     *
     * @param list<string> $command
     */
    public static function mustRun(array $command): void
    {
        $process = proc_open($command, [0 => ['file', '/dev/null', 'r']], $pipes);
        if ($process === false || proc_close($process) !== 0) {
            throw new \RuntimeException('failed: ' . implode(' ', $command));
        }
    }
}
