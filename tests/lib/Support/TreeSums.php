<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Export\Utf8Names;

/**
 * What a call tree says of each function, added up node by node, independent of the code that the views use: nanoseconds, bytes
 * and calls, with names as a run file has them. A row is ["ct", then per metric "wt", inclusive, and "excl_wt"].
 *
 * @phpstan-type Row array<string, int>
 */
final class TreeSums
{
    /** @var array<string, Row> the levels of a recursion as one function */
    public readonly array $functions;

    /** @var array<string, Row> "f", "f@1" */
    public readonly array $levels;

    /** @var array<string, array<string, Row>> caller => callee => inclusive figures; none of a function to itself */
    public readonly array $calls;

    /** @var array<string, array<string, true>> callee => callers that call it while it is not running */
    public readonly array $waysIn;

    /** @var array<string, array<string, int>> callee => callers while it is running => their calls */
    public readonly array $inner;

    /** @var list<string> functions that are not recursive */
    public readonly array $flat;

    /** @param array{names: list<string>, fn: list<int>, depth: list<int>, ct: list<int>, self: array<string, list<int>>} $tree */
    public static function of(array $tree): self
    {
        $self = array_intersect_key($tree['self'], ['wt' => 0, 'cpu' => 0, 'mu' => 0, 'pmu' => 0]);

        return new self(array_map(Utf8Names::utf8(...), $tree['names']), $tree['fn'], $tree['depth'], $tree['ct'], $self);
    }

    /**
     * @param list<string>             $names
     * @param list<int>                $fn
     * @param list<int>                $depth
     * @param list<int>                $ct
     * @param array<string, list<int>> $self
     */
    private function __construct(
        private readonly array $names,
        private readonly array $fn,
        private readonly array $depth,
        private readonly array $ct,
        private readonly array $self,
    ) {
        $functions = $levels = $calls = $lowest = $inner = $recursive = $path = [];
        $whole = array_map($this->inclusive(...), $self);
        foreach ($fn as $node => $number) {
            $name = $names[$number];
            $path = array_slice($path, 0, $depth[$node]);
            $level = count(array_keys($path, $name, true));
            $caller = $path[$depth[$node] - 1] ?? null;
            $path[] = $name;
            $inclusive = array_map(static fn (array $column): int => $column[$node], $whole);
            $own = array_map(static fn (array $column): int => $column[$node], $self);
            $all = ['ct' => $ct[$node]] + $inclusive;
            foreach ($own as $metric => $value) {
                $all["excl_$metric"] = $value;
            }
            $label = $level > 0 ? "$name@$level" : $name;
            $levels[$label] = self::sum($levels[$label] ?? [], $all);
            $functions[$name] = self::sum($functions[$name] ?? [], $level > 0 ? array_diff_key($all, $inclusive) : $all);
            if ($level > 0) {
                $recursive[$name] = true;
            }
            if ($caller === null) {
                continue;
            }
            if ($level > 0) {
                $inner[$name][$caller] = ($inner[$name][$caller] ?? 0) + $ct[$node];
            }
            if ($caller === $name) {
                continue;
            }
            // What calls of a deeper level take is within what those of the lowest do.
            $known = $lowest[$name][$caller] ??= $level;
            $sums = $calls[$caller][$name] ?? ['ct' => 0];
            if ($level < $known) {
                $lowest[$name][$caller] = $level;
                $sums = ['ct' => $sums['ct']];
            }
            $calls[$caller][$name] = self::sum($sums, ['ct' => $ct[$node]] + ($level > $known ? [] : $inclusive));
        }
        $this->functions = $functions;
        $this->levels = $levels;
        $this->calls = $calls;
        $this->inner = $inner;
        $this->flat = array_keys(array_diff_key($functions, $recursive));
        $this->waysIn = array_map(static fn (array $of): array => array_fill_keys(array_keys($of, 0, true), true), $lowest);
    }

    /** @return self without what nodes have given back: formats that have widths or costs show it as 0 */
    public function withoutNegative(): self
    {
        $self = [];
        foreach ($this->self as $metric => $column) {
            $self[$metric] = array_map(static fn (int $value): int => max(0, $value), $column);
        }

        return new self($this->names, $this->fn, $this->depth, $this->ct, $self);
    }

    /** @return list<string> */
    public function metrics(): array
    {
        return array_keys($this->self);
    }

    /** @return array<string, Row> caller => figures of its calls */
    public function callers(string $function): array
    {
        $callers = [];
        foreach ($this->waysIn[$function] ?? [] as $caller => $_) {
            $callers[$caller] = $this->calls[$caller][$function];
        }

        return $callers;
    }

    /**
     * @param list<int> $column
     *
     * @return list<int>
     */
    private function inclusive(array $column): array
    {
        $open = [];
        $whole = $column;
        foreach ($this->depth as $node => $depth) {
            foreach (array_slice($open, 0, $depth) as $above) {
                $whole[$above] += $column[$node];
            }
            $open[$depth] = $node;
        }

        return array_values($whole);
    }

    /**
     * @param Row $sums
     * @param Row $row
     *
     * @return Row
     */
    private static function sum(array $sums, array $row): array
    {
        foreach ($row as $column => $value) {
            $sums[$column] = ($sums[$column] ?? 0) + $value;
        }

        return $sums;
    }
}
