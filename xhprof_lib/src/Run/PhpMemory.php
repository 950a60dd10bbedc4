<?php

declare(strict_types=1);

namespace XHProf\Run;

/** What memory_limit leaves to this PHP. */
final class PhpMemory
{
    /** @return int bytes; PHP_INT_MAX without a limit */
    public static function limit(): int
    {
        $limit = ini_parse_quantity((string) ini_get('memory_limit'));

        return $limit > 0 ? $limit : PHP_INT_MAX;
    }

    /** @return int bytes that are not in use; below 0 where the limit came later */
    public static function left(): int
    {
        return self::limit() - memory_get_usage();
    }
}
