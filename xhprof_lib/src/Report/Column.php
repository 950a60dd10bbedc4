<?php

declare(strict_types=1);

namespace XHProf\Report;

/**
 * A column of a table: its name for programs, for terminals and for pages.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-type Value string|int|float|bool|null
 */
final class Column
{
    /** Weights from which phones, and from which narrow screens leave a column out. */
    public const PHONE = 10;
    public const NARROW = 20;

    /**
     * @param string $key    of its values in rows, and in JSON
     * @param string $title  on a terminal; where it is '' the column is only on pages
     * @param string $label  on a page; where it is '' the column is only on terminals. Unless given: the title, capitalised
     * @param string $help   sentence that explains it on a page
     * @param int    $weight a table that is too wide loses the columns of the highest weight first; 0: always shown
     * @param ?string $sort  in the option and the parameter `sort`; '' stands for $key, null for no order by it
     * @param bool   $inJson whether programs get its values
     * @param bool   $isChange whether its figures are differences, which have signs; a pair, before and after, is shown as its own
     * @param (\Closure(Row): mixed)|null $value of a row, where it is not the one with the key
     * @param ?Share $share  accompanies its figures
     * @param int    $least  width on a terminal to which names are shortened; 0: the usual one of the unit
     * @param ?Heading $above on a page, above it and the columns beside it that have the same one
     */
    public function __construct(
        public readonly string $key,
        public readonly Unit $unit,
        public readonly string $title,
        public readonly int $weight = 0,
        ?string $label = null,
        public readonly string $help = '',
        public readonly ?string $sort = '',
        public readonly bool $inJson = true,
        public readonly bool $isChange = false,
        public readonly ?\Closure $value = null,
        public readonly ?Share $share = null,
        public readonly int $least = 0,
        public readonly ?Heading $above = null,
    ) {
        $this->label = $label ?? ucfirst($title);
    }

    public readonly string $label;

    /** A column that pages alone have. */
    public static function ofPage(
        string $key,
        Unit $unit,
        string $label,
        string $help = '',
        int $weight = 0,
        ?string $sort = '',
        ?Share $share = null,
        ?Heading $above = null,
    ): self {
        return new self($key, $unit, '', $weight, $label, $help, $sort, false, share: $share, above: $above);
    }

    /** @param array<string, mixed> $changes by the names of the constructor's parameters */
    public function with(array $changes): self
    {
        return new self(...$changes + get_object_vars($this));
    }

    /**
     * Returns the column's value of a row: a figure or words, the functions of a call path, or two values of a change.
     *
     * @param Row $row
     * @return Value|list<string>|array{int|float, int|float}
     */
    public function of(array $row): string|int|float|bool|null|array
    {
        return $this->value === null ? $row[$this->key] ?? null : ($this->value)($row);
    }

    /**
     * Returns the column's value of a row as a single value, by which rows are sorted.
     *
     * @param Row $row
     * @return Value
     */
    public function plain(array $row): string|int|float|bool|null
    {
        $value = $this->of($row);
        if (!is_array($value)) {
            return $value;
        }
        [$before, $after] = $value + [null, null];

        return is_string($before) || is_string($after) ? implode(' ', $value) : $after - $before;
    }

    /** @param Row $row */
    public function unitOf(array $row): Unit
    {
        return $this->unit === Unit::OfMetric ? Unit::ofMetric((string) ($row['metric'] ?? '')) : $this->unit;
    }

    /**
     * @param Row $row
     *
     * @return string its value of the row for people
     */
    public function text(array $row): string
    {
        $value = $this->plain($row);

        return ($this->isChange && is_numeric($value) && $value > 0 ? '+' : '') . $this->unitOf($row)->text($value);
    }

    /** Name of the order by this column; '' for none. */
    public function order(): string
    {
        return $this->sort === '' ? $this->key : (string) $this->sort;
    }
}
