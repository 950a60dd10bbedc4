<?php

declare(strict_types=1);

namespace XHProf\Stats;

/**
 * Which of several figures lie far from the others: those whose modified z-score (Iglewicz and Hoaglin), which goes by the
 * median and not by a mean that the outlier itself moves, is above 3.5.
 */
final class Outliers
{
    /** Of fewer figures nobody can say which is the odd one. */
    private const LEAST = 4;

    private const LARGEST_SCORE = 3.5;

    /** The median deviation of a normal distribution, in standard deviations. */
    private const NORMAL = 0.6745;

    /** Less than that from the median is no outlier, however close together the others are. */
    private const LEAST_SHARE = 0.02;

    /**
     * @param list<int|float> $figures
     *
     * @return array<int, true> positions of the outliers
     */
    public static function in(array $figures): array
    {
        if (count($figures) < self::LEAST) {
            return [];
        }
        $median = (new Distribution($figures))->quantile(0.5);
        $away = array_map(static fn (int|float $figure): int|float => abs($figure - $median), $figures);
        $typical = (new Distribution($away))->quantile(0.5);
        $outliers = [];
        foreach ($away as $position => $distance) {
            $isFar = $typical == 0 || self::NORMAL * $distance / $typical > self::LARGEST_SCORE;
            if ($isFar && $distance > self::LEAST_SHARE * abs($median)) {
                $outliers[$position] = true;
            }
        }

        return $outliers;
    }
}
