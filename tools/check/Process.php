<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** A child process without standard input whose whole output goes to a log file, and line by line to an observer. */
final class Process
{
    /** Exit code of a command that was ended for taking too long, as timeout(1) gives it. */
    public const TIMED_OUT = 124;

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
     * @return int the exit code; 128 + n for signal n
     */
    public function run(callable $observe): int
    {
        $environment = array_filter(
            array_merge(getenv(), $this->environment),
            static fn(?string $value): bool => $value !== null,
        );
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
        while (($line = fgets($pipes[1])) !== false) {
            fwrite($log, $line);
            $observe(rtrim($line, "\r\n"));
        }
        fclose($pipes[1]);
        fclose($log);
        return proc_close($process);
    }
}
