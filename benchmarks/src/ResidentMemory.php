<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** The memory that this process has from the system. */
final class ResidentMemory
{
    /** Bytes. */
    public static function read(): int
    {
        $text = (string) file_get_contents('/proc/self/smaps_rollup');
        if (preg_match('/^Rss:\s*(\d+) kB/m', $text, $match) !== 1) {
            throw new Failure('/proc/self/smaps_rollup has no Rss');
        }

        return 1024 * (int) $match[1];
    }
}
