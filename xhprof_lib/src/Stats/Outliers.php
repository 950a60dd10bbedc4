<?php

declare(strict_types=1);

namespace XHProf\Stats;

/**
 * Finds outliers: values whose modified z-score (Iglewicz and Hoaglin) is above 3.5. The score goes by the median, because an
 * outlier itself moves the mean.
 */
final class Outliers
{
    /** Among fewer values an outlier cannot be determined. */
    public const MIN_COUNT = 4;

    private const LARGEST_SCORE = 3.5;

    /** The median deviation of a normal distribution, in standard deviations. */
    private const NORMAL = 0.6745;

    /** A value closer than this share to the median is no outlier, however close together the others are. */
    private const MIN_SHARE = 0.02;

    /**
     * @param list<int|float> $values
     *
     * @return array<int, true> positions of the outliers
     */
    public static function positions(array $values): array
    {
        if (count($values) < self::MIN_COUNT) {
            return [];
        }
        $median = (new Distribution($values))->quantile(0.5);
        $away = array_map(static fn (int|float $value): int|float => abs($value - $median), $values);
        $typical = (new Distribution($away))->quantile(0.5);
        $outliers = [];
        foreach ($away as $position => $distance) {
            $isFar = $typical == 0 || self::NORMAL * $distance / $typical > self::LARGEST_SCORE;
            if ($isFar && $distance > self::MIN_SHARE * abs($median)) {
                $outliers[$position] = true;
            }
        }

        return $outliers;
    }
}
