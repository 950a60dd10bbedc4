<?php

declare(strict_types=1);

namespace Shop;

/** Products that somebody has entered twice. */
final class Duplicates
{
    /**
     * PLANTED: a slow line. Each pair is compared letter by letter; most differ so much in length or in their first word that
     * a look at these would do.
     *
     * @param list<array{name: string, description: string}> $products
     * @return list<array{string, string}> pairs of names
     */
    public static function of(array $products): array
    {
        $pairs = [];
        foreach ($products as $i => $one) {
            foreach (array_slice($products, $i + 1) as $other) {
                $most = intdiv(min(strlen($one['description']), strlen($other['description'])), 10);
                $distance = levenshtein($one['description'], $other['description']);
                if ($distance <= $most) {
                    $pairs[] = [$one['name'], $other['name']];
                }
            }
        }

        return $pairs;
    }
}
