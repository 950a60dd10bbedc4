<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\Profile;

/**
 * The weighted mean of several runs, as a run of its own. An edge missing in a run counts as 0 there.
 */
final class Aggregate
{
    /**
     * @param iterable<Profile> $runs    each is let go at once (a generator itself holds the last until it gives the next)
     * @param list<int|float>   $weights one per run, 0 or more; none = all alike
     *
     * @return Profile over the metrics that all runs have ("pmu" too), figures rounded to integers; what any run
     *                 called is called at least once
     *
     * @throws InvalidProfile
     */
    public static function of(iterable $runs, array $weights = []): Profile
    {
        return Profile::fromEdges(array_map(
            static fn (array $row): array => ['ct' => $row['ct'] > 0 ? max(1, $row['ct']) : 0] + $row,
            self::means($runs, $weights),
        ));
    }

    /**
     * The same, not rounded: edge => mean per metric, "ct" too.
     *
     * @param iterable<Profile> $runs
     * @param list<int|float>   $weights
     *
     * @return array<string, array<string, int|float>>
     *
     * @throws InvalidProfile
     */
    public static function means(iterable $runs, array $weights = []): array
    {
        if ($weights !== [] && (min($weights) < 0 || array_sum($weights) == 0 || !is_finite(array_sum($weights)))) {
            throw new InvalidProfile('the weights must be finite, not negative, and not all 0');
        }
        $sums = [];
        $metrics = null;
        $count = 0;
        foreach ($runs as $run) {
            $metrics = array_values(array_intersect($metrics ?? $run->metrics(), $run->metrics()));
            self::add($sums, $run, $weights === [] ? 1 : $weights[$count] ?? 0, ['ct', ...$metrics]);
            $count++;
            unset($run);
        }
        if ($metrics === null) {
            throw new InvalidProfile('there is no run to aggregate');
        }
        if ($weights !== [] && count($weights) !== $count) {
            throw new InvalidProfile(sprintf('%d weights for %d runs', count($weights), $count));
        }

        return self::mean($sums, $weights === [] ? $count : array_sum($weights), ['ct', ...$metrics]);
    }

    /**
     * @param array<string, array<string, int|float>> $sums
     * @param list<string>                            $columns
     *
     * @param-out array<string, array<string, int|float>> $sums
     */
    private static function add(array &$sums, Profile $run, int|float $weight, array $columns): void
    {
        foreach ($run->edges() as $key => $row) {
            $sum = $sums[$key] ?? [];
            foreach ($columns as $column) {
                $sum[$column] = ($sum[$column] ?? 0) + $weight * ($row[$column] ?? 0);
            }
            $sums[$key] = $sum;
        }
    }

    /**
     * @param array<string, array<string, int|float>> $sums
     * @param list<string>                            $columns
     *
     * @return array<string, array<string, int|float>>
     */
    private static function mean(array $sums, int|float $weight, array $columns): array
    {
        foreach ($sums as $key => $row) {
            $mean = [];
            foreach ($columns as $column) {
                $mean[$column] = $row[$column] / $weight;
            }
            $sums[$key] = $mean;
        }

        return $sums;
    }
}
