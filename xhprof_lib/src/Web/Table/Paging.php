<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

/** One page of a list. A page past the end shows the last one. */
final class Paging
{
    public readonly int $pages;
    public readonly int $page;

    /**
     * @param int $total entries in the list
     * @param int $perPage entries of a page, at least 1
     * @param int $page wanted page, from 1
     */
    public function __construct(public readonly int $total, public readonly int $perPage, int $page)
    {
        $this->pages = max(1, intdiv($total + $perPage - 1, $perPage));
        $this->page = max(1, min($page, $this->pages));
    }

    /**
     * @template T
     * @param array<array-key, T> $rows the whole list
     * @return array<array-key, T> the page's part, keys kept
     */
    public function slice(array $rows): array
    {
        return array_slice($rows, ($this->page - 1) * $this->perPage, $this->perPage, true);
    }

    /** Number of the first entry shown, from 1; 0 for an empty list. */
    public function first(): int
    {
        return $this->total === 0 ? 0 : ($this->page - 1) * $this->perPage + 1;
    }

    public function last(): int
    {
        return min($this->total, $this->page * $this->perPage);
    }

    /**
     * Links to the neighbouring pages, null if there is none.
     *
     * @param callable(int): string $url
     * @return array{previous: ?string, next: ?string}
     */
    public function links(callable $url): array
    {
        return [
            'previous' => $this->page > 1 ? $url($this->page - 1) : null,
            'next' => $this->page < $this->pages ? $url($this->page + 1) : null,
        ];
    }
}
