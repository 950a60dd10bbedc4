<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

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
        $merged = [];
        foreach ($rows as $symbol => $row) {
            $function = EdgeKey::stripRecursion($symbol);
            if (!isset($merged[$function])) {
                $merged[$function] = $row;
                continue;
            }
            $isOutermost = $function === $symbol;
            foreach ($row as $column => $value) {
                if ($column === 'ct' || str_starts_with($column, 'excl_')) {
                    $merged[$function][$column] = ($merged[$function][$column] ?? 0) + $value;
                } elseif ($isOutermost) {
                    $merged[$function][$column] = $value;
                }
            }
        }

        return $merged;
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
