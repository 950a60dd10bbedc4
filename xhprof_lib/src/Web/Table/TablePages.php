<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Templates;

/** Visible part of a table: the first hundred rows, or all of them in pages. */
final class TablePages
{
    private const PER_PAGE = 1000;

    public readonly bool $all;
    private readonly Paging $paging;

    /** @param int $rows of the table */
    public function __construct(Request $request, int $rows)
    {
        $this->all = $request->flag('all');
        $this->paging = new Paging(
            $rows,
            $this->all ? self::PER_PAGE : Templates::TOP,
            $this->all ? $request->number('page', 1) : 1,
        );
    }

    /**
     * @template T
     * @param array<array-key, T> $rows
     * @return array<array-key, T> rows of this page, keys kept
     */
    public function slice(array $rows): array
    {
        return $this->paging->slice($rows);
    }

    /**
     * @param array<string, string|int|bool|null> $state parameters that name the table
     * @return array<string, mixed> for the templates of the count and the pages
     */
    public function variables(array $state): array
    {
        return [
            'paging' => $this->paging,
            'pages' => $this->all
                ? $this->paging->links(static fn (int $page): string => Url::index($state + ['page' => $page]))
                : ['previous' => null, 'next' => null],
            'all' => $this->all,
            'all_url' => Url::index(['all' => 1] + $state),
            'top_url' => Url::index(['all' => null] + $state),
            'top' => Templates::TOP,
        ];
    }
}
