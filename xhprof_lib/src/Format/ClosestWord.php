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

    /**
     * @param list<string> $names of functions, routes or commands
     *
     * @return string|null the closest word; else a name that is the same but for its case, or ends in the same way
     */
    public static function ofName(string $typed, array $names): ?string
    {
        $found = self::of($typed, $names);
        $end = static fn (string $name): string => strtolower((string) preg_replace('~\A.*[\\\\/: ](?=.)~s', '', $name));
        foreach ($found === null ? $names : [] as $name) {
            if (strcasecmp($name, $typed) === 0) {
                return $name;
            }
            $found ??= $end($typed) === $end($name) ? $name : null;
        }

        return $found;
    }

    /**
     * @param list<string> $names
     *
     * @return string the end of a message, printable: '; did you mean "report"?', or ''
     */
    public static function hint(string $typed, array $names): string
    {
        $meant = self::ofName($typed, $names);

        return $meant === null ? '' : '; did you mean "' . Text::printable($meant) . '"?';
    }

    private static function distance(string $a, string $b): int
    {
        // Each letter more or less counts, and a change of places saves one: names are many, and long.
        if (abs(strlen($a) - strlen($b)) > 2) {
            return 3;
        }
        $least = levenshtein($a, $b);
        if ($least > 4) {
            return $least;
        }
        for ($i = 0; $i + 1 < strlen($a); $i++) {
            $swapped = $a;
            [$swapped[$i], $swapped[$i + 1]] = [$a[$i + 1], $a[$i]];
            $least = min($least, 1 + levenshtein($swapped, $b));
        }

        return $least;
    }
}
