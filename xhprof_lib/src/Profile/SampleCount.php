<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Counts of a sampled run: samples, and no calls. Its edges have at least one call each, because readers divide by it; the "ct"
 * of its functions and of the whole is computed from their times here. Sampled allocations have no times: their "samples" are a
 * metric.
 *
 * @phpstan-import-type Row from Profile
 */
final class SampleCount
{
    /**
     * @param int|null $intervalUs from one sample to the next; null if unknown: functions then keep the counts of the edges
     * @param int|null $taken      of the whole run; null if unknown, as of a mean: it follows from the time
     * @param bool     $isMean     whether parts of a sample are meant: a function may have one in one of two runs
     */
    public function __construct(
        private readonly ?int $intervalUs,
        private readonly ?int $taken,
        private readonly bool $isMean = false,
    ) {
    }

    /**
     * Of the mean of several runs. Samples of one interval follow from the mean time; samples of several, or besides calls, do not:
     * there the mean of the counts is that of the edges.
     *
     * @param non-empty-list<self|null> $runs null: it counted calls
     */
    public static function ofMean(array $runs): ?self
    {
        $interval = $runs[0]?->intervalUs;
        foreach ($runs as $run) {
            if ($run === null) {
                return null;
            }
            $interval = $run->intervalUs === $interval ? $interval : null;
        }

        return new self($interval, null, true);
    }

    /**
     * @param list<string> $metrics of a profile
     *
     * @return list<string> the one that row() counts by
     */
    public static function metric(array $metrics): array
    {
        return array_slice(array_values(array_intersect(['samples', 'wt', 'cpu'], $metrics)), 0, 1);
    }

    /**
     * @param Row $row of a function, with its exclusive figures
     *
     * @return Row with the samples taken in the function itself for "ct"
     */
    public function row(array $row): array
    {
        return isset($row['excl_samples'])
            ? array_replace($row, ['ct' => $row['excl_samples']])
            : $this->counted($row, $row['excl_wt'] ?? $row['excl_cpu'] ?? null);
    }

    /**
     * @param Row $totals of the run
     *
     * @return Row with the samples taken for "ct"
     */
    public function totals(array $totals): array
    {
        $taken = $this->taken ?? $totals['samples'] ?? null;

        return $taken === null
            ? $this->counted($totals, $totals['wt'] ?? $totals['cpu'] ?? null)
            : array_replace($totals, ['ct' => $taken]);
    }

    /**
     * @param Row $row
     *
     * @return Row
     */
    private function counted(array $row, int|float|null $time): array
    {
        if ($time === null || ($this->intervalUs ?? 0) < 1) {
            return $row;
        }
        $samples = $time / $this->intervalUs;

        return array_replace($row, ['ct' => $this->isMean ? $samples : (int) round($samples)]);
    }
}
