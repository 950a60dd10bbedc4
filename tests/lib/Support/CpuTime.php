<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

/**
 * Time limits in the processor time of this process: how busy the machine is does not matter.
 */
final class CpuTime
{
    /**
     * @return float seconds, of user and system
     */
    public static function of(\Closure $call): float
    {
        $start = self::now();
        $call();

        return self::now() - $start;
    }

    private static function now(): float
    {
        $usage = getrusage() ?: [];

        return ($usage['ru_utime.tv_sec'] ?? 0) + ($usage['ru_stime.tv_sec'] ?? 0)
            + (($usage['ru_utime.tv_usec'] ?? 0) + ($usage['ru_stime.tv_usec'] ?? 0)) / 1e6;
    }
}
