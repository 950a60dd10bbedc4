<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** An upper limit, and the measured value. */
final class Goal
{
    /**
     * @param string $unit "x" for a ratio, or "ns", "us", "ms", "bytes", "kB"
     * @param float|null $measured null: not measured in this run
     * @param string $of of several, where it was measured
     */
    public function __construct(
        public readonly string $text,
        public readonly float $limit,
        public readonly string $unit,
        public readonly ?float $measured,
        public readonly string $of = '',
    ) {
    }

    /** Compares the printed values. */
    public function isMet(): ?bool
    {
        return $this->measured === null ? null : round($this->measured, $this->decimals()) <= $this->limit;
    }

    public function decimals(): int
    {
        return match (true) {
            $this->unit !== 'x' => 1,
            $this->limit < 1.01 && $this->limit > 1.0 => 3,
            default => 2,
        };
    }
}
