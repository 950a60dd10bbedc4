<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * The weighted mean of several runs, as a run of its own. An edge missing in a run counts as 0 there.
 */
final class ProfileMean
{
    /**
     * @param iterable<Profile> $runs    each is freed at once (a generator itself keeps the last until it yields the next)
     * @param list<int|float>   $weights one per run, 0 or more; none = all alike
     *
     * @return Profile over the metrics that all runs have ("pmu" too)
     *
     * @throws InvalidProfile
     */
    public static function compute(iterable $runs, array $weights = []): Profile
    {
        if ($weights !== [] && (min($weights) < 0 || array_sum($weights) == 0 || !is_finite(array_sum($weights)))) {
            throw new InvalidProfile('the weights must be finite, not negative, and not all 0');
        }
        $sums = [];
        $metrics = null;
        $taken = 0;
        $isSampled = false;
        $count = 0;
        foreach ($runs as $run) {
            $metrics = array_values(array_intersect($metrics ?? $run->metrics(), $run->metrics()));
            $weight = $weights === [] ? 1 : $weights[$count] ?? 0;
            $isSampled = $isSampled || $run->samples() !== null;
            $taken += $weight * $run->totals()['ct'];
            foreach ($run->samples()?->edges($run) ?? $run->edges() as $key => $row) {
                foreach (['ct', ...$metrics] as $column) {
                    $sums[$key][$column] = ($sums[$key][$column] ?? 0) + $weight * ($row[$column] ?? 0);
                }
            }
            $count++;
            unset($run);
        }
        if ($metrics === null) {
            throw new InvalidProfile('there is no run for a mean');
        }
        if ($weights !== [] && count($weights) !== $count) {
            throw new InvalidProfile(sprintf('%d weights for %d runs', count($weights), $count));
        }

        $divisor = $weights === [] ? $count : array_sum($weights);

        $common = array_fill_keys(['ct', ...$metrics], 0);
        foreach ($sums as $key => $row) {
            $sums[$key] = array_intersect_key($row, $common);
        }

        return Profile::mean($sums, $divisor)->sampled($isSampled ? new SampleCount(null, $taken / $divisor) : null);
    }
}
