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
        $table = new FunctionTable($request, $report->metrics(), $pair->parameters(), $report->sorted(...));

        return $this->view->page('diff.html.twig', $this->frame($pair, $table->order()) + [
            'totals' => DiffTables::totals($report),
            'rows' => DiffTables::functions($table->rows(), $report, $pair, $table->sorting),
            'swap_url' => Url::index($pair->swapped()->parameters() + $table->order()),
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
        $swapped = $pair->swapped()->parameters() + Url::symbolParameter($symbol) + $tables->order();

        return $this->view->page('diff_symbol.html.twig', $this->frame($pair, $tables->order()) + [
            'status' => $diff->status,
            'totals' => DiffTables::own($diff, $metrics),
            'parents' => DiffTables::neighbours($diff->parents(), $pair, $tables->sorting, $metrics),
            'children' => DiffTables::neighbours($diff->children(), $pair, $tables->sorting, $metrics),
            'swap_url' => Url::index($swapped),
        ] + $tables->variables());
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
}
