<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;

/**
 * One figure that every call path has of its own, without what it called.
 */
final class Column
{
    private const LABELS = [
        'ct' => 'Calls',
        'wt' => 'Wall time',
        'corrected_wt' => 'Corrected wall time',
        'cpu' => 'CPU time',
        'corrected_cpu' => 'Corrected CPU time',
        'mu' => 'Memory',
        'pmu' => 'Peak growth',
        'allocated_bytes' => 'Allocated memory',
        'allocated_blocks' => 'Allocated blocks',
        'freed_bytes' => 'Freed memory',
        'freed_blocks' => 'Freed blocks',
        'live_bytes' => 'Live memory',
        'live_blocks' => 'Live blocks',
        'samples' => 'Samples',
    ];

    /**
     * @param string               $key    "wt", "ct", "allocated_bytes"...
     * @param 'ns'|'bytes'|'count' $unit
     * @param list<int>            $values per node of the call tree
     */
    private function __construct(
        public readonly string $key,
        public readonly string $unit,
        public readonly array $values,
    ) {
    }

    /**
     * @return non-empty-list<self> the metrics, corrected ones, allocations where they were recorded, calls
     */
    public static function of(CallTree $tree): array
    {
        $columns = [];
        foreach ([...$tree->metrics(), ...$tree->correctedMetrics()] as $metric) {
            $unit = Metrics::isTime($metric) ? 'ns' : (Metrics::unit($metric) === 'bytes' ? 'bytes' : 'count');
            $columns[] = new self($metric, $unit, $tree->exclusive($metric));
        }
        foreach ($tree->allocations as $key => $values) {
            $columns[] = new self($key, str_ends_with($key, '_bytes') ? 'bytes' : 'count', $values);
        }
        $columns[] = new self('ct', 'count', $tree->ct);

        return $columns;
    }

    /** "Wall time"; "Ir" for a metric of another tool. */
    public static function label(string $key): string
    {
        return self::LABELS[$key] ?? $key;
    }

    /**
     * Where a format draws widths or adds up costs, a function that gave memory back has none.
     *
     * @return bool whether some of the figures are below 0
     */
    public function isSigned(): bool
    {
        foreach ($this->values as $value) {
            if ($value < 0) {
                return true;
            }
        }

        return false;
    }
}
