<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use XHProf\Format\Units;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\Metrics;

/** Labels of metrics in headings, and a report's sort metric. */
final class MetricLabel extends MetricOrder
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

    /** "total wall time", "calls of f", "exclusive CPU time of f". */
    public static function ofColumn(string $column, ?string $symbol): string
    {
        $name = Metrics::of(self::base($column) ?? $column)->words();
        $name = str_starts_with($column, 'excl_') ? "exclusive $name" : $name;

        return $symbol === null ? "total $name" : "$name of $symbol";
    }
}
