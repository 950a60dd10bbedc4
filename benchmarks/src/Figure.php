<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** Result of the rounds of one measurement. */
final class Figure implements \JsonSerializable
{
    public readonly float $median;
    public readonly float $min;

    /** @param non-empty-list<float> $samples */
    public function __construct(public readonly array $samples)
    {
        $sorted = $samples;
        sort($sorted);
        $middle = intdiv(count($sorted), 2);
        $this->median = count($sorted) % 2 === 1 ? $sorted[$middle] : ($sorted[$middle - 1] + $sorted[$middle]) / 2;
        $this->min = $sorted[0];
    }

    /** @return array{median: float, min: float, samples: list<float>} */
    public function jsonSerialize(): array
    {
        return [
            'median' => round($this->median, 3),
            'min' => round($this->min, 3),
            'samples' => array_map(static fn(float $sample): float => round($sample, 3), $this->samples),
        ];
    }
}
