<?php

declare(strict_types=1);

namespace XHProf\Graph;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Report\FlatReport;

/**
 * Functions and calls of one run by one metric, before a graph is made of them.
 *
 * @internal
 *
 * @phpstan-type Figures array{ct: int|float, incl: int|float, excl: int|float}
 * @phpstan-type Call    array{from: string, to: string, incl: int|float, ct: int|float}
 */
final class RecordedCalls
{
    /**
     * @param array<string, Figures> $functions
     * @param array<string, Call>    $calls     none of a function to itself
     * @param array<string, true>    $recursive functions that called themselves
     */
    private function __construct(
        public readonly array $functions,
        public readonly array $calls,
        public readonly array $recursive,
    ) {
    }

    /**
     * @param bool $fold the levels of a recursion (f, f@1, f@2) as one function
     */
    public static function of(Profile $run, string $metric, bool $fold): self
    {
        $functions = [];
        foreach (FlatReport::of($run)->rows() as $name => $row) {
            $functions[$name] = ['ct' => $row['ct'], 'incl' => $row[$metric] ?? 0, 'excl' => $row["excl_$metric"] ?? 0];
        }
        $calls = [];
        $recursive = [];
        foreach ($run->edges() as $key => $row) {
            [$from, $to] = EdgeKey::parse($key);
            if ($from === $to) {
                $recursive[$to] = true;
            } elseif ($from !== null) {
                $calls[$key] = ['from' => $from, 'to' => $to, 'incl' => $row[$metric] ?? 0, 'ct' => $row['ct'] ?? 0];
            }
        }
        $recorded = new self($functions, $calls, $recursive);

        return $fold ? $recorded->folded() : $recorded;
    }

    /** A function's inclusive figure is its outermost level's, which holds the others. */
    private function folded(): self
    {
        $functions = [];
        $recursive = $this->recursive;
        $levels = [];
        foreach ($this->functions as $name => $figures) {
            $base = EdgeKey::stripRecursion($name);
            $level = self::level($name);
            $known = $functions[$base] ?? ['ct' => 0, 'incl' => 0, 'excl' => 0];
            $isOuter = $level < ($levels[$base] ?? PHP_INT_MAX);
            $levels[$base] = min($level, $levels[$base] ?? PHP_INT_MAX);
            $functions[$base] = [
                'ct' => $known['ct'] + $figures['ct'],
                'incl' => $isOuter ? $figures['incl'] : $known['incl'],
                'excl' => $known['excl'] + $figures['excl'],
            ];
            if ($level > 0) {
                $recursive[$base] = true;
            }
        }

        return new self($functions, $this->foldedCalls(), $recursive);
    }

    /**
     * Calls of the callee's outermost level are apart in time, so that they add up; the deeper ones are within them.
     *
     * @return array<string, Call>
     */
    private function foldedCalls(): array
    {
        $calls = [];
        $levels = [];
        foreach ($this->calls as $call) {
            $from = EdgeKey::stripRecursion($call['from']);
            $to = EdgeKey::stripRecursion($call['to']);
            if ($from === $to) {
                continue;
            }
            $key = EdgeKey::build($from, $to);
            $level = self::level($call['to']);
            $same = $calls[$key] ?? ['from' => $from, 'to' => $to, 'incl' => 0, 'ct' => 0];
            $known = $levels[$key] ?? PHP_INT_MAX;
            $same['ct'] += $call['ct'];
            if ($level <= $known) {
                $same['incl'] = $call['incl'] + ($level === $known ? $same['incl'] : 0);
                $levels[$key] = $level;
            }
            $calls[$key] = $same;
        }

        return $calls;
    }

    /** 2 of "f@2". */
    private static function level(string $name): int
    {
        return preg_match('/@([0-9]{1,9})\z/', $name, $match) === 1 ? (int) $match[1] : 0;
    }
}
