<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Profile\CallTree;
use XHProf\Profile\CallTreeBuilder;

/**
 * A call tree whose functions are groups. A function that its own group calls is part of its caller: a call is one from another
 * group, and what a group takes with all it calls counts where it is outermost. Figures are added up, none is rounded: all groups
 * together have the run's.
 *
 * Of one group it has the functions, and all others as one: ELSEWHERE.
 */
final class GroupedPaths
{
    public const ELSEWHERE = '(elsewhere)';

    /** What stands beside the routes for call paths that are left out. */
    private const REST = '(other paths)';

    public readonly CallTree $tree;

    /** @var array<string, int> group, marked by a NUL => how many functions take its time */
    private readonly array $functions;

    /** @var list<int> per node of the whole tree the number of its name in $tree */
    private readonly array $shown;

    /**
     * @param CallTree $whole the run's
     * @param list<string|null> $groups per name of the tree; null: its caller's
     * @param string $root      the root's where it has none
     * @param string|null $one  the group that is wanted; null for all
     * @param bool $isSampled   whether nodes count samples, and no calls
     * @param bool $hasRoutes   whether main() calls routes, which are no functions
     */
    public function __construct(
        private readonly CallTree $whole,
        array $groups,
        string $root,
        ?string $one,
        bool $isSampled,
        bool $hasRoutes,
    ) {
        $tree = $whole;
        $builder = new CallTreeBuilder();
        $number = array_map(static fn (?string $group): int => $group === null ? -1 : $builder->name($group), $groups);
        $root = $builder->name($root);
        $wanted = $one === null ? -1 : $builder->name($one);
        $elsewhere = $one === null ? -1 : $builder->name(self::ELSEWHERE);
        $label = $met = [];
        /** @var array<int, int> $open group of the open node of each depth */
        $open = [];
        /** @var array<int, int> $shown likewise its function in the new tree */
        $shown = [];
        /** @var array<int, int> $into likewise its node there */
        $into = [-1 => CallTreeBuilder::NONE];
        $target = $calls = $all = [];
        foreach ($tree->fn as $node => $fn) {
            $depth = $tree->depth[$node];
            $group = $number[$fn];
            $isRoute = $hasRoutes && $depth === 1 && $tree->names[$fn] !== self::REST;
            if ($group < 0 || $isRoute) {
                $group = $open[$depth - 1] ?? $root;
            }
            $open[$depth] = $group;
            if (!$isRoute) {
                $met[$group][$fn] = true;
            }
            $isMerged = true;
            if ($one === null) {
                $function = $group;
            } elseif ($group !== $wanted) {
                $function = $elsewhere;
            } else {
                $function = $label[$fn] ??= $builder->name($tree->names[$fn]);
                $isMerged = false;
            }
            $isInside = $isMerged && $depth > 0 && $function === $shown[$depth - 1];
            $shown[$depth] = $all[] = $function;
            $into[$depth] = $to = $isInside ? $into[$depth - 1] : $builder->node($into[$depth - 1], $function);
            $target[] = $to;
            if (!$isInside || $isSampled) {
                $calls[$to] = ($calls[$to] ?? 0) + $tree->ct[$node];
            }
        }
        $this->tree = $builder->tree(self::columns($tree, $target, $calls));
        $this->shown = $all;
        $names = $builder->names();
        $functions = [];
        foreach ($met as $group => $found) {
            $functions["\0$names[$group]"] = count(array_unique(array_map(
                static fn (int $fn): string => $tree->names[$fn],
                array_keys($found),
            )));
        }
        $this->functions = $functions;
    }

    /** @return int how many functions take the time of a group, with those of PHP that they call; 0 for what is no group of the run */
    public function functions(string $group): int
    {
        return $this->functions["\0$group"] ?? 0;
    }

    /** @return list<array{int, int}> nodes of the whole run that are a group's, or a shown function's, own: each with the first behind them */
    public function own(string $name): array
    {
        $number = array_search($name, $this->tree->names, true);
        $ranges = [];
        $from = -1;
        foreach ($this->shown as $node => $shown) {
            if (($shown === $number) !== ($from >= 0)) {
                if ($from >= 0) {
                    $ranges[] = [$from, $node];
                }
                $from = $from >= 0 ? -1 : $node;
            }
        }

        return $from < 0 ? $ranges : [...$ranges, [$from, count($this->shown)]];
    }

    /** @return list<array{int, int}> the same with all that they call, where they are outermost */
    public function within(string $name): array
    {
        $number = array_search($name, $this->tree->names, true);
        $ranges = [];
        $depth = -1;
        $from = 0;
        foreach ($this->shown as $node => $shown) {
            $level = $this->whole->depth[$node];
            if ($depth >= 0 && $level <= $depth) {
                $ranges[] = [$from, $node];
                $depth = -1;
            }
            if ($depth < 0 && $shown === $number) {
                [$from, $depth] = [$node, $level];
            }
        }

        return $depth < 0 ? $ranges : [...$ranges, [$from, count($this->shown)]];
    }

    /** @return list<string> */
    public function groups(): array
    {
        return array_map(static fn (string $group): string => substr($group, 1), array_keys($this->functions));
    }

    /**
     * @param list<int> $target per node the new one
     * @param array<int, int> $calls
     *
     * @return \Generator<string, array<int, int>>
     */
    private static function columns(CallTree $tree, array $target, array $calls): \Generator
    {
        yield 'ct' => $calls;
        $columns = $tree->columns();
        unset($columns['ct']);
        foreach ($columns as $name => $column) {
            $sums = [];
            foreach ($column as $node => $value) {
                $to = $target[$node];
                $sums[$to] = ($sums[$to] ?? 0) + $value;
            }
            yield $name => $sums;
        }
    }
}
