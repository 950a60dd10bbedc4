<?php

declare(strict_types=1);

namespace XHProf\Bench;

/**
 * The CPU time of this process with all its threads: other work on the same core does not count. If the system
 * counts it in coarse steps only, the wall clock.
 */
final class Clock
{
    public readonly string $name;
    private readonly bool $isCpu;

    public function __construct()
    {
        $this->isCpu = self::isFine();
        $this->name = $this->isCpu ? 'cpu' : 'wall';
    }

    /** The time in nanoseconds. */
    public function now(): int
    {
        return $this->isCpu ? self::cpu() : (int) hrtime(true);
    }

    private static function cpu(): int
    {
        $usage = getrusage();

        return $usage === false ? 0 : 1000 * (1_000_000 * ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'])
            + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']);
    }

    /** Whether the CPU time moves on within 100 us at least once in a few attempts; one may be interrupted. */
    private static function isFine(): bool
    {
        for ($attempt = 0; $attempt < 5; $attempt++) {
            $start = hrtime(true);
            $cpu = self::cpu();
            while (self::cpu() === $cpu && hrtime(true) - $start < 1_000_000) {
                continue;
            }
            if (hrtime(true) - $start < 100_000) {
                return true;
            }
        }

        return false;
    }
}
