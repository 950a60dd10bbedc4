<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

/**
 * Numbers that stand for functions and call paths in the store: hashes of their stable names, so that all hosts and releases have
 * the same without asking. They have 63 bits, which integers of PHP and of JSON's readers hold.
 */
final class StableNumbers
{
    public static function fn(string $name): int
    {
        return self::number("f\0$name");
    }

    /** The path of a route without a function. */
    public static function noStack(): int
    {
        return self::number("s\0");
    }

    public static function stack(int $caller, int $fn): int
    {
        return self::number("s\0" . pack('JJ', $caller, $fn));
    }

    /**
     * What stands for a row of names.
     *
     * @param array<int, mixed> $row
     */
    public static function row(string $table, array $row): int
    {
        return self::number("$table\0" . serialize($row));
    }

    private static function number(string $bytes): int
    {
        $parts = unpack('J', hash('xxh3', $bytes, true));

        return (int) ($parts[1] ?? 0) & PHP_INT_MAX;
    }
}
