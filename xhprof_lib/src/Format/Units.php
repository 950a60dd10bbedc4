<?php

declare(strict_types=1);

namespace XHProf\Format;

use XHProf\Profile\Metrics;

/** Quantities for people: three significant digits and a unit ("46.9 ms"). Show the exact value beside it (title, JSON). */
final class Units
{
    /** Size of each unit's step, in the smallest unit. */
    private const TIMES = ['µs' => 1, 'ms' => 1000, 's' => 1000000];
    private const BYTES = ['B' => 1, 'KB' => 1024, 'MB' => 1048576, 'GB' => 1073741824, 'TB' => 1099511627776];

    /**
     * @param int|float $us microseconds: 1234567 => "1.23 s", 0.273 => "273 ns"
     */
    public static function us(int|float $us): string
    {
        return $us != 0 && abs($us) < 0.9995 ? self::scaled($us * 1000.0, ['ns' => 1]) : self::scaled($us, self::TIMES);
    }

    /** @return string a time that is longer than what is profiled, rounded down: "90 s", "12 min", "31 h", "4 days" */
    public static function age(int $seconds): string
    {
        return match (true) {
            $seconds < 120 => "$seconds s",
            $seconds < 7200 => intdiv($seconds, 60) . ' min',
            $seconds < 172800 => intdiv($seconds, 3600) . ' h',
            default => intdiv($seconds, 86400) . ' days',
        };
    }

    /**
     * @param int|float $bytes 11639194 => "11.1 MB" (1 KB = 1024 B)
     */
    public static function bytes(int|float $bytes): string
    {
        return self::scaled($bytes, self::BYTES);
    }

    /**
     * @param int|float $count 41896 => "41 896"; fractions (a mean) keep three digits
     */
    public static function count(int|float $count): string
    {
        return is_int($count) ? number_format($count, 0, '.', ' ') : self::digits($count);
    }

    /** @return string "1 run", "3 021 runs" */
    public static function counted(int|float $count, string $one, string $several = ''): string
    {
        return self::count($count) . ' ' . ($count === 1 ? $one : ($several ?: "{$one}s"));
    }

    /**
     * @return string share of the whole, "12.3 %"; "-" when there is no whole
     */
    public static function percent(int|float $part, int|float $whole): string
    {
        if ($whole == 0) {
            return '-';
        }
        $percent = round(100 * $part / $whole, 1);

        return number_format($percent == 0 ? 0.0 : $percent, 1, '.', ' ') . ' %';
    }

    /** Relative change, "+12.3 %"; "" if the value was 0 or is unchanged. */
    public static function growth(int|float $before, int|float $after): string
    {
        if ($before == 0 || $before == $after) {
            return '';
        }
        $ratio = ($after - $before) / abs($before);
        if (abs($ratio) >= 10) {
            return ($ratio > 0 ? '+' : '-') . self::count((int) round(abs($ratio) * 100)) . ' %';
        }

        return ($after > $before ? '+' : '') . self::percent($after - $before, abs($before));
    }

    /** A value of the metric "wt", "excl_mu", "ct"... in its unit. */
    public static function ofMetric(int|float $value, string $metric): string
    {
        return self::in($value, Metrics::unit($metric));
    }

    /**
     * @param 'us'|'bytes'|'count' $unit
     */
    public static function in(int|float $value, string $unit): string
    {
        return match ($unit) {
            'us' => self::us($value),
            'bytes' => self::bytes($value),
            'count' => self::count($value),
        };
    }

    /**
     * A difference: as of(), with a "+" where it grew.
     */
    public static function signed(int|float $value, string $metric): string
    {
        return self::change($value, Metrics::unit($metric));
    }

    /**
     * A difference: as in(), with a "+" where it grew.
     *
     * @param 'us'|'bytes'|'count' $unit
     */
    public static function change(int|float $value, string $unit): string
    {
        return ($value > 0 ? '+' : '') . self::in($value, $unit);
    }

    /**
     * @param non-empty-array<string, int> $units ascending
     */
    private static function scaled(int|float $value, array $units): string
    {
        $sign = $value < 0 ? '-' : '';
        $value = abs($value);
        $text = '';
        $names = array_keys($units);
        foreach ($names as $i => $name) {
            $text = self::digits($i === 0 ? $value : (float) ($value / $units[$name])) . ' ' . $name;
            $next = $names[$i + 1] ?? null;
            // 999.7 ms reads "1.00 s", 1008 KB "0.984 MB": the rounded value that would be shown decides on the unit.
            // Bytes are exact.
            if ($next === null || round($value / $units[$name], 0) < ($i === 0 ? $units[$next] / $units[$name] : 1000)) {
                break;
            }
        }

        return $sign . $text;
    }

    private static function digits(int|float $value): string
    {
        $size = abs($value);
        $decimals = match (true) {
            is_int($value) => 0,
            $size >= 99.95 => 0,
            $size >= 9.995 => 1,
            $size >= 0.9995 || $size == 0 => 2,
            default => 3,
        };

        return number_format($value, $decimals, '.', ' ');
    }
}
