<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;

/** What the frames of a call tree can be as wide as: its metrics, corrected times, allocations and calls. */
final class TreeMetric
{
    private const ALLOCATIONS = [
        'allocated_bytes' => 'Memory allocated',
        'freed_bytes' => 'Memory freed',
        'live_bytes' => 'Memory still held',
        'allocated_blocks' => 'Blocks allocated',
        'freed_blocks' => 'Blocks freed',
        'live_blocks' => 'Blocks still held',
    ];

    private function __construct(public readonly string $key, public readonly string $label)
    {
    }

    /** @return list<string> */
    public static function keys(CallTree $tree): array
    {
        $metrics = [...$tree->metrics(), ...$tree->correctedMetrics(), ...array_keys($tree->allocations)];

        return [...array_unique($metrics), 'ct'];
    }

    public static function of(string $key): self
    {
        return new self($key, self::ALLOCATIONS[$key] ?? Metric::of($key)->label);
    }

    /** The label inside a sentence. */
    public function inWords(): string
    {
        return str_starts_with($this->label, 'CPU') ? $this->label : lcfirst($this->label);
    }

    /**
     * @return array<int, int> per node its own figure, in the tree's unit
     */
    public function own(CallTree $tree): array
    {
        return match (true) {
            $this->key === 'ct' => $tree->ct,
            isset(self::ALLOCATIONS[$this->key]) => $tree->allocations[$this->key],
            default => $tree->exclusive($this->key),
        };
    }

    public function text(int $value): string
    {
        return match (true) {
            Metrics::isTime($this->key) => Units::us($value / 1000),
            str_ends_with($this->key, '_bytes') => Units::bytes($value),
            default => Units::of($value, $this->key),
        };
    }
}
