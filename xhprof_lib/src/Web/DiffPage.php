<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Exception\UnknownSymbol;
use XHProf\Report\DiffReport;

/**
 * index.php?run1=A&run2=B: what changed from A (before) to B (after); with symbol, for one function.
 *
 * Parameters: run1, run2 (lists as for run), source, source1, source2, symbol or symbol_hash; those of FunctionTable or of
 * NeighbourTables.
 */
final class DiffPage
{
    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $pair = DiffPair::named($request, $this->runs);
        $report = DiffReport::of($pair->before->profile, $pair->after->profile);
        $isSymbol = $request->has('symbol') || $request->has('symbol_hash');

        return match (true) {
            $isSymbol => $this->symbol($request, $pair, $report),
            default => $this->table($request, $pair, $report),
        };
    }

    private function table(Request $request, DiffPair $pair, DiffReport $report): Response
    {
        $table = new FunctionTable($request, $report->metrics(), $pair->parameters(), $report->sorted(...));

        return $this->view->page('diff.html.twig', DiffHeader::top($pair, $request, '', $table->order()) + [
            'totals' => DiffTables::totals($report),
            'rows' => DiffTables::functions($table->rows(), $report, $pair, $table->sorting),
        ] + $table->variables(count($report->rows())));
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
        $tables = new NeighbourTables($request, $metrics, $pair->parameters(), $symbol);
        $own = Url::symbolParameter($symbol) + $tables->order();

        return $this->view->page('diff_symbol.html.twig', DiffHeader::top($pair, $request, '', $own) + [
            'status' => $diff->status,
            'totals' => DiffTables::own($diff, $metrics),
            'parents' => DiffTables::neighbours($diff->parents(), $pair, $tables->sorting, $metrics),
            'children' => DiffTables::neighbours($diff->children(), $pair, $tables->sorting, $metrics),
        ] + $tables->variables());
    }
}
