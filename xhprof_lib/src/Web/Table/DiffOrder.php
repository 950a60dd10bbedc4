<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Web\Http\Request;

/**
 * The order of a table of changes, read from `sort` and `dir`. A key is a column of FlatReport and means its change; before it
 * stands "a_" for the figure before, "b_" for the one after, "p_" for the change in percent.
 *
 * Changes come largest first whatever their sign; `dir=desc` puts what grew most first, `dir=asc` what shrank most.
 */
final class DiffOrder
{
    private const PARTS = ['a_', 'b_', 'p_'];

    private function __construct(public readonly string $key, public readonly string $direction)
    {
    }

    /**
     * @param list<string> $columns of FlatReport
     * @param string $default one of them
     */
    public static function from(Request $request, array $columns, string $default): self
    {
        $key = $request->text('sort');
        $isKnown = $key === Sorting::BY_NAME || in_array(self::without($key), $columns, true);
        $direction = $request->text('dir');

        return new self($isKnown ? $key : $default, in_array($direction, ['asc', 'desc'], true) ? $direction : '');
    }

    /** Whether it is by a change, and not by a name or by the figures of one side. */
    public function isByChange(): bool
    {
        return in_array(self::part($this->key), ['d', 'p'], true);
    }

    /** The column whose change matters, "excl_wt"; "fn" for the order by name. */
    public function column(): string
    {
        return self::without($this->key);
    }

    /** @return array{sort: string, dir: ?string} parameters that keep the order */
    public function parameters(): array
    {
        return ['sort' => $this->key, 'dir' => $this->direction === '' ? null : $this->direction];
    }

    /** @return array{sort: string, dir: ?string} parameters of a column head's link */
    public function linkTo(string $key): array
    {
        $turns = match (self::part($key)) {
            'd', 'p' => ['' => 'desc', 'desc' => 'asc', 'asc' => ''],
            'fn' => ['' => 'desc', 'desc' => '', 'asc' => 'desc'],
            default => ['' => 'asc', 'asc' => '', 'desc' => 'asc'],
        };
        $next = $key === $this->key ? $turns[$this->direction] : '';

        return ['sort' => $key, 'dir' => $next === '' ? null : $next];
    }

    /** Value of the aria-sort attribute, null for columns the table is not sorted by. */
    public function aria(string $key): ?string
    {
        if ($key !== $this->key) {
            return null;
        }
        if ($this->direction !== '') {
            return $this->direction === 'desc' ? 'descending' : 'ascending';
        }

        return match (self::part($key)) {
            'd', 'p' => 'other',
            'fn' => 'ascending',
            default => 'descending',
        };
    }

    /**
     * @param \Closure(array<string, string|null>): string $link URL of the page with other parameters
     * @return array{url: string, aria: string|null, label: string, title: string} head of the column of names
     */
    public function nameColumn(\Closure $link): array
    {
        return [
            'url' => $link($this->linkTo(Sorting::BY_NAME)),
            'aria' => $this->aria(Sorting::BY_NAME),
            'label' => 'Function',
            'title' => 'Name of the function',
        ];
    }

    /**
     * @param array<string, array{a: array<string, int|float>, b: array<string, int|float>}> $rows
     * @return list<string> their names in this order; equal ones by name
     */
    public function names(array $rows): array
    {
        $names = array_map(strval(...), array_keys($rows));
        $part = self::part($this->key);
        if ($part === 'fn') {
            $this->direction === 'desc' ? rsort($names, SORT_STRING) : sort($names, SORT_STRING);

            return $names;
        }
        $values = [];
        foreach ($rows as $row) {
            $value = self::value($row['a'][$this->column()] ?? 0, $row['b'][$this->column()] ?? 0, $part);
            $values[] = $this->direction === '' ? abs($value) : $value;
        }
        array_multisort($values, $this->direction === 'asc' ? SORT_ASC : SORT_DESC, SORT_NUMERIC, $names, SORT_ASC, SORT_STRING);

        return $names;
    }

    private static function value(int|float $a, int|float $b, string $part): int|float
    {
        return match ($part) {
            'a' => $a,
            'b' => $b,
            // What is new has grown beyond any percentage.
            'p' => $a == 0 ? [-1 => -INF, 0 => 0, 1 => INF][$b <=> 0] : ($b - $a) / abs($a),
            default => $b - $a,
        };
    }

    /** @return string a, b, p, d or fn */
    private static function part(string $key): string
    {
        return match (true) {
            $key === Sorting::BY_NAME => $key,
            in_array(substr($key, 0, 2), self::PARTS, true) => $key[0],
            default => 'd',
        };
    }

    private static function without(string $key): string
    {
        return in_array(substr($key, 0, 2), self::PARTS, true) ? substr($key, 2) : $key;
    }
}
