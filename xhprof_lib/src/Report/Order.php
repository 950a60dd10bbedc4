<?php

declare(strict_types=1);

namespace XHProf\Report;

/**
 * The order that a reader asks for: the options --sort and --dir, or the parameters `sort` and `dir`. Without a direction figures
 * begin with the largest, words with A.
 */
final class Order
{
    /**
     * @param string $by name of the order: see Column::order()
     * @param bool|null $descending null: as figures or words usually are
     */
    public function __construct(public readonly string $by, public readonly ?bool $descending = null)
    {
    }

    /**
     * Reads an order from texts.
     *
     * @param list<string> $orders that there are
     * @param string|null  $usual stands for one that there is not; null: there is no order then
     */
    public static function fromTexts(string $by, string $dir, array $orders, ?string $usual = null): ?self
    {
        $known = in_array($by, $orders, true) ? $by : $usual;

        return $known === null ? null : new self($known, match ($dir) {
            'asc' => false,
            'desc' => true,
            default => null,
        });
    }

    /** Whether rows that are sorted by words, or by figures, go down. */
    public function isDown(bool $isWords): bool
    {
        return $this->descending ?? !$isWords;
    }

    public function isDescending(Column $column): bool
    {
        return $this->isDown($column->unit->isWords());
    }

    /** The order that the head of a column leads to: the usual one, or the other way where rows have that already. */
    public function next(string $by, bool $isWords): self
    {
        $down = $by === $this->by ? !$this->isDown($isWords) : !$isWords;

        return new self($by, $down === !$isWords ? null : $down);
    }

    /** Value of `dir`: "asc" or "desc", null for the usual one. */
    public function dir(bool $isWords): ?string
    {
        return match (true) {
            $this->isDown($isWords) === !$isWords => null,
            $this->isDown($isWords) => 'desc',
            default => 'asc',
        };
    }

    /** Value of the attribute aria-sort of a column's head; null for columns by which rows are not sorted. */
    public function aria(string $by, bool $isWords): ?string
    {
        return $by !== $this->by ? null : ($this->isDown($isWords) ? 'descending' : 'ascending');
    }
}
