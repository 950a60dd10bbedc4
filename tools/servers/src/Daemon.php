<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/**
 * A server's first process, for as long as this object lives, and no longer than the process that started it. Its output goes to
 * one file.
 */
final class Daemon
{
    private const PATIENCE = 60.0;

    public readonly int $pid;
    /** @var resource|null */
    private $process;

    /**
     * @param list<string> $command
     * @param array<string, string> $environment in addition to that of all servers
     * @param string $input a file
     */
    public function __construct(
        array $command,
        private readonly string $log,
        array $environment = [],
        string $input = '/dev/null',
    ) {
        $sink = ['file', $log, 'a'];
        $process = proc_open(
            [...Leash::command(), ...$command],
            [['file', $input, 'r'], $sink, $sink],
            $pipes,
            dirname($log),
            $environment + Programs::environment(),
        );
        if ($process === false) {
            throw new ServerFailure("cannot start $command[0]");
        }
        $this->process = $process;
        $this->pid = proc_get_status($process)['pid'];
    }

    public function __destruct()
    {
        if ($this->process !== null) {
            $this->signal(SIGTERM);
            $this->wait(2.0) || $this->signal(SIGKILL);
            $this->close();
        }
    }

    /** @return list<int> the processes that it has started, in order */
    public function children(): array
    {
        $list = (string) @file_get_contents("/proc/$this->pid/task/$this->pid/children");
        $children = array_map(intval(...), preg_split('/ /', trim($list), -1, PREG_SPLIT_NO_EMPTY) ?: []);
        sort($children);

        return $children;
    }

    public function isRunning(): bool
    {
        return $this->process !== null && proc_get_status($this->process)['running'];
    }

    public function signal(int $signal): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process, $signal);
        }
    }

    /** Signals it and waits for its end. */
    public function stop(int $signal): void
    {
        $this->signal($signal);
        if (!$this->wait(self::PATIENCE)) {
            throw new ServerFailure("process $this->pid does not end: {$this->output()}");
        }
        $this->close();
    }

    /**
     * Waits for its end.
     *
     * @return int exit code, or minus the number of the signal that ended it
     */
    public function finish(float $seconds = 60.0): int
    {
        if ($this->process === null) {
            throw new ServerFailure("process $this->pid has ended before");
        }
        $deadline = microtime(true) + $seconds;
        while (($status = proc_get_status($this->process))['running']) {
            if (microtime(true) > $deadline) {
                throw new ServerFailure("process $this->pid does not end: {$this->output()}");
            }
            usleep(5_000);
        }
        $this->close();

        return $status['signaled'] ? -$status['termsig'] : $status['exitcode'];
    }

    /**
     * Waits until it answers, or until something else is true of it.
     *
     * @param \Closure(): bool $answers
     * @param string $otherwise what is wrong where that never is so
     */
    public function await(\Closure $answers, string $otherwise = 'the server does not start'): void
    {
        $deadline = microtime(true) + self::PATIENCE;
        while (!$answers()) {
            if (!$this->isRunning() || microtime(true) > $deadline) {
                throw new ServerFailure("$otherwise: {$this->output()}");
            }
            usleep(10_000);
        }
    }

    /** @param string $address "tcp://host:port" or "unix:///path" */
    public static function listens(string $address): bool
    {
        $connection = @stream_socket_client($address, $code, $message, 0.5);

        return $connection !== false && fclose($connection);
    }

    public function output(): string
    {
        return (string) file_get_contents($this->log);
    }

    private function wait(float $seconds): bool
    {
        $deadline = microtime(true) + $seconds;
        while ($this->isRunning()) {
            if (microtime(true) > $deadline) {
                return false;
            }
            usleep(5_000);
        }

        return true;
    }

    private function close(): void
    {
        if ($this->process !== null) {
            proc_close($this->process);
            $this->process = null;
        }
    }
}
