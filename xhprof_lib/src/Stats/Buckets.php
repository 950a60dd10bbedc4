<?php

declare(strict_types=1);

namespace XHProf\Stats;

/**
 * A histogram: the number of values in each bucket. A bucket is at most 1/32 as wide as its values, so a quantile is at most
 * 1.6 % off, and histograms can be added without loss. The extension has the same buckets (request/distribution.h).
 */
final class Buckets
{
    /** Number of buckets. */
    public const COUNT = 1568;

    /** Largest count: JSON and JavaScript hold no larger number exactly. */
    public const LARGEST = (1 << 53) - 1;

    private const FINE = 32;

    private readonly int $count;

    /** @param array<int, int> $counts by bucket, in ascending order; without buckets that are empty */
    private function __construct(private readonly array $counts)
    {
        $this->count = (int) min(self::LARGEST, array_sum($counts));
    }

    public static function none(): self
    {
        return new self([]);
    }

    /** @param iterable<int> $values from 0 on */
    public static function fromValues(iterable $values): self
    {
        $counts = [];
        foreach ($values as $value) {
            $bucket = self::bucketOf($value);
            $counts[$bucket] = ($counts[$bucket] ?? 0) + 1;
        }
        ksort($counts);

        return new self($counts);
    }

    /**
     * Reads the steps up to the first invalid one; that one and all after it are ignored.
     *
     * @param mixed $steps as in the metadata of a run: for each bucket its distance from the one before, then its count
     */
    public static function fromSteps(mixed $steps): self
    {
        $counts = [];
        $bucket = 0;
        $steps = is_array($steps) && array_is_list($steps) ? $steps : [];
        for ($i = 0; $i + 1 < count($steps); $i += 2) {
            [$step, $count] = [$steps[$i], $steps[$i + 1]];
            if (!is_int($step) || !is_int($count) || $step < 0 || $step >= self::COUNT - $bucket || ($step === 0 && $i > 0)) {
                break;
            }
            $bucket += $step;
            if ($count > 0) {
                $counts[$bucket] = min($count, self::LARGEST);
            }
        }

        return new self($counts);
    }

    /** @return list<int> as fromSteps() takes them */
    public function toSteps(): array
    {
        $steps = [];
        $before = 0;
        foreach ($this->counts as $bucket => $count) {
            array_push($steps, $bucket - $before, $count);
            $before = $bucket;
        }

        return $steps;
    }

    public function plus(self $other): self
    {
        $counts = $this->counts;
        foreach ($other->counts as $bucket => $count) {
            $counts[$bucket] = (int) min(self::LARGEST, ($counts[$bucket] ?? 0) + $count);
        }
        ksort($counts);

        return new self($counts);
    }

    /** @return int number of values */
    public function count(): int
    {
        return $this->count;
    }

    /**
     * @param float $share 0 to 1: 0.99 asks for the value that 99 % of the values do not exceed
     *
     * @return int|null the middle of the bucket that has the quantile; null without values
     */
    public function quantile(float $share): ?int
    {
        $wanted = max(1, (int) ceil($share * $this->count));
        $seen = 0;
        foreach ($this->counts as $bucket => $count) {
            $seen += $count;
            if ($seen >= $wanted) {
                return self::middle($bucket);
            }
        }

        return null;
    }

    /** @param callable(int, int): void $look gets the middle of each bucket and its number of values, ascending */
    public function each(callable $look): void
    {
        foreach ($this->counts as $bucket => $count) {
            $look(self::middle($bucket), $count);
        }
    }

    /**
     * Gives each value another one: that of the middle of its bucket.
     *
     * @param callable(int): int $change
     */
    public function map(callable $change): self
    {
        $counts = [];
        foreach ($this->counts as $bucket => $count) {
            $to = self::bucketOf($change(self::middle($bucket)));
            $counts[$to] = (int) min(self::LARGEST, ($counts[$to] ?? 0) + $count);
        }
        ksort($counts);

        return new self($counts);
    }

    /**
     * Sums the buckets up to a few bars for a drawing. All bars are equally wide on a logarithmic axis.
     *
     * @param positive-int $most
     * @param self|null    $range a histogram whose range contains all values: the bars cover that range; null for their own
     *
     * @return list<array{from: int, to: int, count: int}> in ascending order, without gaps; `to` is the first value above the bar
     */
    public function bars(int $most, ?self $range = null): array
    {
        $all = ($range ?? $this)->counts;
        if ($all === []) {
            return [];
        }
        $first = (int) array_key_first($all);
        $last = (int) array_key_last($all);
        $width = intdiv($last - $first, $most) + 1;
        $sums = [];
        foreach ($this->counts as $bucket => $count) {
            $bar = intdiv($bucket - $first, $width);
            $sums[$bar] = ($sums[$bar] ?? 0) + $count;
        }
        $bars = [];
        for ($bar = 0; $bar <= intdiv($last - $first, $width); $bar++) {
            $begin = $first + $bar * $width;
            $bars[] = [
                'from' => self::begin($begin),
                'to' => self::begin(min(self::COUNT, $begin + $width)),
                'count' => (int) ($sums[$bar] ?? 0),
            ];
        }

        return $bars;
    }

    private static function bucketOf(int $value): int
    {
        $value = max(0, min($value, self::LARGEST));
        $shift = 0;
        while ($value >> $shift >= 2 * self::FINE) {
            $shift++;
        }

        return $value < self::FINE ? $value : ($shift + 1) * self::FINE + ($value >> $shift) - self::FINE;
    }

    private static function middle(int $bucket): int
    {
        return self::begin($bucket) + intdiv(self::begin($bucket + 1) - 1 - self::begin($bucket), 2);
    }

    /** Returns the smallest value of a bucket. */
    private static function begin(int $bucket): int
    {
        return $bucket < self::FINE
            ? $bucket
            : (self::FINE + $bucket % self::FINE) << (intdiv($bucket, self::FINE) - 1);
    }
}
