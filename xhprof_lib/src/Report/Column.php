<?php

declare(strict_types=1);

namespace XHProf\Report;

/** A column of a table: its name for programs, for terminals and for pages. */
final class Column
{
    /**
     * @param string $key    of its values in rows, and in JSON
     * @param string $title  on a terminal; where it is '' the column is only on pages
     * @param string $label  on a page; where it is '' the column is only on terminals. Unless given: the title, capitalised
     * @param string $help   sentence that explains it on a page
     * @param int    $weight a table that is too wide loses the columns of the highest weight first; 0: always shown
     * @param string $sort   in the option and the parameter `sort`; '' stands for $key
     */
    public function __construct(
        public readonly string $key,
        public readonly Unit $unit,
        public readonly string $title,
        public readonly int $weight = 0,
        ?string $label = null,
        public readonly string $help = '',
        public readonly string $sort = '',
    ) {
        $this->label = $label ?? ucfirst($title);
    }

    public readonly string $label;

    /** Name of the order by this column. */
    public function order(): string
    {
        return $this->sort === '' ? $this->key : $this->sort;
    }
}
