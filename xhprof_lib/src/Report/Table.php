<?php

declare(strict_types=1);

namespace XHProf\Report;

/**
 * A table of a report: columns, and rows of plain values. Terminals, JSON and pages show the same one.
 *
 * @phpstan-type Row array<string, string|int|float|bool|null>
 */
final class Table
{
    /**
     * @param string       $key     of its rows in JSON, and id of its section on a page
     * @param list<Column> $columns as pages have them: words first. Terminals have the words at the end of a line
     * @param list<Row>    $rows    may have values without a column, which only JSON shows
     * @param string       $none    sentence for a table without rows
     * @param string       $title   head on a page; '' for none
     * @param string       $caption for readers of the screen
     * @param string       $note    behind the title
     * @param list<string> $printed keys of the columns as terminals have them, where that is another order than the usual one
     * @param string       $faint   key of a value that says why a row is not worth a look: then it is not null
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
        return array_map(static fn (Column $column): string => $column->order(), $this->columns);
    }

    public function column(string $order): ?Column
    {
        foreach ($this->columns as $column) {
            if ($column->order() === $order) {
                return $column;
            }
        }

        return null;
    }

    /**
     * The same rows in another order. Equal rows stay as they are, unknown values come last; an order by no column changes nothing.
     */
    public function ordered(?Order $order): self
    {
        $column = $order === null ? null : $this->column($order->by);
        if ($order === null || $column === null) {
            return $this;
        }
        $key = $column->key;
        $sign = $order->isDescending($column) ? -1 : 1;
        $rows = $this->rows;
        usort($rows, static function (array $a, array $b) use ($key, $sign): int {
            [$a, $b] = [$a[$key] ?? null, $b[$key] ?? null];

            return $a === null || $b === null
                ? ($a === null) <=> ($b === null)
                : $sign * (is_string($a) && is_string($b) ? strcasecmp($a, $b) : $a <=> $b);
        });

        return $this->with($rows);
    }

    /** The first rows; 0 stands for all. */
    public function first(int $limit): self
    {
        return $limit === 0 ? $this : $this->with(array_slice($this->rows, 0, $limit));
    }

    /** @param list<Row> $rows */
    private function with(array $rows): self
    {
        return new self(...['rows' => $rows] + get_object_vars($this));
    }
}
