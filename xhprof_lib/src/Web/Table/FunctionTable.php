<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ViewState;

/**
 * The table of functions of a run, apart from its cells: order, filter by name, pages, and the links to others.
 *
 * Parameters: sort, dir, metric, all, page, q (part of a function's name).
 */
final class FunctionTable
{
    public readonly Sorting $sorting;
    public readonly FunctionColumns $columns;
    private readonly string $query;
    private readonly TablePages $pages;

    /** @var array<string, ?string> what the views of a run share */
    private readonly array $shared;

    /** @var array<string, array<string, int|float>> */
    private readonly array $rows;

    /**
     * @param list<string> $metrics base keys, without "ct"
     * @param array<string, ?string> $parameters name the run
     * @param callable(string): array<string, array<string, int|float>> $sorted all rows in the natural order of a column
     */
    public function __construct(
        Request $request,
        array $metrics,
        private readonly array $parameters,
        callable $sorted,
    ) {
        $main = ViewState::metric($request, $metrics);
        $this->columns = new FunctionColumns($metrics, $main);
        $this->sorting = Sorting::from($request, $this->columns->keys(), $main, [Sorting::BY_NAME]);
        $this->shared = array_intersect_key(ViewState::of($request), ['metric' => 1, 'sel' => 1, 'sel_hash' => 1]);
        $this->query = $request->typed('q');
        $this->rows = $this->matching($sorted($this->sorting->key));
        $this->pages = new TablePages($request, count($this->rows));
    }

    /** @return array<string, array<string, int|float>> those of this page */
    public function rows(): array
    {
        return $this->pages->slice($this->rows);
    }

    /** @return array<string, ?string> parameters that keep the order */
    public function order(): array
    {
        $isText = $this->sorting->key === Sorting::BY_NAME;

        return ['sort' => $this->sorting->key, 'dir' => $this->sorting->direction($isText)];
    }

    /** @return array<string, string|bool|null> parameters that name this page of the table, but for its number */
    public function state(): array
    {
        return $this->parameters + ['all' => $this->pages->all, 'q' => $this->query] + $this->order() + $this->shared;
    }

    /**
     * @param int $functions rows of the whole table
     * @return array<string, mixed> for the templates of the toolbar, the head and the pages
     */
    public function variables(int $functions): array
    {
        $keep = $this->parameters + ['all' => $this->pages->all, 'q' => $this->query];
        $order = $this->order();
        $state = $this->state();
        // To sort by a metric is to choose it.
        $shared = $this->shared;
        $head = $this->columns->head($this->sorting, static fn (array $sort): string
            => Url::index($keep + $sort + (in_array($sort['sort'], ['fn', 'ct'], true) ? [] : ['metric' => null]) + $shared));

        return [
            'head' => $head,
            'choices' => Columns::choices($head),
            'sort_key' => $this->sorting->key,
            'main_base' => $this->columns->main,
            'clear_url' => Url::index(['q' => null] + $state),
            'query' => $this->query,
            'hidden' => $this->parameters + ['all' => $this->pages->all ? '1' : null, 'dir' => $order['dir']] + $shared,
            'functions' => $functions,
        ] + $this->pages->variables($state);
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @return array<string, array<string, int|float>> those whose name has the text, in the wanted direction
     */
    private function matching(array $rows): array
    {
        if ($this->sorting->descending === ($this->sorting->key === Sorting::BY_NAME)) {
            $rows = array_reverse($rows, true);
        }
        $query = $this->query;

        return $query === ''
            ? $rows
            : array_filter($rows, static fn (string $name): bool => stripos($name, $query) !== false, ARRAY_FILTER_USE_KEY);
    }
}
