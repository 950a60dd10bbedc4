<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use Symfony\Component\Console\Output\OutputInterface;

/** Shows the progress of a long operation on the terminal after half a second. Prints nothing if stderr is not a terminal. */
final class Progress
{
    private const WIPE = "\r\033[2K";
    private const FIRST = 0.5;
    private const EVERY = 0.2;

    private float $next;
    private bool $shown = false;

    private function __construct(private readonly bool $isWanted)
    {
        $this->next = microtime(true) + self::FIRST;
    }

    /**
     * @template T
     * @param \Closure(\Closure(string, int, int): void): T $work receives a function to call with the current operation, the
     *     amount done, and the total
     * @return T
     */
    public static function during(OutputInterface $output, \Closure $work): mixed
    {
        $progress = new self(!$output->isQuiet() && stream_isatty(STDERR));
        try {
            return $work($progress->report(...));
        } finally {
            if ($progress->shown) {
                fwrite(STDERR, self::WIPE);
            }
        }
    }

    private function report(string $what, int $done, int $total): void
    {
        $now = microtime(true);
        if (!$this->isWanted || $now < $this->next) {
            return;
        }
        $this->next = $now + self::EVERY;
        $this->shown = true;
        fwrite(STDERR, sprintf('%s%s ... %d %%', self::WIPE, $what, $total < 1 ? 0 : min(100, intdiv(100 * $done, $total))));
    }
}
