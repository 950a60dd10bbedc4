<?php

declare(strict_types=1);

namespace XHProf\Stats;

/**
 * How many values lie where, in buckets of at most 1/32 of their value: sums of several are exact, and a quantile is at most
 * 1.6 % off. The extension counts in them (request/distribution.h).
 */
final class Buckets
{
    /** One more than the last bucket. */
    public const COUNT = 1568;

    /** Counts saturate where JSON and JavaScript end to be exact. */
    public const LARGEST = (1 << 53) - 1;

    private const FINE = 32;

    private readonly int $count;

    /** @param array<int, int> $counts by bucket, ascending; none is 0 */
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
     * Takes valid steps; the rest, from the first invalid one on, is dropped.
     *
     * @param mixed $steps alternately a bucket, by its distance from the one before, and its count, as in the metadata of a run
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
     * @param float $share 0 to 1; 0.99: the value that 99 % do not exceed
     *
     * @return int|null the middle of its bucket; null without values
     */
    public function quantile(float $share): ?int
    {
        $wanted = max(1, (int) ceil($share * $this->count));
        $seen = 0;
        foreach ($this->counts as $bucket => $count) {
            $seen += $count;
            if ($seen >= $wanted) {
                return self::begin($bucket) + intdiv(self::begin($bucket + 1) - 1 - self::begin($bucket), 2);
            }
        }

        return null;
    }

    /**
     * The same counts in fewer bars, for a picture: each is as wide as the others on a logarithmic axis.
     *
     * @param positive-int $most
     * @param self|null    $range values among which all of these are: the bars are those that it has
     *
     * @return list<array{from: int, to: int, count: int}> without gaps, ascending; to: the first value above
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

    /** The first value of a bucket. */
    private static function begin(int $bucket): int
    {
        return $bucket < self::FINE
            ? $bucket
            : (self::FINE + $bucket % self::FINE) << (intdiv($bucket, self::FINE) - 1);
    }
}
