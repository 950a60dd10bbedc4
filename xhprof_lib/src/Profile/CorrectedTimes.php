<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Times without what the profiler itself took: per node of a call tree, and added to a profile as metrics of their own,
 * "corrected_wt" and "corrected_cpu", inclusive, per edge. Every report that takes a Profile then has them, recursion included.
 *
 * The rule is that of the extension, trace/overhead.c, to the nanosecond: a call costs its callee and its caller so much each.
 * Where that is more than a node took, its caller took less: so inclusive times stay as near as they can.
 */
final class CorrectedTimes
{
    /** Explanation shown by every report that has them. */
    public const MEANING = 'an estimate of the program as it would run unprofiled; may be off by a few ns per call';

    /** Calls whose costs together exceed this were never made, ns. */
    private const MOST = 1 << 60;

    /** How the costs of a metric's calls end in the metadata. */
    private const ENDS = ['wt' => '', 'cpu' => '_cpu'];

    /** Node of a tree that reached its largest size: calls below it have no times of their own. */
    private const TRUNCATED = '(truncated)';

    /**
     * @param array<string, array<string, float>> $overhead RunMeta::$overhead
     *
     * @return CallTree with corrected times; as it is where it has some, or the costs or the kinds of its functions are not known
     */
    public static function addTo(CallTree $tree, array $overhead): CallTree
    {
        $corrected = [];
        $isKnown = $tree->corrected === [] && $tree->kinds !== [];
        foreach ($isKnown ? self::metrics($overhead, array_keys($tree->self)) : [] as $metric) {
            $costs = self::costs($overhead, $metric);
            $most = max([0, ...array_map(abs(...), array_merge(...$costs))]) * array_sum($tree->ct);
            if ($most < self::MOST) {
                $corrected[$metric] = self::column($tree, $tree->self[$metric], $costs);
            }
        }

        return $corrected === [] ? $tree : $tree->withCorrected($corrected);
    }

    /**
     * @param array<string, array<string, float>> $overhead RunMeta::$overhead
     * @param list<string>                        $recorded metrics of a tree that has the kinds of its functions
     *
     * @return list<string> those that can be corrected
     */
    public static function metrics(array $overhead, array $recorded): array
    {
        $isKnown = static fn (string $metric): bool => count(self::costs($overhead, $metric)) === 2;
        $metrics = array_intersect(array_keys(self::ENDS), $recorded);

        return in_array('wt', $metrics, true) ? array_values(array_filter($metrics, $isKnown)) : [];
    }

    /**
     * @param array<string, array<string, float>> $overhead
     *
     * @return array<int, array{float, float}> per kind of function, of each call: ns in it, and in its caller
     */
    private static function costs(array $overhead, string $metric): array
    {
        $end = self::ENDS[$metric];
        $costs = [];
        foreach ([CallTree::PHP => 'user', CallTree::INTERNAL => 'internal'] as $kind => $name) {
            if (isset($overhead[$name]["callee$end"], $overhead[$name]["caller$end"])) {
                $costs[$kind] = [$overhead[$name]["callee$end"], $overhead[$name]["caller$end"]];
            }
        }

        return $costs;
    }

    /**
     * @param CallTree|null $tree freed as early as possible: a caller should not keep a large one either
     *
     * @return Profile|null null if there is no call tree, or none of them in it
     *
     * @throws InvalidProfile if it is the call tree of another run
     */
    public static function join(Profile $profile, ?CallTree $tree): ?Profile
    {
        $metrics = $tree?->correctedMetrics() ?? [];
        if ($tree === null || $metrics === []) {
            return null;
        }
        // All of it is needed in the end: what is asked first reads it once.
        $profile->sums();
        $folded = EdgeFolder::edges(TreeNodes::ofTree($tree, $metrics), $metrics, self::showsTopLevelCode($profile));
        unset($tree);
        $columns = $folded->inOrderOf($profile, array_diff_key($folded->figures, ['ct' => 0]));

        return $profile->withNanoseconds($columns ?? throw new InvalidProfile('the call tree is not the one of this run'));
    }

    private static function showsTopLevelCode(Profile $profile): bool
    {
        foreach ($profile->symbols() as $symbol) {
            if (str_starts_with($symbol, 'run_init::')) {
                return true;
            }
        }

        return false;
    }

    /**
     * @param array<int, int>                 $own   ns per node
     * @param array<int, array{float, float}> $costs per kind of function, of each call: ns in it, and in its caller
     *
     * @return list<int>
     */
    private static function column(CallTree $tree, array $own, array $costs): array
    {
        $costOf = [];
        foreach ($tree->names as $name => $text) {
            // main() was not called; what compiles is not seen by the observer.
            $costOf[] = $text === 'main()' || $text === self::TRUNCATED ? null : $costs[$tree->kinds[$name]] ?? null;
        }
        $truncated = array_flip(array_keys($tree->names, self::TRUNCATED, true));
        $folded = PHP_INT_MAX;
        $open = [];
        foreach ($tree->depth as $node => $depth) {
            self::leave($own, $open, $depth);
            $open[] = $node;
            $name = $tree->fn[$node];
            $folded = $depth <= $folded ? PHP_INT_MAX : $folded;
            $folded = isset($truncated[$name]) ? $depth : $folded;
            if ($folded === PHP_INT_MAX && $costOf[$name] !== null) {
                [$callee, $caller] = $costOf[$name];
                $calls = $tree->ct[$node];
                $own[$node] -= (int) ($calls * $callee + 0.5);
                $own[$open[max(0, $depth - 1)]] -= (int) ($calls * $caller + 0.5);
            }
        }
        self::leave($own, $open, 0);

        return array_values($own);
    }

    /**
     * All below these nodes is complete: what is below zero is their callers'.
     *
     * @param array<int, int> $own
     * @param list<int>       $open
     *
     * @param-out array<int, int> $own
     * @param-out list<int>       $open
     */
    private static function leave(array &$own, array &$open, int $depth): void
    {
        while (count($open) > $depth && ($node = array_pop($open)) !== null) {
            if ($own[$node] < 0) {
                if ($open !== []) {
                    $own[$open[count($open) - 1]] += $own[$node];
                }
                $own[$node] = 0;
            }
        }
    }
}
