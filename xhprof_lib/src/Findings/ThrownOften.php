<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;

/** Exceptions that are made so often that they must be part of the usual course of the program. */
final class ThrownOften implements Rule
{
    public const NAME = 'exceptions';
    public const FINDS = 'exceptions as part of the usual course';
    public const FROM = '100 exceptions that were made';
    public const SEEN = 'calls';
    public const VARIES = false;

    private const MANY = 100;

    public function find(Evidence $run): array
    {
        $made = [];
        $constructors = [];
        foreach ($run->isCalls() ? ['Exception::__construct', 'Error::__construct'] : [] as $constructor) {
            foreach ($run->callers($constructor) as $caller => $row) {
                // A class of exceptions whose constructor calls the parent's: its callers are the places.
                $isSubclass = str_ends_with($caller, '::__construct');
                $constructors[] = $isSubclass ? $caller : $constructor;
                foreach ($isSubclass ? $run->callers($caller) : [$caller => $row] as $place => $calls) {
                    $made[$place] = ($made[$place] ?? 0) + $calls['ct'];
                }
            }
        }
        arsort($made);
        $sum = array_sum($made);
        if ($sum < self::MANY) {
            return [];
        }

        return [new Finding(
            self::NAME,
            Units::count($sum) . ' exceptions',
            (string) array_key_first($made),
            'What happens this often is no exception: a return value says it without a stack trace for each.',
            0.15 + min(0.5, $sum / 100000),
            most: count($made) === 1 ? '' : Units::count($made[array_key_first($made)]),
            calls: new FoundCalls(array_values(array_unique($constructors))),
        )];
    }
}
