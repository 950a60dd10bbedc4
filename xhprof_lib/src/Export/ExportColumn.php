<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlaces;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;

/** A column of an export: one exclusive value per call path. Its functions choose what of a run is written. */
final class ExportColumn
{
    public const NO_PATHS = 'this run has no call paths, only calls from one function to another: it cannot be exported as stacks';

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
    public static function all(CallTree $tree): array
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
     * @param string|null $metric the only one wanted; null for all
     *
     * @return non-empty-list<self> figures of the call paths of a run that are to be written
     *
     * @throws CannotExport if only edges are known, or the metric is not
     */
    public static function wanted(Run $run, ?string $metric): array
    {
        $columns = self::all(self::paths($run));
        if ($run->live() !== null && count($columns) > 1) {
            array_pop($columns); // calls, the last: no metric of memory
        }
        if ($metric === null) {
            return $columns;
        }
        foreach ($columns as $column) {
            if ($column->key === $metric) {
                return [$column];
            }
        }
        throw self::unknown($metric, array_map(static fn (self $column): string => $column->key, $columns));
    }

    /**
     * @param string|null $metric the only one wanted; null for all
     *
     * @return list<string> metrics of the edges of a run that are to be written
     *
     * @throws CannotExport
     */
    public static function metrics(Run $run, ?string $metric = null): array
    {
        $metrics = $run->profile()->metrics();
        if ($metric === null || $metric === 'ct') {
            return $metric === null ? $metrics : [];
        }

        return in_array($metric, $metrics, true) ? [$metric] : throw self::unknown($metric, [...$metrics, 'ct']);
    }

    /** @throws CannotExport if only edges are known */
    public static function paths(Run $run): CallTree
    {
        return $run->tree() ?? throw new CannotExport(self::NO_PATHS);
    }

    /** Places of the functions: beside the names of the samples, where there are any, else of the tree. */
    public static function places(Run $run): CodePlaces
    {
        $names = $run->samplesThatFit()?->names;

        return ($names === null || $names === $run->tree()?->names ? $run->tree()?->places : null) ?? CodePlaces::none();
    }

    /** @param list<string> $known */
    private static function unknown(string $metric, array $known): CannotExport
    {
        return new CannotExport("this run has no metric \"$metric\", but " . implode(', ', $known));
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
