<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** A child process without standard input whose whole output goes to a log file, and line by line to an observer. */
final class Process
{
    /** Exit code given for a command that was ended for taking too long. */
    public const TIMED_OUT = 124;

    /** Whether the command ended before something that it had started and that still holds its output open. */
    public bool $leftBehind = false;

    /**
     * @param list<string> $command
     * @param array<string, string|null> $environment added to this process's; null takes a variable away
     * @param int $timeout seconds
     */
    public function __construct(
        private readonly array $command,
        private readonly string $folder,
        private readonly array $environment,
        private readonly string $log,
        private readonly int $timeout,
    ) {
    }

    /**
     * @param callable(string): void $observe called with every line, without its end
     * @return int the exit code, or TIMED_OUT
     */
    public function run(callable $observe): int
    {
        $environment = array_filter(
            array_merge(getenv(), $this->environment),
            static fn(?string $value): bool => $value !== null,
        );
        $began = hrtime(true);
        $ended = null;
        $log = fopen($this->log, 'wb');
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
        while (true) {
            [$read, $write, $except] = [[$pipes[1]], null, null];
            if (stream_select($read, $write, $except, 1) === 0) {
                $status = proc_get_status($process);
                if ($status['running']) {
                    continue;
                }
                $this->leftBehind = true;
                $ended = $status['exitcode'];
                break;
            }
            if (($line = fgets($pipes[1])) === false) {
                break;
            }
            fwrite($log, $line);
            $observe(rtrim($line, "\r\n"));
        }
        fclose($pipes[1]);
        fclose($log);
        $closed = proc_close($process);
        $exitCode = $ended ?? $closed;
        // timeout(1) has to kill what does not end when asked to, and dies with it.
        return $exitCode !== 0 && hrtime(true) - $began >= $this->timeout * 1_000_000_000 ? self::TIMED_OUT : $exitCode;
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
