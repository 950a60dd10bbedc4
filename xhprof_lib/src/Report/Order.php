<?php

declare(strict_types=1);

namespace XHProf\Report;

/** The order that a reader asks for: the option --sort, or the parameters `sort` and `dir`. */
final class Order
{
    /**
     * @param string $by name of the order: see Column::order()
     * @param bool|null $descending null: figures from the largest, words from A
     */
    public function __construct(public readonly string $by, public readonly ?bool $descending = null)
    {
    }

    public function isDescending(Column $column): bool
    {
        return $this->descending ?? !$column->unit->isWords();
    }
}
