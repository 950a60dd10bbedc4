<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use Symfony\Component\Console\Output\OutputInterface;

/**
 * Shows the current operation and its duration on the terminal once it takes more than a second;
 * wipes that line when the work is done. Prints nothing if stderr is not a terminal.
 */
final class SlowNotice
{
    private const WIPE = "\r\033[2K";

    private static ?self $current = null;

    private bool $shown = false;

    private function __construct(private string $message, private readonly float $started)
    {
    }

    /**
     * @template T
     * @param string        $message the current operation, like "Reading the runs"
     * @param callable(): T $work
     * @return T
     */
    public static function during(string $message, OutputInterface $output, callable $work): mixed
    {
        if (
            self::$current !== null || $output->isQuiet()
            || !function_exists('pcntl_alarm') || !stream_isatty(STDERR)
        ) {
            return $work();
        }
        self::$current = new self($message, microtime(true));
        $async = pcntl_async_signals(true);
        pcntl_signal(SIGALRM, static fn () => self::$current?->tick());
        pcntl_alarm(1);
        try {
            return $work();
        } finally {
            self::clear();
            pcntl_signal(SIGALRM, SIG_DFL);
            pcntl_async_signals($async);
        }
    }

    /** Says what is going on now, where a notice is wanted. */
    public static function say(string $message): void
    {
        if (self::$current !== null) {
            self::$current->message = $message;
        }
    }

    /** Wipes the line, if there is one. */
    public static function clear(): void
    {
        if (self::$current === null) {
            return;
        }
        pcntl_alarm(0);
        if (self::$current->shown) {
            fwrite(STDERR, self::WIPE);
        }
        self::$current = null;
    }

    private function tick(): void
    {
        $this->shown = true;
        fwrite(STDERR, sprintf('%s%s ... %d s', self::WIPE, $this->message, microtime(true) - $this->started));
        pcntl_alarm(1);
    }
}
