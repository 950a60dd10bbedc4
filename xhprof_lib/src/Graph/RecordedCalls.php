<?php

declare(strict_types=1);

namespace XHProf\Graph;

use XHProf\Functions\FlatReport;
use XHProf\Functions\Recursion;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\InternalFunctions;
use XHProf\Profile\Profile;

/**
 * Functions and calls of one run by one metric, before the graph is built.
 *
 * @internal
 *
 * @phpstan-type Figures array{ct: int|float, incl: int|float, excl: int|float}
 * @phpstan-type Call    array{from: string, to: string, incl: int|float, ct: int|float}
 */
final class RecordedCalls
{
    private const MAX_JOINED = 200_000;

    /**
     * @param array<string, Figures> $functions
     * @param array<string, Call>    $calls     none of a function to itself
     * @param array<string, true>    $recursive functions that called themselves
     * @param int|float|null         $base      the whole for thresholds, if that is not the whole run
     */
    public function __construct(
        public readonly array $functions,
        public readonly array $calls,
        public readonly array $recursive,
        public readonly int|float|null $base = null,
    ) {
    }

    /**
     * @param bool $fold      the levels of a recursion (f, f@1, f@2) as one function
     * @param bool $internals false hides PHP's own functions, see without()
     */
    public static function fromProfile(Profile $run, string $metric, bool $fold, bool $internals = true): self
    {
        $functions = [];
        foreach (FlatReport::compute($run, $fold, [$metric])->rows() as $name => $row) {
            $functions[$name] = ['ct' => $row['ct'], 'incl' => $row[$metric] ?? 0, 'excl' => $row["excl_$metric"] ?? 0];
        }
        $recorded = $fold ? self::folded($functions, $run, $metric) : self::asRecorded($functions, $run, $metric);

        return $internals ? $recorded : $recorded->without(InternalFunctions::has(...));
    }

    /**
     * Hides some functions: their values go to their callers, in proportion to the time of the calls, and so do their calls.
     * Each caller gets the calls of each callee: one that would bring more than MAX_JOINED of them in all is not hidden.
     *
     * @param callable(string): bool $isHidden
     */
    public function without(callable $isHidden): self
    {
        $out = [];
        $into = [];
        foreach ($this->calls as $call) {
            $out[$call['from']][$call['to']] = $call;
            $into[$call['to']][$call['from']] = true;
        }
        $functions = $this->functions;
        $hidden = array_filter(array_keys($functions), $isHidden);
        $kept = [];
        $joined = 0;
        foreach ($hidden as $name) {
            $callers = array_keys($into[$name] ?? []);
            if ($callers === []) {
                continue;
            }
            $joins = count($callers) * count($out[$name] ?? []);
            if ($joined + $joins > self::MAX_JOINED) {
                $kept[$name] = true;
                continue;
            }
            $joined += $joins;
            $above = array_map(static fn (string $from): array => $out[$from][$name], $callers);
            $whole = array_sum(array_map(static fn (array $call): int|float => abs($call['incl']), $above));
            $count = array_sum(array_column($above, 'ct'));
            foreach ($above as ['from' => $from, 'incl' => $inclusive, 'ct' => $calls]) {
                $share = $whole > 0 ? abs($inclusive) / $whole : $calls / max(1, $count);
                $own = $functions[$name]['excl'] * $share;
                $functions[$from] = ['excl' => $functions[$from]['excl'] + $own] + $functions[$from];
                unset($out[$from][$name]);
                foreach ($out[$name] ?? [] as $to => $call) {
                    // A callback into the caller itself: its values are the caller's already.
                    if ($to !== $from) {
                        $known = $out[$from][$to] ?? ['from' => $from, 'to' => $to, 'incl' => 0, 'ct' => 0];
                        $known['incl'] += $call['incl'] * $share;
                        $known['ct'] += $call['ct'] * $share;
                        $out[$from][$to] = $known;
                        $into[$to][$from] = true;
                    }
                }
            }
            foreach ($out[$name] ?? [] as $to => $_) {
                unset($into[$to][$name]);
            }
            unset($out[$name], $into[$name]);
        }
        foreach (array_diff($hidden, array_keys($kept)) as $name) {
            // A function without callers is the start of the run.
            if (($into[$name] ?? []) !== [] || ($out[$name] ?? []) === []) {
                unset($functions[$name]);
            }
        }

        $calls = array_merge(...array_map(array_values(...), array_values($out)));

        return new self($functions, self::between($functions, $calls), $this->recursive);
    }

    /**
     * Keeps only the callers and callees of a function, direct or not. Values are not known by call path: each function's are
     * split in proportion to its callers' and callees'.
     *
     * @param string $focus one of the functions
     */
    public function around(string $focus): self
    {
        $into = [];
        $out = [];
        foreach ($this->calls as ['from' => $from, 'to' => $to, 'incl' => $inclusive]) {
            $into[$to][$from] = abs($inclusive);
            $out[$from][$to] = abs($inclusive);
        }
        $wholes = array_map(static fn (array $values): int|float => $values['incl'], $this->functions);
        $most = [];
        foreach ($wholes as $name => $whole) {
            $most[$name] = max(array_sum($into[$name] ?? []), $whole);
        }
        // Per function: its share below the focus, and its share of the focus.
        $below = self::spreadShares($focus, $most, $into, $out);
        $above = self::spreadShares($focus, $wholes, $out, $into);
        $functions = [];
        foreach (array_intersect_key($this->functions, $below + $above) as $name => $values) {
            $part = min(1, max($below[$name] ?? 0, $above[$name] ?? 0));
            $functions[$name] = $name === $focus ? $values : [
                'ct' => (int) round($values['ct'] * $part),
                'incl' => $values['incl'] * $part,
                'excl' => $values['excl'] * ($below[$name] ?? 0),
            ];
        }
        $calls = [];
        foreach ($this->calls as $call) {
            ['from' => $from, 'to' => $to] = $call;
            $share = max($to === $focus ? 0 : $below[$from] ?? 0, $from === $focus ? 0 : $above[$to] ?? 0);
            $calls[] = ['incl' => $call['incl'] * $share, 'ct' => $call['ct'] * $share] + $call;
        }
        $calls = array_filter($calls, static fn (array $call): bool => $call['incl'] != 0);

        return new self($functions, self::between($functions, $calls), $this->recursive, abs($this->functions[$focus]['incl']));
    }

    /**
     * @param array<string, int|float>                $wholes value of each function
     * @param array<string, array<string, int|float>> $flow   its parts: weights of its calls, by their other end
     * @param array<string, array<string, int|float>> $next   calls over which a function passes its share on, by their other end
     *
     * @return array<string, int|float> shares of 1, above 0: 1 for the focus, for the others the share that passes through it
     */
    private static function spreadShares(string $focus, array $wholes, array $flow, array $next): array
    {
        $shares = [$focus => 1];
        $queue = [$focus];
        // Recursion comes back to the same functions: each round it adds less.
        for ($round = 0; $round < 200 && $queue !== []; $round++) {
            $adjacent = [];
            foreach ($queue as $name) {
                $adjacent += $next[$name] ?? [];
            }
            unset($adjacent[$focus]);
            $queue = [];
            foreach ($adjacent as $name => $_) {
                $sum = 0;
                foreach ($flow[$name] ?? [] as $other => $weight) {
                    $sum += $weight * ($shares[$other] ?? 0);
                }
                $share = $wholes[$name] > 0 ? min(1, $sum / $wholes[$name]) : 0;
                if ($share - ($shares[$name] ?? 0) > 1e-4) {
                    $shares[$name] = $share;
                    $queue[] = $name;
                }
            }
        }

        return $shares;
    }

    /**
     * @param array<string, Figures> $functions
     * @param array<Call>            $calls
     *
     * @return array<string, Call> those between the functions, in whole numbers
     */
    private static function between(array $functions, array $calls): array
    {
        $kept = [];
        foreach ($calls as $call) {
            if (isset($functions[$call['from']], $functions[$call['to']])) {
                $kept[EdgeKey::build($call['from'], $call['to'])] = ['ct' => (int) round($call['ct'])] + $call;
            }
        }

        return $kept;
    }

    /** @param array<string, Figures> $functions */
    private static function asRecorded(array $functions, Profile $run, string $metric): self
    {
        $calls = [];
        $recursive = [];
        $names = $run->symbols();
        ['caller' => $callers, 'callee' => $callees] = $run->calls();
        [$inclusive, $counts] = [$run->figures($metric), $run->figures('ct')];
        foreach ($callers as $edge => $caller) {
            $to = $names[$callees[$edge]];
            if ($caller === $callees[$edge]) {
                $recursive[$to] = true;
            } elseif ($caller >= 0) {
                $from = $names[$caller];
                $call = ['from' => $from, 'to' => $to, 'incl' => $inclusive[$edge], 'ct' => $counts[$edge]];
                $calls[EdgeKey::build($from, $to)] = $call;
            }
        }

        return new self($functions, $calls, $recursive);
    }

    /**
     * Works with numbers of functions: a large run has hundreds of thousands of calls between levels of recursions.
     *
     * @param array<string, Figures> $functions
     */
    private static function folded(array $functions, Profile $run, string $metric): self
    {
        $recursive = [];
        $names = [];
        $bases = [];
        $levels = [];
        foreach ($run->symbols() as $name) {
            $level = Recursion::level($name);
            $base = $level > 0 ? Recursion::base($name) : $name;
            if ($level > 0) {
                $recursive[$base] = true;
            }
            $bases[] = $names[$base] ??= count($names);
            $levels[] = $level;
        }
        ['caller' => $callers, 'callee' => $callees] = $run->calls();
        $count = count($names);
        $names = array_keys($names);
        $inclusive = [];
        $ct = [];
        $lowest = [];
        [$figures, $counts] = [$run->column($metric), $run->column('ct')];
        foreach ($callers as $edge => $from) {
            $to = $callees[$edge];
            if ($from === $to) {
                $recursive[$names[$bases[$to]]] = true;
            }
            if ($from < 0 || $bases[$from] === $bases[$to]) {
                continue;
            }
            $call = $bases[$from] * $count + $bases[$to];
            $level = $levels[$to];
            $known = $lowest[$call] ??= $level;
            $ct[$call] = ($ct[$call] ?? 0) + $counts[$edge];
            // Those of deeper levels are within those of the lowest.
            if ($level < $known) {
                $lowest[$call] = $level;
                $inclusive[$call] = $figures[$edge];
            } elseif ($level === $known) {
                $inclusive[$call] = ($inclusive[$call] ?? 0) + $figures[$edge];
            }
        }
        [$inclusive, $ct] = [$run->divideColumn($metric, $inclusive), $run->divideColumn('ct', $ct)];
        $calls = [];
        foreach ($inclusive as $call => $value) {
            [$from, $to] = [$names[intdiv($call, $count)], $names[$call % $count]];
            $calls[EdgeKey::build($from, $to)] = ['from' => $from, 'to' => $to, 'incl' => $value, 'ct' => $ct[$call]];
        }

        return new self($functions, $calls, $recursive);
    }
}
