<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Stats\Distribution;
use XHProf\Stats\Significance;

/** A figure over the runs of a subject: what a baseline keeps of it, and tests need. */
final class Spread
{
    /** Digits of what varies, in a baseline: more would change with every run. */
    private const DIGITS = 4;

    /**
     * @param int|float $mean
     * @param float     $deviation of a sample (n - 1); 0 of one run
     * @param int       $runs 1 or more
     */
    public function __construct(
        public readonly int|float $mean,
        public readonly float $deviation = 0.0,
        public readonly int $runs = 1,
    ) {
    }

    /** @param non-empty-list<int|float> $values */
    public static function of(array $values): self
    {
        $distribution = new Distribution($values);

        return new self($distribution->mean(), $distribution->deviation(), count($values));
    }

    /** @return float|null how likely chance alone makes the difference (Welch's t-test); null where a side has one run */
    public function chance(self $other): ?float
    {
        return Significance::ofMoments($this->moments(), $other->moments());
    }

    /** @return float|null the same for the difference to a limit, which does not vary */
    public function chanceOver(int|float $limit): ?float
    {
        return Significance::ofMoments([$limit, 0.0, 2], $this->moments());
    }

    /** Whether another spread is another one for more than chance; of single runs nothing can be said. */
    public function differs(self $other): bool
    {
        $chance = $this->chance($other);

        return $chance === null || $chance < Significance::LEVEL;
    }

    /** @return array{int|float, float, int} */
    private function moments(): array
    {
        return [$this->mean, $this->deviation ** 2, $this->runs];
    }

    /** @return int|float|array{mean: int|float, deviation: int|float, runs: int} for a baseline */
    public function json(): int|float|array
    {
        if ($this->runs > 1 && $this->deviation > 0) {
            return ['mean' => self::short($this->mean), 'deviation' => self::short($this->deviation), 'runs' => $this->runs];
        }

        return is_int($this->mean) ? $this->mean : self::short($this->mean);
    }

    private static function short(int|float $value): int|float
    {
        if ($value == 0) {
            return 0;
        }
        $rounded = round($value, self::DIGITS - 1 - (int) floor(log10(abs($value))));

        return floor($rounded) === $rounded && abs($rounded) < 2 ** 53 ? (int) $rounded : $rounded;
    }
}
