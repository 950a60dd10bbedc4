<?php

declare(strict_types=1);

namespace XHProf\Compare;

/**
 * Subtracts tables of values, row by row; missing values count as 0.
 *
 * @internal
 */
final class RowDiff
{
    /**
     * @param array<string, array<string, int|float>> $a
     * @param array<string, array<string, int|float>> $b
     * @param list<string>                      $columns
     *
     * @return array<string, array{ct: int|float, ...<string, int|float>}> rows of b in b's order, then those only a has
     */
    public static function rows(array $a, array $b, array $columns): array
    {
        $rows = [];
        foreach ($b + $a as $name => $_) {
            $rows[$name] = self::row($a[$name] ?? [], $b[$name] ?? [], $columns);
        }

        return $rows;
    }

    /**
     * @param array<string, int|float> $a
     * @param array<string, int|float> $b
     * @param list<string>       $columns
     *
     * @return array{ct: int|float, ...<string, int|float>}
     */
    public static function row(array $a, array $b, array $columns): array
    {
        $row = ['ct' => self::difference($a['ct'] ?? 0, $b['ct'] ?? 0)];
        foreach ($columns as $column) {
            $row[$column] = self::difference($a[$column] ?? 0, $b[$column] ?? 0);
        }

        /** @var array{ct: int|float, ...<string, int|float>} */
        return $row;
    }

    /** b minus a, without the rest that fractions leave. */
    public static function difference(int|float $a, int|float $b): int|float
    {
        return is_int($a) && is_int($b) ? $b - $a : round($b - $a, 6);
    }

    /**
     * @return 'both'|'new'|'gone'|null
     */
    public static function status(bool $inA, bool $inB): ?string
    {
        if ($inA) {
            return $inB ? ProfileDiff::BOTH : ProfileDiff::GONE;
        }

        return $inB ? ProfileDiff::ADDED : null;
    }
}
