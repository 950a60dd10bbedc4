<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * Costs of calls that fit the functions' own costs. A function's calls cost what it and its callees spend. Where a file's calls
 * account for less, the function has begun by itself as well, like a thread's or a shutdown function; where they account for
 * more, as in cycles, they get their share of it. So own costs stay what the file says, and add up to the whole.
 *
 * @internal
 */
final class CallgrindFlow
{
    /**
     * @param array<int, array<int, int>> $calls caller => callee => cost
     * @param array<int, int>             $begun function => cost of its calls without a caller
     */
    private function __construct(public readonly array $calls, public readonly array $begun)
    {
    }

    /**
     * Takes the costs of the calls as they are, if own costs are not reliable: functions without a caller begin by themselves.
     *
     * @param array<int, int>             $own   by function
     * @param array<int, array<int, int>> $calls caller => callee => cost
     */
    public static function ofCalls(array $own, array $calls): self
    {
        $isCalled = [];
        foreach ($calls as $caller => $callees) {
            foreach ($callees as $callee => $_) {
                $isCalled[$callee] = ($isCalled[$callee] ?? false) || $callee !== $caller;
            }
        }
        $begun = [];
        foreach (array_keys($own + $calls) as $function) {
            if (!($isCalled[$function] ?? false)) {
                $callees = $calls[$function] ?? [];
                unset($callees[$function]);
                $begun[$function] = ($own[$function] ?? 0) + array_sum($callees);
            }
        }

        return new self($calls, $begun);
    }

    /**
     * @param array<int, int>             $own     by function
     * @param array<int, array<int, int>> $calls   caller => callee => cost
     * @param int                         $divisor of all costs; they are rounded, the sum of the own costs exactly
     * @param int                         $main    the function that is looked at first
     */
    public static function ofOwn(array $own, array $calls, int $divisor, int $main): self
    {
        $order = self::order($own, $calls, $main);
        $flow = self::nowhereNegative($own, $calls, $order, $order['back']);
        if ($divisor === 1) {
            return $flow;
        }
        $whole = [];
        $sum = $before = 0;
        foreach ($own as $function => $cost) {
            $sum += $cost;
            $after = intdiv($sum, $divisor);
            $whole[$function] = $after - $before;
            $before = $after;
        }
        $back = [];
        foreach ($order['back'] as $caller => $callees) {
            foreach ($callees as $callee => $_) {
                $back[$caller][$callee] = intdiv($flow->calls[$caller][$callee], $divisor);
            }
        }

        return self::nowhereNegative($whole, $flow->calls, $order, $back, $flow->begun);
    }

    /**
     * Fits the costs with fitted(); calls within cycles get no costs if they would cost more than the functions have spent.
     *
     * @param array<int, int>                                           $own
     * @param array<int, array<int, int>>                               $calls
     * @param array{done: list<int>, back: array<int, array<int, int>>} $order
     * @param array<int, array<int, int>>                               $back
     * @param array<int, int>|null                                      $begun
     */
    private static function nowhereNegative(array $own, array $calls, array $order, array $back, ?array $begun = null): self
    {
        $flow = self::fitted($own, $calls, $order, $back, $begun);
        if ($back === [] || $flow->begun === [] || min($flow->begun) >= 0) {
            return $flow;
        }
        $none = array_map(static fn (array $callees): array => array_fill_keys(array_keys($callees), 0), $back);

        return self::fitted($own, $calls, $order, $none, $begun);
    }

    /**
     * @param array<int, int>                                           $own
     * @param array<int, array<int, int>>                               $calls
     * @param array{done: list<int>, back: array<int, array<int, int>>} $order
     * @param array<int, array<int, int>>                               $back  costs of the calls that close a cycle
     * @param array<int, int>|null $begun shares of the calls without a caller; null: what the others leave
     */
    private static function fitted(array $own, array $calls, array $order, array $back, ?array $begun = null): self
    {
        $callers = [];
        foreach ($calls as $caller => $callees) {
            foreach ($callees as $callee => $cost) {
                if (!isset($back[$caller][$callee])) {
                    $callers[$callee][$caller] = $cost;
                }
            }
        }
        $into = [];
        $spent = $own;
        foreach ($back as $caller => $callees) {
            foreach ($callees as $callee => $cost) {
                $calls[$caller][$callee] = $cost;
                $into[$callee] = ($into[$callee] ?? 0) + $cost;
                $spent[$caller] = ($spent[$caller] ?? 0) + $cost;
            }
        }
        $left = [];
        // Callees come before their callers: what a function spends is known when it is its turn.
        foreach ($order['done'] as $function) {
            $need = ($spent[$function] ?? 0) - ($into[$function] ?? 0);
            $shares = $callers[$function] ?? [];
            $sum = array_sum($shares);
            $rest = $begun === null ? max(0, $need - $sum) : $begun[$function] ?? 0;
            $parts = self::shared(max(0, $need), [...array_values($shares), $rest]);
            $first = (int) array_pop($parts);
            foreach (array_keys($shares) as $i => $caller) {
                $calls[$caller][$function] = $parts[$i];
                $spent[$caller] = ($spent[$caller] ?? 0) + $parts[$i];
            }
            if ($need < 0 || $first !== 0 || $shares === []) {
                $left[$function] = $first + min(0, $need);
            }
        }

        return new self($calls, $left);
    }

    /**
     * @param non-empty-list<int> $shares
     *
     * @return non-empty-list<int> numbers that add up to the sum, in proportion to the shares; to the last if all are 0
     */
    private static function shared(int $sum, array $shares): array
    {
        $all = array_sum($shares);
        if ($all === $sum) {
            return $shares;
        }
        $parts = [];
        $given = $before = 0;
        foreach ($shares as $i => $share) {
            $given += $share;
            $after = match (true) {
                $i === count($shares) - 1 || $given === $all && $all > 0 => $sum,
                $all <= 0 => 0,
                default => (int) floor($sum * ($given / $all)),
            };
            $parts[] = $after - $before;
            $before = $after;
        }

        return $parts;
    }

    /**
     * @param array<int, int>             $own
     * @param array<int, array<int, int>> $calls
     *
     * @return array{done: list<int>, back: array<int, array<int, int>>} functions, each after its callees, but for calls that
     *     close a cycle: these, with their costs
     */
    private static function order(array $own, array $calls, int $main): array
    {
        $done = $back = $isOpen = [];
        foreach (self::firsts($own, $calls, $main) as $first) {
            if (isset($isOpen[$first])) {
                continue;
            }
            $isOpen[$first] = true;
            $open = [[$first, array_keys($calls[$first] ?? []), 0]];
            while ($open !== []) {
                $top = count($open) - 1;
                [$function, $callees, $at] = $open[$top];
                if ($at === count($callees)) {
                    array_pop($open);
                    $isOpen[$function] = false;
                    $done[] = $function;
                    continue;
                }
                $open[$top][2]++;
                $callee = $callees[$at];
                if ($isOpen[$callee] ?? false) {
                    $back[$function][$callee] = $calls[$function][$callee];
                } elseif (!isset($isOpen[$callee])) {
                    $isOpen[$callee] = true;
                    $open[] = [$callee, array_keys($calls[$callee] ?? []), 0];
                }
            }
        }

        return ['done' => $done, 'back' => $back];
    }

    /**
     * @param array<int, int>             $own
     * @param array<int, array<int, int>> $calls
     *
     * @return list<int> all functions: main() first, then those that most was spent in without a caller
     */
    private static function firsts(array $own, array $calls, int $main): array
    {
        $begun = $own;
        foreach ($calls as $caller => $callees) {
            foreach ($callees as $callee => $cost) {
                $begun[$caller] = ($begun[$caller] ?? 0) + $cost;
                $begun[$callee] = ($begun[$callee] ?? 0) - $cost;
            }
        }
        unset($begun[$main]);
        arsort($begun);

        return [$main, ...array_keys($begun)];
    }
}
