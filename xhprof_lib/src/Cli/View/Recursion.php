<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Report\Recursion as Folding;

/**
 * Puts the levels of a recursion (f, f@1, f@2...) together. Exclusive figures and calls add up. The inclusive
 * figure is that of the outermost level, which has the others in it.
 */
final class Recursion
{
    /**
     * @param array<string, array<string, int|float>> $rows of FlatReport, or differences of them
     * @return array<string, array<string, int|float>> in the order of the first level seen
     */
    public static function merge(array $rows): array
    {
        return Folding::fold($rows);
    }

    /**
     * @return string|null the function itself, or the outermost of its levels where the profile does not have it;
     *                     null when it has neither
     */
    public static function outermost(Profile $profile, string $function): ?string
    {
        if ($profile->hasSymbol($function)) {
            return $function;
        }
        $levels = [];
        foreach ($profile->symbols() as $symbol) {
            if (EdgeKey::stripRecursion($symbol) === $function) {
                $levels[] = $symbol;
            }
        }
        sort($levels, SORT_NATURAL);

        return $levels[0] ?? null;
    }
}
