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
     * @param list<Profile> $runs
     * @param list<int>     $weights one per run, 0 or more; none = all alike
     *
     * @return Profile over the metrics that all runs have ("pmu" too), figures rounded to integers
     *
     * @throws InvalidProfile
     */
    public static function of(array $runs, array $weights = []): Profile
    {
        if ($runs === []) {
            throw new InvalidProfile('there is no run to aggregate');
        }
        $weights = $weights === [] ? array_fill(0, count($runs), 1) : $weights;
        if (count($weights) !== count($runs)) {
            throw new InvalidProfile(sprintf('%d weights for %d runs', count($weights), count($runs)));
        }
        if (min($weights) < 0 || array_sum($weights) === 0) {
            throw new InvalidProfile('the weights must not be negative, and not all 0');
        }
        $metrics = $runs[0]->metrics();
        foreach ($runs as $run) {
            $metrics = array_values(array_intersect($metrics, $run->metrics()));
        }

        return Profile::fromEdges(self::mean(self::sum($runs, $weights, $metrics), (int) array_sum($weights)));
    }

    /**
     * @param list<Profile> $runs
     * @param list<int>     $weights
     * @param list<string>  $metrics
     *
     * @return array<string, array<string, int|float>>
     */
    private static function sum(array $runs, array $weights, array $metrics): array
    {
        $columns = ['ct', ...$metrics];
        $sums = [];
        foreach ($runs as $i => $run) {
            foreach ($run->edges() as $key => $row) {
                $sums[$key] ??= array_fill_keys($columns, 0);
                foreach ($columns as $column) {
                    $sums[$key][$column] += $weights[$i] * ($row[$column] ?? 0);
                }
            }
        }

        return $sums;
    }

    /**
     * @param array<string, array<string, int|float>> $sums
     *
     * @return array<string, array<string, int|float>>
     */
    private static function mean(array $sums, int $weight): array
    {
        foreach ($sums as $key => $row) {
            foreach ($row as $column => $sum) {
                // Whole means stay exact; Profile rounds the others.
                $row[$column] = $sum / $weight;
            }
            $sums[$key] = $row;
        }

        return $sums;
    }
}
