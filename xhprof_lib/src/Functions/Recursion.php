<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Profile\Profile;

/**
 * Adds up values over the levels of a recursion: f, f@1, f@2... as one function. Calls and exclusive values add up. Calls of
 * the outermost level do not overlap in time, so their inclusive values add up as well; they include those of deeper levels.
 *
 * @internal
 *
 * @phpstan-type Row array<string, int|float>
 */
final class Recursion
{
    private const LEVEL = '/@([0-9]{1,9})\z/';

    /** @var array<string, Row> */
    private array $rows = [];

    /** @var array<string, int> the lowest level of each row */
    private array $levels = [];

    /**
     * @param Row $row of one level: calls ("ct"), exclusive ("excl_wt"...) and inclusive figures
     */
    public function add(string $key, int $level, array $row): void
    {
        if (!isset($this->rows[$key])) {
            $this->rows[$key] = $row;
            $this->levels[$key] = $level;
            return;
        }
        $known = $this->levels[$key];
        foreach ($row as $column => $value) {
            if ($level === $known || in_array($column, ['ct', 'excl'], true) || str_starts_with($column, 'excl_')) {
                $sum = ($this->rows[$key][$column] ?? 0) + $value;
                // Fractions leave a small rest.
                $this->rows[$key][$column] = is_int($sum) ? $sum : round($sum, 6);
            } elseif ($level < $known) {
                $this->rows[$key][$column] = $value;
            }
        }
        $this->levels[$key] = min($level, $known);
    }

    /**
     * @return array<string, Row>
     */
    public function rows(): array
    {
        return $this->rows;
    }

    /**
     * @return array<string, int>
     */
    public function levels(): array
    {
        return $this->levels;
    }

    /**
     * @template R of Row
     *
     * @param array<string, R> $rows of FlatReport, or differences of them
     *
     * @return array<string, R> in the order of the first level seen
     */
    public static function fold(array $rows): array
    {
        // Most functions have one row only, and few runs are recursive.
        $levels = self::levelsIn(array_keys($rows));
        if ($levels === []) {
            return $rows;
        }
        $isRecursive = array_fill_keys(array_column($levels, 0), true);
        $sums = new self();
        $folded = [];
        foreach ($rows as $name => $row) {
            [$base, $level] = $levels[$name] ?? [$name, 0];
            if (isset($isRecursive[$base])) {
                $sums->add($base, $level, $row);
                $row = [];
            }
            $folded[$base] = $row;
        }

        /** @var array<string, R> */
        return array_replace($folded, $sums->rows);
    }

    /**
     * Whether there are levels of recursion, of one function or of any.
     */
    public static function in(Profile $profile, ?string $function = null): bool
    {
        $levels = self::levelsIn($profile->symbols());

        return $function === null ? $levels !== [] : in_array($function, array_column($levels, 0), true);
    }

    /**
     * @return string "f" of "f@2"; a name stays where nothing, or a number, would be left: no function is called that
     */
    public static function base(string $name): string
    {
        return self::split($name)[0];
    }

    /**
     * @return int 2 of "f@2", 0 of "f"
     */
    public static function level(string $name): int
    {
        return self::split($name)[1];
    }

    /**
     * @return array{0: string, 1: int} base and level
     */
    private static function split(string $name): array
    {
        $at = strrpos($name, '@');
        if ($at === false || $at === 0 || preg_match(self::LEVEL, $name) !== 1) {
            return [$name, 0];
        }
        $base = substr($name, 0, $at);

        return (string) (int) $base === $base ? [$name, 0] : [$base, (int) substr($name, $at + 1)];
    }

    /**
     * @param list<string> $names
     *
     * @return array<string, array{0: string, 1: int}> base and level of those that are levels
     */
    private static function levelsIn(array $names): array
    {
        $levels = [];
        foreach (preg_grep(self::LEVEL, $names) ?: [] as $name) {
            $split = self::split($name);
            if ($split[0] !== $name) {
                $levels[$name] = $split;
            }
        }

        return $levels;
    }
}
