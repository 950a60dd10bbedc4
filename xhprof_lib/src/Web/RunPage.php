<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Report\FlatReport;

/**
 * index.php?run=ID: the functions of one run, or of the mean of several.
 *
 * Parameters: run, source, wts, corrected; those of FunctionTable.
 */
final class RunPage
{
    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $report = FlatReport::of($set->profile);
        $table = new FunctionTable($request, $report->metrics(), $set->parameters(), $report->sorted(...));

        return $this->view->page('run.html.twig', [
            'summary' => RunHeader::summary($set),
            'corrected' => RunHeader::corrected($set, $table->state()),
            'rows' => $this->lines($table->rows(), $report, $table->sorting, $set),
        ] + RunHeader::top($this->runs, $set, $request, 'functions')
            + $table->variables(count($report->rows())));
    }

    /**
     * @param array<string, array<string, int|float>> $rows
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
