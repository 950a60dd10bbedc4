<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use XHProf\Cli\CliError;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;

/** Labels of metrics in headings, and a report's sort metric. */
final class MetricLabel
{
    public static function name(string $metric): string
    {
        return Metrics::of($metric)->short;
    }

    /** @param int|null $value null: not known */
    public static function value(?int $value, string $metric): string
    {
        return $value === null ? '-' : Units::of($value, $metric);
    }

    /**
     * The metric to sort by: the requested one, else the exclusive wall time, else one that the run has.
     *
     * @param list<string> $metrics of the run, without "ct"
     * @throws CliError if the run does not have the requested one
     */
    public static function sort(?string $wanted, array $metrics, bool $inclusiveOnly = false): string
    {
        $known = ['ct', 'fn'];
        foreach ($metrics as $metric) {
            $known[] = $metric;
            if (!$inclusiveOnly) {
                $known[] = "excl_$metric";
            }
        }
        if ($wanted !== null) {
            if (!in_array($wanted, $known, true)) {
                throw new CliError("this run has no \"$wanted\" to sort by; it has " . implode(', ', $known));
            }

            return $wanted;
        }
        $first = Metrics::leading($metrics);

        return $first === null ? 'ct' : ($inclusiveOnly ? $first : "excl_$first");
    }

    /** The metric without "excl_", or null for "ct" and "fn". */
    public static function base(string $column): ?string
    {
        $base = str_starts_with($column, 'excl_') ? substr($column, 5) : $column;

        return $base === 'ct' || $base === 'fn' ? null : $base;
    }

    /**
     * @param list<string> $metrics
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
     * @return string|null the raw or corrected form of the first one, null if only one of them is there
     */
    public static function pair(array $metrics): ?string
    {
        $pair = $metrics === [] ? '' : Metrics::counterpart($metrics[0]);

        return in_array($pair, $metrics, true) ? $pair : null;
    }

    /** "12.3 %". Memory that was allocated and freed again makes parts larger than the whole: then there is no share. */
    public static function share(int|float $part, int|float $whole, string $metric): string
    {
        $isShare = !Metrics::isSigned($metric) || ($part >= 0 && $part <= $whole);

        return $isShare ? Units::percent($part, $whole) : '-';
    }
}
