<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Sums by function, as columns.
 *
 * @internal
 */
final class FunctionFigures
{
    /**
     * @param list<string> $names   called functions, where their first call ended, then those that only call
     * @param list<string> $symbols the same, each where its first call or that of one of its callees ended
     * @param array<string, list<int|float>> $columns per function: "ct", then metrics, inclusive, then "excl_wt"...
     */
    public function __construct(
        public readonly array $names,
        public readonly array $symbols,
        public readonly array $columns,
    ) {
    }

    /**
     * Exclusive = inclusive minus the values of its calls, never clamped.
     *
     * @param list<string>                                $symbols
     * @param array{caller: list<int>, callee: list<int>} $calls   per edge
     * @param array<string, list<int|float>>              $edges   per edge: "ct" and metrics
     */
    public static function ofEdges(array $symbols, array $calls, array $edges): self
    {
        ['caller' => $caller, 'callee' => $callee] = $calls;
        $blank = array_fill(0, count($symbols), 0);
        $called = array_fill_keys($callee, true);
        $functions = $called + array_fill_keys($caller, false);
        unset($functions[-1]);
        $inclusive = $blank;
        foreach ($edges['ct'] as $edge => $count) {
            $inclusive[$callee[$edge]] += $count;
        }
        $columns = $exclusive = [];
        foreach ($functions as $function => $_) {
            $columns['ct'][] = $inclusive[$function];
        }
        unset($edges['ct']);
        foreach ($edges as $metric => $column) {
            [$taken, $made] = [$blank, $blank];
            foreach ($column as $edge => $value) {
                $from = $caller[$edge];
                $to = $callee[$edge];
                // A tool without recursion levels: the time of the inner call is already in the outer one's.
                if ($from !== $to) {
                    $taken[$to] += $value;
                    if ($from !== -1) {
                        $made[$from] += $value;
                    }
                }
            }
            foreach ($functions as $function => $isCalled) {
                // A root without a value of its own has the sum of its calls.
                $columns[$metric][] = $value = $isCalled ? $taken[$function] : $made[$function];
                $exclusive["excl_$metric"][] = $value - $made[$function];
            }
        }
        $names = array_map(static fn (int $function): string => $symbols[$function] ?? '', array_keys($functions));

        return new self($names, $symbols, $columns + $exclusive);
    }
}
