<?php

declare(strict_types=1);

namespace XHProf\Memory;

/**
 * Whether memory grows from one span of a job to the next, judged over windows of its spans: a leak grows in most of them and still
 * at the end. What has grown and stopped is a cache with a bound, or what the first spans load.
 */
enum JobTrend: string
{
    case Grows = 'grows';
    case Stopped = 'stopped';
    case Steady = 'steady';
    case Unknown = 'few spans';

    /** Spans from which there are so many windows. */
    private const WINDOWS = [30 => 10, 10 => 5, 6 => 3];

    /** Bytes in all below which nothing has grown. */
    private const LEAST = 1 << 14;

    /** Least share of the windows that have grown, and of the mean growth that the last two have. */
    private const MOST = 0.7;
    private const LAST = 0.25;

    /**
     * @param list<int> $growth bytes of each span, in order
     */
    public static function of(array $growth): self
    {
        $windows = self::windows($growth);
        if ($windows === []) {
            return self::Unknown;
        }
        if (array_sum($growth) < self::LEAST) {
            return self::Steady;
        }
        $count = count($windows);
        $grown = array_map(static fn (float $bytes): bool => $bytes > 0, $windows);
        $isMost = count(array_filter($grown)) >= self::MOST * $count;
        // Or it has begun late.
        $isMost = $isMost || !in_array(false, array_slice($grown, -(int) ceil((1 - self::MOST) * $count)), true);
        $last = ($windows[$count - 1] + $windows[$count - 2]) / 2;
        $isStill = $grown[$count - 1] && $last >= self::LAST * array_sum($windows) / $count;

        return $isStill && $isMost ? self::Grows : self::Stopped;
    }

    /**
     * @param list<int> $growth
     *
     * @return list<float> mean bytes per span of each window; none for a few spans
     */
    public static function windows(array $growth): array
    {
        $spans = count($growth);
        foreach (self::WINDOWS as $least => $count) {
            if ($spans >= $least) {
                return array_map(static function (int $number) use ($growth, $spans, $count): float {
                    $from = intdiv($number * $spans, $count);
                    $length = intdiv(($number + 1) * $spans, $count) - $from;

                    return array_sum(array_slice($growth, $from, $length)) / $length;
                }, range(0, $count - 1));
            }
        }

        return [];
    }
}
