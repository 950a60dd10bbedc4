<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Profile\Metric;
use XHProf\Profile\MetricKind;
use XHProf\Profile\Metrics;

/**
 * Description of value columns for readers of JSON: programs, and the scripts of the pages, which know no metric themselves.
 * Per column its key, its unit and its label; for "ct" also whether it counts calls.
 *
 * @phpstan-type Described array{k: string, unit: 'us'|'ns'|'bytes'|'count', label: string, calls?: bool}
 */
final class MetricList
{
    /**
     * @param list<string> $metrics of a profile, without "ct"
     *
     * @return non-empty-list<Described> in microseconds and bytes, the calls last
     */
    public static function ofProfile(array $metrics, CountKind $counted): array
    {
        $described = static fn (Metric $metric): array => ['k' => $metric->key, 'unit' => $metric->unit, 'label' => $metric->label];

        return [...array_map(static fn (string $key): array => $described(Metrics::of($key)), $metrics), self::calls($counted)];
    }

    /**
     * @return non-empty-list<Described> all metrics a call tree can have, in display order; in nanoseconds and
     *     bytes, the calls last
     */
    public static function ofTree(CountKind $counted): array
    {
        $list = [];
        foreach (Metrics::all() as $key => $metric) {
            if ($metric->kind === MetricKind::Cost || $metric->kind === MetricKind::Allocation) {
                $list[] = ['k' => $key, 'unit' => $metric->treeUnit(), 'label' => $metric->label];
            }
        }

        return [...$list, self::calls($counted)];
    }

    /** @return Described */
    private static function calls(CountKind $counted): array
    {
        return ['k' => 'ct', 'unit' => Metrics::of('ct')->unit, 'label' => $counted->label(), 'calls' => $counted->isCalls()];
    }
}
