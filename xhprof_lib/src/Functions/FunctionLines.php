<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\InternalFunctions;
use XHProf\Profile\SampleColumns;

/**
 * Time of a function per line of its code, from samples with lines: per line the samples in the function itself, and those in
 * PHP's own functions that the line calls.
 */
final class FunctionLines
{
    /**
     * @param 'wt'|'cpu'                                                          $metric the metric of the times
     * @param array<int, array{own: int, called: int, time: int, calls: array<string, int>}> $lines by line, ascending: samples of
     *        the function itself and of PHP's functions, the time of both in µs, samples by name of PHP's functions
     * @param int $unknown samples of the function without a known line
     */
    private function __construct(
        public readonly string $metric,
        public readonly array $lines,
        public readonly int $unknown,
    ) {
    }

    /**
     * @param string $symbol of the function, with or without its level of recursion
     *
     * @return self|null null if the samples have no lines, or the function's code was never met
     */
    public static function compute(SampleColumns $samples, string $symbol): ?self
    {
        if ($samples->line === null) {
            return null;
        }
        $base = EdgeKey::stripRecursion($symbol);
        $owners = self::owners($samples, $base);
        $lines = [];
        $unknown = 0;
        foreach ($samples->stack as $i => $stack) {
            if ($stack < 0 || !isset($owners[$stack])) {
                continue;
            }
            $line = $samples->line[$i] ?? 0;
            $count = $samples->samplesAt($i);
            if ($line === 0) {
                $unknown += $count;
                continue;
            }
            $lines[$line] ??= ['own' => 0, 'called' => 0, 'time' => 0, 'calls' => []];
            $lines[$line]['time'] += $samples->t[$i];
            if ($owners[$stack] === '') {
                $lines[$line]['own'] += $count;
            } else {
                $lines[$line]['called'] += $count;
                $name = $owners[$stack];
                $lines[$line]['calls'][$name] = ($lines[$line]['calls'][$name] ?? 0) + $count;
            }
        }
        ksort($lines);

        return $lines === [] ? null : new self($samples->metric, $lines, $unknown);
    }

    /** @return list<string> PHP's own functions that a line calls, those with the most samples first */
    public function called(int $line): array
    {
        $calls = $this->lines[$line]['calls'] ?? [];
        arsort($calls);

        return array_map(strval(...), array_keys($calls));
    }

    /** @return int µs */
    public function time(): int
    {
        return array_sum(array_column($this->lines, 'time'));
    }

    /**
     * @return array<int, string> stacks whose innermost PHP code is the function's: '' for itself, else the called function of
     *     PHP's own
     */
    private static function owners(SampleColumns $samples, string $symbol): array
    {
        $internal = array_fill_keys(InternalFunctions::indexesIn($samples->names), true);
        $wanted = [];
        foreach ($samples->names as $index => $name) {
            $wanted[$index] = $name === $symbol;
        }
        $owners = [];
        foreach ($samples->fn as $stack => $fn) {
            if ($wanted[$fn] && !isset($internal[$fn])) {
                $owners[$stack] = '';
            } elseif (isset($internal[$fn], $owners[$samples->parent[$stack]])) {
                // If PHP's own functions call each other, the one called by the code counts.
                $outer = $owners[$samples->parent[$stack]];
                $owners[$stack] = $outer === '' ? $samples->names[$fn] : $outer;
            }
        }

        return $owners;
    }
}
