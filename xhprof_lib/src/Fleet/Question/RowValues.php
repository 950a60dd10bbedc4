<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Run\RouteFigures;
use XHProf\Stats\Buckets;

/** Values of an answer, which a store might give in another type or not at all. */
final class RowValues
{
    /** Figures of requests, for figures() and for a table with these columns. */
    public const REQUESTS = 'sum(requests), sum(failed), sum(aborted), sum(wall_us), sum(cpu_us), max(slowest_us), sumMap(walls)';

    /** For suspended(), and for a table with these columns. */
    public const SUSPENDED = 'sum(suspended), sum(suspended_us)';

    /** No sum of a store's figures is larger: a few of them still fit into an integer. */
    private const LARGEST = 1 << 60;

    /** @param list<mixed> $row */
    public static function text(array $row, int $at): string
    {
        return is_string($row[$at] ?? null) ? $row[$at] : '';
    }

    /** @param list<mixed> $row */
    public static function int(array $row, int $at): int
    {
        $value = $row[$at] ?? 0;

        // Numbers that an integer does not hold come as floats.
        return (is_int($value) || is_float($value)) && abs($value) <= self::LARGEST ? (int) $value : 0;
    }

    /**
     * @param list<mixed> $row
     *
     * @return int what stands for a function or a call path, of 63 bits; 0 where the cell has no number. It is not a figure
     */
    public static function id(array $row, int $at): int
    {
        $value = $row[$at] ?? 0;

        return is_int($value) ? $value : 0;
    }

    /**
     * @param list<mixed> $row
     *
     * @return int|null null unless it is a number from 0 on, to a bound
     */
    public static function figure(array $row, int $at): ?int
    {
        $value = $row[$at] ?? null;

        return (is_int($value) || is_float($value)) && $value >= 0 && $value <= self::LARGEST ? (int) $value : null;
    }

    /** @param array<int> $values that int() has given; their sum stays an integer */
    public static function sum(array $values): int
    {
        return (int) max(-self::LARGEST, min(self::LARGEST, array_sum($values)));
    }

    /** @param list<mixed> $row */
    public static function float(array $row, int $at): float
    {
        $value = $row[$at] ?? 0.0;

        return is_int($value) || is_float($value) ? (float) $value : 0.0;
    }

    /**
     * @param list<mixed> $row
     * @param int         $at  of the first column of REQUESTS
     */
    public static function figures(array $row, int $at): RouteFigures
    {
        $counts = is_array($row[$at + 6] ?? null) ? $row[$at + 6] : [];
        ksort($counts, SORT_NUMERIC);
        $steps = [];
        $before = 0;
        foreach ($counts as $bucket => $count) {
            array_push($steps, (int) $bucket - $before, $count);
            $before = (int) $bucket;
        }

        return new RouteFigures(
            self::int($row, $at),
            self::int($row, $at + 1),
            self::int($row, $at + 2),
            0,
            self::int($row, $at + 3),
            self::int($row, $at + 4),
            self::int($row, $at + 5),
            Buckets::fromSteps($steps),
            Buckets::none(),
            Buckets::none(),
        );
    }

    /**
     * @param list<mixed> $row
     * @param int         $at  of the first column of SUSPENDED
     */
    public static function suspended(array $row, int $at): RouteFigures
    {
        $none = Buckets::none();

        return new RouteFigures(
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            $none,
            $none,
            $none,
            suspended: self::int($row, $at),
            suspendedTime: self::int($row, $at + 1),
        );
    }
}
