<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;

/** A function that was running many times at once. */
final class DeepRecursion implements Rule
{
    public const NAME = 'deep-recursion';
    public const FINDS = 'a function that was running many times at once';
    public const FROM = '100 levels';
    public const SEEN = 'calls, samples';
    public const VARIES = false;

    /** Levels of one function above each other. */
    private const DEEP = 100;

    public function find(Evidence $run): array
    {
        $deepest = [];
        foreach ($run->profile->symbols() as $symbol) {
            if (preg_match('/\A(.+)@([0-9]{1,9})\z/s', $symbol, $match) === 1) {
                $deepest[$match[1]] = max($deepest[$match[1]] ?? 0, (int) $match[2] + 1);
            }
        }
        arsort($deepest);
        $name = (string) array_key_first($deepest);
        $levels = $deepest[$name] ?? 0;

        return $levels < self::DEEP ? [] : [new Finding(
            self::NAME,
            Units::count($levels) . ' levels',
            $name,
            'It calls itself, directly or by others: each level holds its variables until the deepest one has returned.',
            0.1 + min(0.3, $levels / 100000),
            brief: Units::count($levels) . ' levels of ' . Finding::shortName($name),
        )];
    }
}
