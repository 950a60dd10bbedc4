<?php

declare(strict_types=1);

namespace XHProf\Format;

/** Finds the word that somebody meant who typed another one. */
final class ClosestWord
{
    /**
     * @param list<string> $words
     *
     * @return string|null the one that differs by one letter, or by two of a long word; two that changed places count as one
     */
    public static function of(string $typed, array $words): ?string
    {
        $found = null;
        $least = strlen($typed) < 6 ? 2 : 3;
        foreach ($words as $word) {
            $distance = self::distance($typed, $word);
            if ($distance < $least) {
                [$found, $least] = [$word, $distance];
            }
        }

        return $found;
    }

    private static function distance(string $a, string $b): int
    {
        $least = levenshtein($a, $b);
        for ($i = 0; $i + 1 < strlen($a); $i++) {
            $swapped = $a;
            [$swapped[$i], $swapped[$i + 1]] = [$a[$i + 1], $a[$i]];
            $least = min($least, 1 + levenshtein($swapped, $b));
        }

        return $least;
    }
}
