<?php

declare(strict_types=1);

namespace XHProf\Script;

use XHProf\Cli\CliError;

/**
 * Runs a command on our own stdin, stdout and stderr, as if it had been started instead of us.
 *
 * Ctrl-C on a terminal reaches both processes: we stay to report how the command ended. A signal that another
 * process sends to us is passed on.
 */
final class ScriptProcess
{
    private const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

    /** Microseconds between two checks if we cannot sleep until the child ends. */
    private const PAUSE = 5000;

    private function __construct(
        /** Status as a shell would report it: the exit code, 128 + n after signal n. */
        public readonly int $exitCode,
        /** The signal that killed it, 0 for none. */
        public readonly int $signal,
    ) {
    }

    /**
     * @param list<string> $command
     * @param array<string, string>|null $environment null for our own
     * @throws CliError
     */
    public static function run(array $command, ?array $environment = null): self
    {
        // Started before signals are blocked, because it inherits the mask.
        $process = @proc_open($command, [], $pipes, null, $environment);
        if (!is_resource($process)) {
            throw new CliError('the script cannot be started: ' . (error_get_last()['message'] ?? 'unknown reason'));
        }
        $signals = self::signals();
        if ($signals !== []) {
            pcntl_sigprocmask(SIG_BLOCK, [...$signals, SIGCHLD], $before);
        }
        try {
            for (;;) {
                $status = proc_get_status($process);
                if (!$status['running']) {
                    $signal = $status['signaled'] ? $status['termsig'] : 0;

                    return new self($signal > 0 ? 128 + $signal : $status['exitcode'], $signal);
                }
                self::wait($process, $signals);
            }
        } finally {
            proc_close($process);
            if ($signals !== []) {
                pcntl_sigprocmask(SIG_SETMASK, $before ?? []);
            }
        }
    }

    /** @return list<int> none if we cannot wait for them */
    private static function signals(): array
    {
        if (!function_exists('pcntl_sigtimedwait') || !function_exists('pcntl_sigprocmask')) {
            return [];
        }

        return array_map(static fn (string $name): int => (int) constant($name), self::FORWARDED);
    }

    /**
     * Sleeps until something may have happened.
     *
     * @param resource  $process
     * @param list<int> $signals
     */
    private static function wait($process, array $signals): void
    {
        if ($signals === []) {
            usleep(self::PAUSE);

            return;
        }
        $info = [];
        $signal = @pcntl_sigtimedwait([...$signals, SIGCHLD], $info, 1);
        // A terminal signals its whole group, so the child has it already; positive codes are the kernel's.
        if (in_array($signal, $signals, true) && ($info['code'] ?? 0) <= 0) {
            proc_terminate($process, (int) $signal);
        }
    }
}
