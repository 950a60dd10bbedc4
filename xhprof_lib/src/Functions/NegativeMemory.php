<?php

declare(strict_types=1);

namespace XHProf\Functions;

/** Explains negative memory beside a table of functions that has some. */
final class NegativeMemory
{
    public const MEANING = 'negative memory: more was freed than allocated. What a function\'s own variables held is freed after'
        . ' its end, and counts for its caller: the memory, the time that it takes, and destructors';

    /**
     * @param array<string, array<string, int|float>> $rows of FlatReport
     */
    public static function in(array $rows): bool
    {
        foreach ($rows as $row) {
            if (($row['excl_mu'] ?? 0) < 0) {
                return true;
            }
        }

        return false;
    }
}
