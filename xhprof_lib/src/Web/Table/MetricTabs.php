<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

/** Links that show the same table for another metric. */
final class MetricTabs
{
    /**
     * @param list<string> $metrics base keys
     * @param string $current one of them
     * @param string $sort column that the table is sorted by; that of the other metric takes its place: "a_excl_wt" => "a_excl_cpu"
     * @param callable(array<string, string>): string $link page with these parameters replaced
     * @return list<array{label: string, url: string, current: bool}>
     */
    public static function links(array $metrics, string $current, string $sort, callable $link): array
    {
        $isOfCurrent = preg_match('/\A((?:[abp]|cv)_)?(excl_)?(.*)\z/', $sort, $match) === 1 && $match[3] === $current;

        return array_map(static fn (ShownMetric $metric): array => [
            'label' => $metric->label,
            'url' => $link([
                'metric' => $metric->key,
                'sort' => $isOfCurrent ? $match[1] . $match[2] . $metric->key : $sort,
            ]),
            'current' => $metric->key === $current,
        ], ShownMetric::list($metrics));
    }
}
