<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\Units;

/**
 * A table of a report: columns, and rows of plain values, as JSON has them. Terminals, JSON and pages show the same one.
 *
 * @phpstan-type Row array<string, mixed>
 */
final class Table
{
    /** Ends a sentence below a table on a terminal that was cut. */
    public const SHOW_ALL = '; --limit=0 shows all';

    /**
     * @param string       $key     of its rows in JSON, and id of its section on a page; '' for a table that programs do not get
     * @param list<Column> $columns as pages have them: words first. Terminals have the words at the end of a line
     * @param list<Row>    $rows    may have values without a column, which only JSON shows
     * @param string       $none    sentence for a table without rows
     * @param string       $title   head on a page; '' for none
     * @param string       $caption for readers of the screen
     * @param string       $note    behind the title
     * @param list<string> $printed keys of the columns as terminals have them, where that is another order than the usual one
     * @param string       $faint   key of a value that says why a row is not worth a look: then it is not null
     * @param string       $lead    sentence above it on a terminal
     * @param string       $below   sentence below it on a terminal: what is left out, what it sums up to
     * @param bool         $isFull  whether terminals repeat the last column below each row, at full length
     * @param bool         $namesHidden whether terminals name the columns that they have no room for
     * @param string       $wrong   key of a value that says what is wrong with a row: then it is not null
     * @param (\Closure(Row): list<Row>)|null $parts rows below a row on terminals, with values of some columns
     * @param (\Closure(Row): list<string>)|null $advice lines below a row and its parts on terminals, which are shown whole
     */
    public function __construct(
        public readonly string $key,
        public readonly array $columns,
        public readonly array $rows,
        public readonly string $none,
        public readonly string $title = '',
        public readonly string $caption = '',
        public readonly string $note = '',
        public readonly array $printed = [],
        public readonly string $faint = '',
        public readonly string $lead = '',
        public readonly string $below = '',
        public readonly bool $isFull = false,
        public readonly ?\Closure $parts = null,
        public readonly ?\Closure $advice = null,
        public readonly bool $namesHidden = false,
        public readonly string $wrong = '',
    ) {
    }

    /** @return list<Row> for programs */
    public function json(): array
    {
        $isPlain = static fn (Column $column): bool => $column->inJson && !$column->unit->isTime();
        $special = array_filter($this->columns, static fn (Column $column): bool => !$isPlain($column));

        return $special === [] ? $this->rows : array_map(static function (array $row) use ($special): array {
            foreach ($special as $column) {
                if (!$column->inJson) {
                    unset($row[$column->key]);
                } elseif (array_key_exists($column->key, $row)) {
                    $row[$column->key] = $column->unit->plain($row[$column->key]);
                }
            }

            return $row;
        }, $this->rows);
    }

    /** @return list<string> names of the orders */
    public function orders(): array
    {
        $orders = array_map(static fn (Column $column): string => $column->order(), $this->columns);

        return array_values(array_filter($orders, static fn (string $order): bool => $order !== ''));
    }

    public function column(string $order): ?Column
    {
        foreach ($this->columns as $column) {
            if ($order !== '' && $column->order() === $order) {
                return $column;
            }
        }

        return null;
    }

    /**
     * Returns this table with its rows in another order. Equal rows keep their order, and unknown values come last. An order by a
     * column that the table does not have changes nothing. The column is always shown then: else the order seems to have no reason.
     */
    public function ordered(?Order $order): self
    {
        $column = $order === null ? null : $this->column($order->by);
        if ($order === null || $column === null) {
            return $this;
        }
        $sign = $order->isDescending($column) ? -1 : 1;
        // Once for each row: a column may compute them.
        $values = array_map($column->plain(...), $this->rows);
        uasort($values, static function (string|int|float|bool|null $a, string|int|float|bool|null $b) use ($sign): int {
            return $a === null || $b === null
                ? ($a === null) <=> ($b === null)
                : $sign * (is_string($a) && is_string($b) ? strcasecmp($a, $b) : $a <=> $b);
        });

        $kept = $column->with(['weight' => 0]);
        $shown = array_map(static fn (Column $each): Column => $each === $column ? $kept : $each, $this->columns);

        return $this->with([
            'columns' => $shown,
            'rows' => array_map(fn (int $at): array => $this->rows[$at], array_keys($values)),
        ]);
    }

    /**
     * The first rows; 0 stands for all.
     *
     * @param string $what they are, for a sentence below the table that says what is left out; '' for no sentence
     */
    public function first(int $limit, string $what = ''): self
    {
        $rows = $limit === 0 ? $this->rows : array_slice($this->rows, 0, $limit);
        $rest = $what === '' ? '' : self::rest(count($rows), count($this->rows), $what);

        return $this->with(['rows' => $rows] + ($rest === '' ? [] : ['below' => $rest]));
    }

    /** A sentence for a table that was cut: "20 of 300 classes; --limit=0 shows all"; '' if it has all. */
    public static function rest(int $shown, int $all, string $what): string
    {
        return $shown < $all ? rtrim(Units::count($shown) . ' of ' . Units::count($all) . " $what") . '' . self::SHOW_ALL : '';
    }

    /** @param array<string, mixed> $changes by the names of the constructor's parameters */
    public function with(array $changes): self
    {
        return new self(...$changes + get_object_vars($this));
    }
}
