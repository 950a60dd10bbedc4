<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Report\FlatReport;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\RunSet;
use XHProf\Web\Run\Windows;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\FunctionColumns;
use XHProf\Web\Table\FunctionTable;
use XHProf\Web\Table\Metric;
use XHProf\Web\View;

/**
 * index.php?run=ID: the functions of one run, or of the mean of several.
 *
 * Parameters: run, source, wts, corrected; levels (1: each level of recursion is a row); those of FunctionTable.
 *
 * @phpstan-import-type HeadGroup from Columns
 */
final class RunPage
{
    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $report = FlatReport::of($set->profile, !$set->levels);
        $sorted = static fn (string $key): array => self::sorted($report, $key);
        $table = new FunctionTable($request, $report->metrics(), $set->parameters(), $sorted);

        return $this->view->page('run.html.twig', [
            'summary' => RunHeader::summary($set),
            'corrected' => RunHeader::corrected($set, $table->state()),
            'levels' => RunHeader::levels($set, $table->state()),
            'rows' => $this->lines($table, $report, $set),
            'link_query' => http_build_query(array_filter($set->parameters(), is_string(...)), '', '&', PHP_QUERY_RFC3986),
            'window' => (new Windows($this->runs, $set))->table(),
        ] + RunHeader::top($this->runs, $set, $request, 'functions')
            + self::named($table->variables(count($report->rows())), $set));
    }

    /**
     * Samples are no calls: their column says so, and nothing is per call.
     *
     * @param array<string, mixed> $variables of the table
     * @return array<string, mixed>
     */
    private static function named(array $variables, RunSet $set): array
    {
        if ($set->counted()->isCalls() || !is_array($variables['head'] ?? null)) {
            return $variables;
        }
        foreach ($variables['head'] as &$group) {
            $group['columns'] = array_values(array_filter(
                $group['columns'],
                static fn (array $column): bool => FunctionColumns::perCall($column['key']) === null,
            ));
            if ($group['base'] === 'ct') {
                $group['columns'][0] = ['label' => $set->counted()->label(), 'title' => $set->counted()->title()]
                    + $group['columns'][0];
            }
        }

        /** @var list<HeadGroup> $head */
        $head = array_values($variables['head']);

        return ['choices' => Columns::choices($head)] + $variables;
    }

    /** @return array<string, array<string, int|float>> the rows by a column; largest first, names ascending */
    private static function sorted(FlatReport $report, string $key): array
    {
        $metric = FunctionColumns::perCall($key);
        if ($metric === null) {
            return $report->sorted($key);
        }
        $rows = $report->rows();
        $names = array_keys($rows);
        $figures = array_map(static fn (array $row): int|float => self::perCall($row, $metric) ?? -INF, array_values($rows));
        array_multisort($figures, SORT_DESC, SORT_NUMERIC, $names, SORT_ASC, SORT_STRING);
        $sorted = [];
        foreach ($names as $name) {
            $sorted[$name] = $rows[$name];
        }

        return $sorted;
    }

    /**
     * @param array<string, int|float> $row
     * @return int|float|null null for what was not called; a whole number as one, which reads shorter
     */
    private static function perCall(array $row, string $metric): int|float|null
    {
        $figure = $row['ct'] > 0 ? ($row[$metric] ?? 0) / $row['ct'] : null;

        return is_float($figure) && $figure === floor($figure) ? (int) $figure : $figure;
    }

    /** @return list<array{name: string, url: string, cells: list<array<string, mixed>>}> */
    private function lines(FunctionTable $table, FlatReport $report, RunSet $set): array
    {
        $totals = $report->totals();
        $keep = $set->parameters() + ['sort' => $table->sorting->key];
        $columns = array_filter($table->columns->shown(), static fn (string $key): bool
            => $set->counted()->isCalls() || FunctionColumns::perCall($key) === null);
        $lines = [];
        foreach ($table->rows() as $name => $row) {
            $cells = [];
            foreach ($columns as $key) {
                $metric = Metric::of($key);
                $isMain = $key === $table->sorting->key;
                $perCall = FunctionColumns::perCall($key);
                $bar = $metric->base === $table->columns->main;
                $cells[] = $perCall === null
                    ? Cells::figure($row[$key] ?? null, $metric, $totals[$metric->base] ?? 0, $bar, $isMain)
                    : ['base' => "$perCall per"] + Cells::figure(self::perCall($row, $perCall), $metric, 0, false, $isMain);
            }
            $lines[] = ['name' => $name, 'url' => Url::index($keep + Url::symbolParameter($name)), 'cells' => $cells];
        }

        return $lines;
    }
}
