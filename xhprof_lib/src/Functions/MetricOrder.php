<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Exception\UnknownMetric;
use XHProf\Profile\Metrics;

/** The columns of tables of functions: which there are, which of them sorts the rows, and which come first beside it. */
final class MetricOrder
{
    /**
     * @param list<string> $metrics of the profile, without "ct"
     *
     * @return non-empty-list<string> the figures of a row: "ct", then "wt", "excl_wt"...
     */
    public static function figures(array $metrics, bool $inclusiveOnly = false): array
    {
        $figures = ['ct'];
        foreach ($metrics as $metric) {
            array_push($figures, ...($inclusiveOnly ? [$metric] : [$metric, "excl_$metric"]));
        }

        return $figures;
    }

    /**
     * The column to sort by: the requested one, else the exclusive wall time, else one that the run has.
     *
     * @param list<string> $metrics of the run, without "ct"
     *
     * @throws UnknownMetric if the run does not have the requested one
     */
    public static function sort(?string $wanted, array $metrics, bool $inclusiveOnly = false): string
    {
        if ($wanted === null) {
            $first = Metrics::leading($metrics);

            return $first === null ? 'ct' : ($inclusiveOnly ? $first : "excl_$first");
        }
        $known = ['ct', 'fn', ...array_slice(self::figures($metrics, $inclusiveOnly), 1)];

        return in_array($wanted, $known, true)
            ? $wanted
            : throw new UnknownMetric("this run has no \"$wanted\" to sort by; it has " . implode(', ', $known));
    }

    /** The metric without "excl_", or null for "ct" and "fn". */
    public static function base(string $column): ?string
    {
        $base = str_starts_with($column, 'excl_') ? substr($column, 5) : $column;

        return $base === 'ct' || $base === 'fn' ? null : $base;
    }

    /**
     * @param list<string> $metrics
     *
     * @return list<string> the one sorted by first, then its pair()
     */
    public static function leading(array $metrics, string $sort): array
    {
        $base = self::base($sort);
        if ($base === null) {
            return $metrics;
        }
        $pair = self::pair([$base, ...$metrics]);

        return array_values(array_unique([$base, ...($pair === null ? [] : [$pair]), ...$metrics]));
    }

    /**
     * @param list<string> $metrics
     *
     * @return string|null the raw or corrected form of the first one, null if only one of them is there
     */
    public static function pair(array $metrics): ?string
    {
        $pair = $metrics === [] ? '' : Metrics::counterpart($metrics[0]);

        return in_array($pair, $metrics, true) ? $pair : null;
    }
}
