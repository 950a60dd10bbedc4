<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Report\FlatReport;

/**
 * index.php?run=ID: the functions of one run, or of the mean of several.
 *
 * Parameters: run, source, wts, sort, dir, all, page, q (part of a function's name).
 */
final class RunPage
{
    private const TOP = 100;
    private const PER_PAGE = 1000;

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->open($request->text('run'), $request->text('source'), $request->text('wts'));
        $report = FlatReport::of($set->profile);
        $metrics = $report->metrics();
        $sorting = Sorting::from($request, Columns::keys($metrics), 'wt', [Sorting::BY_NAME]);
        $query = $request->typed('q');
        $all = $request->flag('all');
        $rows = $this->rows($report, $sorting, $query);
        $paging = new Paging(count($rows), $all ? self::PER_PAGE : self::TOP, $all ? $request->number('page', 1) : 1);
        $keep = $set->parameters() + ['all' => $all, 'q' => $query];
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction($sorting->key === Sorting::BY_NAME)];
        $head = Columns::head($metrics, $sorting, static fn (array $sort): string => Url::index($keep + $sort));

        return $this->view->page('run.html.twig', [
            'run' => RunHeader::of($set),
            'summary' => RunHeader::summary($set),
            'head' => $head,
            'choices' => Columns::choices($head),
            'sort_key' => $sorting->key,
            'main_base' => Columns::mainBase($sorting, $metrics),
            'rows' => $this->lines($paging->slice($rows), $report, $sorting, $set),
            'paging' => $paging,
            'pages' => $all
                ? $paging->links(static fn (int $page): string => Url::index($keep + $order + ['page' => $page]))
                : ['previous' => null, 'next' => null],
            'all' => $all,
            'all_url' => Url::index(['all' => 1] + $keep + $order),
            'top_url' => Url::index(['all' => null] + $keep + $order),
            'top' => self::TOP,
            'clear_url' => Url::index(['q' => null] + $keep + $order),
            'query' => $query,
            'hidden' => $set->parameters() + ['all' => $all ? '1' : null, 'dir' => $order['dir']],
            'functions' => count($report->rows()),
            'callgraph_url' => Url::callgraph($set->parameters()),
            'with_url' => $set->isAggregate() ? null : Url::index(['with' => (string) $set->ids[0]]),
        ]);
    }

    /** @return array<string, array<string, int>> matching rows in the wanted order */
    private function rows(FlatReport $report, Sorting $sorting, string $query): array
    {
        $rows = $report->sorted($sorting->key);
        if ($sorting->descending === ($sorting->key === Sorting::BY_NAME)) {
            $rows = array_reverse($rows, true);
        }

        return $query === ''
            ? $rows
            : array_filter($rows, static fn (string $name): bool => stripos($name, $query) !== false, ARRAY_FILTER_USE_KEY);
    }

    /**
     * @param array<string, array<string, int>> $rows
     * @return list<array{name: string, url: string, cells: list<array<string, mixed>>}>
     */
    private function lines(array $rows, FlatReport $report, Sorting $sorting, RunSet $set): array
    {
        $columns = Metric::list(array_slice(Columns::keys($report->metrics()), 1));
        $totals = $report->totals();
        $keep = $set->parameters() + ['sort' => $sorting->key];
        $mainBase = Columns::mainBase($sorting, $report->metrics());
        $lines = [];
        foreach ($rows as $name => $row) {
            $cells = [];
            foreach ($columns as $metric) {
                $isMain = $metric->key === $sorting->key;
                $bar = $metric->base === $mainBase;
                $cells[] = Cells::figure($row[$metric->key] ?? null, $metric, $totals[$metric->base] ?? 0, $bar, $isMain);
            }
            $lines[] = ['name' => $name, 'url' => Url::index($keep + Url::symbolParameter($name)), 'cells' => $cells];
        }

        return $lines;
    }
}
