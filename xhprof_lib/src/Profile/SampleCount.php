<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Counts of a sampled run: samples, and no calls. Its edges have at least one call each, because readers divide by it; the "ct"
 * of its functions and of the whole is computed from their times here. Those of a mean are the mean of these counts: see edges().
 * Sampled allocations have no times: their "samples" are a metric.
 *
 * @phpstan-import-type Row from Profile
 */
final class SampleCount
{
    /**
     * @param int|null $intervalUs from one sample to the next; null if unknown: functions then keep the counts of the edges
     * @param int|float|null $taken of the whole run; null if unknown: it follows from the time
     */
    public function __construct(
        private readonly ?int $intervalUs,
        private readonly int|float|null $taken,
    ) {
    }

    /**
     * The edges of a sampled run with its counts, for sums with runs that count calls, or samples of another interval: those to a
     * function have as many together as its row has.
     *
     * @return array<string, Row>
     */
    public function edges(Profile $run): array
    {
        $edges = $run->edges();
        $callees = $sums = [];
        foreach ($edges as $key => $row) {
            $callees[$key] = EdgeKey::parse((string) $key)[1];
            $sums[$callees[$key]] = ($sums[$callees[$key]] ?? 0) + ($row['ct'] ?? 0);
        }
        $figures = $run->functions(self::metric($run->metrics()));
        $counts = [];
        foreach ($figures->names as $function => $name) {
            $sum = array_map(static fn (array $column): int|float => $column[$function], $figures->columns);
            $count = $this->row($run->divide($sum))['ct'];
            if ($count != ($sums[$name] ?? $count)) {
                $counts[$name] = $count;
            }
        }
        foreach ($callees as $key => $name) {
            if (isset($counts[$name])) {
                // The first edge has them all.
                $edges[$key]['ct'] = $counts[$name];
                $counts[$name] = 0;
            }
        }

        return $edges;
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

        return array_replace($row, ['ct' => (int) round($time / $this->intervalUs)]);
    }
}
