<?php

declare(strict_types=1);

namespace Shop;

/** The prices that have changed in this process. */
final class History
{
    /** @var list<Change> PLANTED: a leak. Nothing ever empties it: it grows with each job of a worker. */
    private static array $changes = [];

    /** @param array{id: int, name: string, description: string, cents: int} $product */
    public static function record(array $product, int $cents): void
    {
        self::$changes[] = new Change(
            (int) $product['id'],
            $cents,
            "{$product['name']} ({$product['description']}) cost {$product['cents']}, now $cents",
        );
    }

    public static function count(): int
    {
        return count(self::$changes);
    }
}
