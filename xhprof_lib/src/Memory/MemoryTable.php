<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Exception\UnknownMetric;

/**
 * Figures of call paths, of functions or of types, as columns by their numbers.
 */
final class MemoryTable
{
    /**
     * @param array<string, array<int, int>> $columns those there are of live blocks: live, incl, blocks; of all: allocated, freed,
     *     allocated_blocks, freed_blocks; number => figure, 0 may be missing
     */
    public function __construct(private readonly array $columns)
    {
    }

    public function has(string $column): bool
    {
        return isset($this->columns[$column]);
    }

    /**
     * @return list<string> its sort keys
     */
    public function columns(): array
    {
        return array_keys($this->columns);
    }

    /**
     * @return list<int> numbers of rows with a value other than 0, the largest first; equal ones keep their order
     *
     * @throws UnknownMetric
     */
    public function sorted(string $column, bool $descending = true): array
    {
        $values = $this->columns[$column] ?? throw new UnknownMetric("there is no column \"$column\"");
        $values = array_filter($values, static fn (int $value): bool => $value !== 0);
        $descending ? arsort($values, SORT_NUMERIC) : asort($values, SORT_NUMERIC);

        return array_keys($values);
    }

    /**
     * @return array<int, int> number => figure
     */
    public function values(string $column): array
    {
        return $this->columns[$column] ?? [];
    }

    /**
     * @return int|null null for an unknown column, and for unknown values of a call path
     */
    public function value(int $number, string $column): ?int
    {
        $values = $this->values($column);

        return $values[$number] ?? ($number < 0 || !$this->has($column) ? null : 0);
    }

    public function sum(string $column): int
    {
        return array_sum($this->values($column));
    }
}
