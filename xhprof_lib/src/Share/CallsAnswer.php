<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Functions\FlatReport;
use XHProf\Functions\FoldedCalls;
use XHProf\Profile\Profile;
use XHProf\Web\Api\JsonResponse;

/**
 * The calls between functions, of which the scripts of a file make what get=symbol answers (assets/js/standalone/run.js reads it):
 *
 *     {"v":1, "kind":"calls", "p":[row of the caller in get=functions], "c":[of the callee], "way_in":[0 or 1],
 *      "m":{"ct":[],"wt":[],...}, "inner":{"p":[], "c":[], "ct":[]} callers of a function while it was running}
 *
 * Levels of recursion are one function.
 */
final class CallsAnswer
{
    public static function of(Profile $profile): string
    {
        $names = array_flip(array_keys(FlatReport::compute($profile, true)->rows()));
        $folded = FoldedCalls::fold($profile);
        $numbers = static fn (array $list): array => array_map(static fn (int|string $name): int => $names[$name] ?? -1, $list);
        $columns = [];
        foreach (['ct', ...$profile->metrics()] as $column) {
            $columns[$column] = array_map(static fn (array $call): int|float|null
                => $call['row'][$column] ?? null, $folded->calls);
        }
        $inner = ['p' => [], 'c' => [], 'ct' => []];
        foreach ($folded->inner as $callee => $callers) {
            array_push($inner['p'], ...$numbers(array_keys($callers)));
            array_push($inner['c'], ...array_fill(0, count($callers), $names[$callee]));
            array_push($inner['ct'], ...array_values($callers));
        }

        return JsonResponse::answer('calls', [
            'p' => $numbers(array_column($folded->calls, 'from')),
            'c' => $numbers(array_column($folded->calls, 'to')),
            'way_in' => array_map(intval(...), array_column($folded->calls, 'way_in')),
            'm' => $columns,
            'inner' => $inner,
        ])->content();
    }
}
