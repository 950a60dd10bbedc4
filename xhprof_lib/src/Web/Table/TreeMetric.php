<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;

/** Metrics for the widths of a call tree's frames: its metrics, corrected times, allocations and calls. */
final class TreeMetric
{
    private function __construct(public readonly string $key, public readonly string $label)
    {
    }

    /** @return list<string> */
    public static function keys(CallTree $tree): array
    {
        $metrics = [...$tree->metrics(), ...$tree->correctedMetrics(), ...array_keys($tree->allocations)];

        return [...Metrics::ordered($metrics), 'ct'];
    }

    public static function of(string $key): self
    {
        return new self($key, Metrics::of($key)->label);
    }

    /** The label inside a sentence. */
    public function inWords(): string
    {
        return Metrics::of($this->key)->words();
    }

    /**
     * @return array<int, int> per node its own figure, in the tree's unit
     */
    public function own(CallTree $tree): array
    {
        return match (true) {
            $this->key === 'ct' => $tree->ct,
            Metrics::isAllocation($this->key) => $tree->allocations[$this->key],
            default => $tree->exclusive($this->key),
        };
    }

    public function text(int $value): string
    {
        return Units::ofMetric(Metrics::isTime($this->key) ? $value / 1000 : $value, $this->key);
    }
}
