<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Web\Http\Request;

/** The order of a table, read from `sort` and `dir`. An unknown key falls back to the default. */
final class TableSorting
{
    public const BY_NAME = 'fn';

    private function __construct(public readonly string $key, public readonly bool $descending)
    {
    }

    /**
     * @param list<string> $allowed keys of the table's columns
     * @param list<string> $textKeys the keys that sort ascending at first
     */
    public static function from(Request $request, array $allowed, string $default, array $textKeys): self
    {
        $key = $request->text('sort', $default);
        if (!in_array($key, $allowed, true)) {
            $key = in_array($default, $allowed, true) ? $default : ($allowed[0] ?? $default);
        }
        $descending = match ($request->text('dir')) {
            'asc' => false,
            'desc' => true,
            default => !in_array($key, $textKeys, true),
        };

        return new self($key, $descending);
    }

    /**
     * The parameters of a column head's link: the natural direction first, the other one when the
     * table is sorted by that column already.
     *
     * @return array{sort: string, dir: ?string}
     */
    public function linkTo(string $key, bool $isText = false): array
    {
        $natural = !$isText;
        $next = $key === $this->key ? !$this->descending : $natural;

        return ['sort' => $key, 'dir' => $next === $natural ? null : ($next ? 'desc' : 'asc')];
    }

    /** Value of the aria-sort attribute, null for columns the table is not sorted by. */
    public function aria(string $key): ?string
    {
        return $key === $this->key ? ($this->descending ? 'descending' : 'ascending') : null;
    }

    /** Value of `dir` that keeps this order, null if it is the natural one. */
    public function direction(bool $isText = false): ?string
    {
        return $this->descending === !$isText ? null : ($this->descending ? 'desc' : 'asc');
    }

    /**
     * Sorts rows by a number or text of each; equal rows keep their order.
     *
     * @template T
     * @param array<array-key, T> $rows
     * @param callable(T, array-key): (int|float|string|null) $value null sorts last in both directions
     * @return array<array-key, T> with the keys kept
     */
    public function apply(array $rows, callable $value): array
    {
        $values = [];
        foreach ($rows as $key => $row) {
            $values[$key] = $value($row, $key);
        }
        $sign = $this->descending ? -1 : 1;
        uasort($values, static function (int|float|string|null $a, int|float|string|null $b) use ($sign): int {
            if ($a === null || $b === null) {
                return ($a === null) <=> ($b === null);
            }

            return $sign * (is_string($a) && is_string($b) ? strcasecmp($a, $b) : $a <=> $b);
        });
        $sorted = [];
        foreach ($values as $key => $_) {
            $sorted[$key] = $rows[$key];
        }

        return $sorted;
    }
}
