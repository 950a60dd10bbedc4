<?php

declare(strict_types=1);

namespace XHProf\Stats;

/**
 * Tests whether two sets of runs differ by more than chance: Welch's t-test, which requires neither equal deviations nor
 * equally many runs on both sides.
 */
final class Significance
{
    /** A change that chance alone causes more often than this counts as noise. */
    public const LEVEL = 0.05;

    /**
     * @return float|null probability that chance alone causes means at least this far apart, 0 to 1; null if a side has only
     *     one run, whose spread is unknown
     */
    public static function welch(Distribution $a, Distribution $b): ?float
    {
        return self::ofMoments(
            [$a->mean(), $a->deviation() ** 2, $a->count()],
            [$b->mean(), $b->deviation() ** 2, $b->count()],
        );
    }

    /**
     * Tests as welch() does, if only these figures of the two sets are known.
     *
     * @param array{int|float, float, int|float} $a mean, variance of a sample (n - 1), and number of values
     * @param array{int|float, float, int|float} $b
     */
    public static function ofMoments(array $a, array $b): ?float
    {
        [[$meanA, $varianceA, $countA], [$meanB, $varianceB, $countB]] = [$a, $b];
        if ($countA < 2 || $countB < 2) {
            return null;
        }
        $difference = abs($meanB - $meanA);
        $errorA = $varianceA / $countA;
        $errorB = $varianceB / $countB;
        $error = $errorA + $errorB;
        if ($error <= 0.0 || $difference == 0) {
            return $difference == 0 ? 1.0 : 0.0;
        }
        $freedom = $error ** 2 / ($errorA ** 2 / ($countA - 1) + $errorB ** 2 / ($countB - 1));

        return self::student($difference / sqrt($error), $freedom);
    }

    /**
     * How likely a discovery is false, when many are looked for at once: of those with a rate of at most 0.01, a hundredth is by
     * chance in the mean (Benjamini and Hochberg).
     *
     * @param array<int, float> $probabilities of each test, as welch() returns them
     *
     * @return array<int, float> by the same keys
     */
    public static function falseDiscoveries(array $probabilities): array
    {
        arsort($probabilities);
        $rank = count($probabilities);
        $all = $rank;
        $least = 1.0;
        $rates = [];
        foreach ($probabilities as $key => $probability) {
            $rates[$key] = $least = min($least, $probability * $all / $rank);
            $rank--;
        }
        ksort($rates);

        return $rates;
    }

    /**
     * @return float probability of a t at least this large in size, whatever its sign
     */
    public static function student(float $t, float $freedom): float
    {
        return self::beta($freedom / ($freedom + $t * $t), $freedom / 2, 0.5);
    }

    /** The regularized incomplete beta function, by its continued fraction (Lentz). */
    private static function beta(float $x, float $a, float $b): float
    {
        if ($x <= 0.0 || $x >= 1.0) {
            return $x <= 0.0 ? 0.0 : 1.0;
        }
        if ($x > ($a + 1) / ($a + $b + 2)) {
            return 1.0 - self::beta(1.0 - $x, $b, $a);
        }
        $front = exp(self::logGamma($a + $b) - self::logGamma($a) - self::logGamma($b) + $a * log($x) + $b * log(1.0 - $x)) / $a;
        $c = 1.0;
        $d = 1.0 / self::nonZero(1.0 - ($a + $b) * $x / ($a + 1));
        $fraction = $d;
        for ($m = 1; $m <= 300; $m++) {
            $even = $m * ($b - $m) * $x / (($a + 2 * $m - 1) * ($a + 2 * $m));
            $d = 1.0 / self::nonZero(1.0 + $even * $d);
            $c = self::nonZero(1.0 + $even / $c);
            $fraction *= $d * $c;
            $odd = -($a + $m) * ($a + $b + $m) * $x / (($a + 2 * $m) * ($a + 2 * $m + 1));
            $d = 1.0 / self::nonZero(1.0 + $odd * $d);
            $c = self::nonZero(1.0 + $odd / $c);
            $fraction *= $d * $c;
            if (abs($d * $c - 1.0) < 1e-12) {
                break;
            }
        }

        return min(1.0, $front * $fraction);
    }

    /** Replaces 0, because the result is a divisor. */
    private static function nonZero(float $number): float
    {
        return abs($number) < 1e-300 ? 1e-300 : $number;
    }

    /** By Lanczos' approximation, for arguments of at least 0.5. */
    private static function logGamma(float $x): float
    {
        $factors = [
            676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
            12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
        ];
        $sum = 0.99999999999980993;
        foreach ($factors as $i => $factor) {
            $sum += $factor / ($x + $i);
        }
        $t = $x + 6.5;

        return 0.5 * log(2 * M_PI) + ($x - 0.5) * log($t) - $t + log($sum);
    }
}
