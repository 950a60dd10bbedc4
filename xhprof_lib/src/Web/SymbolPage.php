<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Exception\UnknownSymbol;
use XHProf\Report\SymbolReport;

/**
 * index.php?run=ID&symbol=F: one function with its callers and callees.
 *
 * Parameters: run, source, wts, corrected, symbol (or symbol_hash for very long names); those of
 * NeighbourTables.
 */
final class SymbolPage
{
    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $symbol = Symbols::wanted($request, [$set->profile]);
        try {
            $report = SymbolReport::of($set->profile, $symbol);
        } catch (UnknownSymbol $e) {
            throw new HttpError(404, 'This run has no function ' . VisibleName::text($symbol, View::NAME_LIMIT) . '.', $e);
        }
        $metrics = $set->profile->metrics();
        $tables = new NeighbourTables($request, $metrics, $set->parameters(), $symbol);

        return $this->view->page('symbol.html.twig', [
            'run' => RunHeader::of($set),
            'own' => $this->own($report, $metrics),
            'corrected' => RunHeader::corrected($set, $tables->state()),
            'parents' => $this->lines($report->parents(), $report, $tables->sorting, $set),
            'children' => $this->lines($report->children(), $report, $tables->sorting, $set),
        ] + $tables->variables());
    }

    /**
     * The function's own figures: one line per metric.
     *
     * @param list<string> $metrics
     * @return array{calls: array<string, mixed>, lines: list<array<string, mixed>>}
     */
    private function own(SymbolReport $report, array $metrics): array
    {
        $self = $report->self();
        $totals = $report->totals();
        $lines = [];
        foreach (Metric::list($metrics) as $metric) {
            $total = $totals[$metric->base] ?? 0;
            $lines[] = [
                'label' => $metric->label,
                'inclusive' => Cells::figure($self[$metric->key] ?? null, $metric, $total, true),
                'exclusive' => Cells::figure($self[$metric->exclusive()->key] ?? null, $metric->exclusive(), $total, true),
                'per_call' => $self['ct'] > 0
                    ? Cells::figure(($self[$metric->key] ?? 0) / $self['ct'], $metric)
                    : Cells::figure(null, $metric),
            ];
        }

        return ['calls' => Cells::figure($self['ct'], Metric::of('ct')), 'lines' => $lines];
    }

    /**
     * @param array<string, array<string, int|float>> $rows callers or callees; shares are of this function's inclusive figures
     * @return list<array{name: string, url: string, cells: list<array<string, mixed>>}>
     */
    private function lines(array $rows, SymbolReport $report, Sorting $sorting, RunSet $set): array
    {
        $metrics = Metric::list(array_slice(Columns::keys($set->profile->metrics(), false), 1));
        $self = $report->self();
        $sorted = $sorting->apply($rows, static fn (array $row, int|string $name): int|float|string|null
            => $sorting->key === Sorting::BY_NAME ? (string) $name : ($row[$sorting->key] ?? null));
        $lines = [];
        foreach ($sorted as $name => $row) {
            $cells = [];
            foreach ($metrics as $metric) {
                $isMain = $metric->key === $sorting->key;
                $cells[] = Cells::figure($row[$metric->key] ?? null, $metric, $self[$metric->key] ?? 0, $isMain, $isMain);
            }
            $url = Url::index($set->parameters() + ['sort' => $sorting->key] + Url::symbolParameter((string) $name));
            $lines[] = ['name' => (string) $name, 'url' => $url, 'cells' => $cells];
        }

        return $lines;
    }
}
