<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Exception\UnknownSymbol;
use XHProf\Report\DiffReport;

/**
 * index.php?run1=A&run2=B: what changed from A (before) to B (after); with symbol, for one function.
 *
 * Parameters: run1, run2 (lists as for run), source, source1, source2, symbol or symbol_hash, sort,
 * dir, all, page, q.
 */
final class DiffPage
{
    private const TOP = 100;
    private const PER_PAGE = 1000;

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        if (!$request->has('run1') || !$request->has('run2')) {
            throw new HttpError(400, 'A comparison takes two runs: run1 (before) and run2 (after).');
        }
        $source = $request->text('source');
        $pair = new DiffPair(
            $this->runs->open($request->text('run1'), $request->text('source1', $source)),
            $this->runs->open($request->text('run2'), $request->text('source2', $source)),
        );
        $report = DiffReport::of($pair->before->profile, $pair->after->profile);
        $isSymbol = $request->has('symbol') || $request->has('symbol_hash');

        return $isSymbol ? $this->symbol($request, $pair, $report) : $this->table($request, $pair, $report);
    }

    private function table(Request $request, DiffPair $pair, DiffReport $report): Response
    {
        $metrics = $report->metrics();
        $sorting = Sorting::from($request, Columns::keys($metrics), 'wt', [Sorting::BY_NAME]);
        $query = $request->typed('q');
        $all = $request->flag('all');
        $rows = $this->rows($report, $sorting, $query);
        $paging = new Paging(count($rows), $all ? self::PER_PAGE : self::TOP, $all ? $request->number('page', 1) : 1);
        $keep = $pair->parameters() + ['all' => $all, 'q' => $query];
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction($sorting->key === Sorting::BY_NAME)];
        $head = Columns::head($metrics, $sorting, static fn (array $sort): string => Url::index($keep + $sort));

        return $this->view->page('diff.html.twig', $this->frame($pair, $order) + [
            'totals' => DiffTables::totals($report),
            'head' => $head,
            'choices' => Columns::choices($head),
            'sort_key' => $sorting->key,
            'main_base' => Columns::mainBase($sorting, $metrics),
            'rows' => DiffTables::functions($paging->slice($rows), $report, $pair, $sorting),
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
            'hidden' => $pair->parameters() + ['all' => $all ? '1' : null, 'dir' => $order['dir']],
            'functions' => count($report->rows()),
            'swap_url' => Url::index($pair->swapped()->parameters() + $order),
        ]);
    }

    private function symbol(Request $request, DiffPair $pair, DiffReport $report): Response
    {
        $symbol = Symbols::wanted($request, [$pair->before->profile, $pair->after->profile]);
        try {
            $diff = $report->symbol($symbol);
        } catch (UnknownSymbol $e) {
            throw new HttpError(404, 'Neither run has a function ' . VisibleName::text($symbol, View::NAME_LIMIT) . '.', $e);
        }
        $metrics = $report->metrics();
        $sort = Metric::of($request->text('sort', 'wt'))->base;
        $sorting = Sorting::from($request->with('sort', $sort), Columns::keys($metrics, false), 'wt', [Sorting::BY_NAME]);
        $keep = $pair->parameters() + Url::symbolParameter($symbol);
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction($sorting->key === Sorting::BY_NAME)];
        $head = Columns::head($metrics, $sorting, static fn (array $by): string => Url::index($keep + $by), false);

        return $this->view->page('diff_symbol.html.twig', $this->frame($pair, $order) + [
            'symbol' => $symbol,
            'status' => $diff->status,
            'totals' => DiffTables::own($diff, $metrics),
            'head' => $head,
            'choices' => Columns::choices($head),
            'sort_key' => $sorting->key,
            'main_base' => Columns::mainBase($sorting, $metrics),
            'parents' => DiffTables::neighbours($diff->parents(), $pair, $sorting, $metrics),
            'children' => DiffTables::neighbours($diff->children(), $pair, $sorting, $metrics),
            'hidden' => $pair->parameters() + Url::symbolField($symbol),
            'swap_url' => Url::index($pair->swapped()->parameters() + Url::symbolParameter($symbol) + $order),
        ]);
    }

    /**
     * @param array<string, ?string> $order
     * @return array<string, mixed> what both pages show above their tables
     */
    private function frame(DiffPair $pair, array $order): array
    {
        return [
            'before' => RunHeader::of($pair->before),
            'after' => RunHeader::of($pair->after),
            'notes' => $pair->notes(),
            'diff_url' => Url::index($pair->parameters() + $order),
        ];
    }

    /** @return array<string, array<string, int>> matching rows, the largest change first whatever its sign */
    private function rows(DiffReport $report, Sorting $sorting, string $query): array
    {
        $rows = $report->sorted($sorting->key);
        if ($sorting->descending === ($sorting->key === Sorting::BY_NAME)) {
            $rows = array_reverse($rows, true);
        }

        return $query === ''
            ? $rows
            : array_filter($rows, static fn (string $name): bool => stripos($name, $query) !== false, ARRAY_FILTER_USE_KEY);
    }
}
