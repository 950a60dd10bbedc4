<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;

/** One exclusive value per call path. */
final class Column
{
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
        foreach ([...$tree->metrics(), ...$tree->correctedMetrics()] as $key) {
            $columns[] = new self($key, Metrics::of($key)->treeUnit(), $tree->exclusive($key));
        }
        foreach ($tree->allocations as $key => $values) {
            $columns[] = new self($key, Metrics::of($key)->treeUnit(), $values);
        }
        $columns[] = new self('ct', 'count', $tree->ct);

        return $columns;
    }

    /**
     * Whether some values are below 0. In widths and sums of costs a function that freed memory then counts as 0.
     *
     * @return bool whether some of the values are below 0
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
