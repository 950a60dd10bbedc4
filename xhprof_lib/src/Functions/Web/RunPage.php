<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\MetricOrder;
use XHProf\Functions\NegativeMemory;
use XHProf\Requests\Web\WindowRoutes;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunFindings;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Source\EditorLink;
use XHProf\Web\Source\PlaceLinks;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Templates;

/**
 * index.php?run=ID: the functions of one run, or of the mean of several. The page has the first of them;
 * assets/js/pages/functions.js shows all, according to the same address.
 *
 * Parameters: run, source, wts, corrected; levels (1: each level of recursion is a row); metric; sort, dir, q.
 *
 * @phpstan-import-type HeadGroup from Columns
 */
final class RunPage extends StorePage
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $table = $this->table($set, $request);

        return $this->view->page('run.html.twig', $table + [
            'hidden' => $set->parameters() + ViewState::fields(ViewState::parameters($request)),
            'link_query' => http_build_query(array_filter($set->parameters(), is_string(...)), '', '&', PHP_QUERY_RFC3986),
            'window' => WindowRoutes::describe($this->runs, $set),
        ] + RunHeader::top($this->runs, $set, $request, ''));
    }

    /** @return array<string, mixed> what is computed of all edges */
    private function table(ShownRun $set, Request $request): array
    {
        $metrics = $set->run->profile()->metrics();
        $main = ViewState::metric($request, $metrics);
        $sort = Columns::sorted($request, Columns::keys($metrics), MetricOrder::sort(null, $main === 'ct' ? [] : [$main]));
        $dir = ['asc' => false, 'desc' => true][$request->text('dir')] ?? null;
        $query = $request->text('q');
        $report = new FunctionsReport($set->run, $sort, Templates::TOP, $set->levels, query: $query, descending: $dir);
        $head = Columns::head($metrics, $sort, $set->counted(), descending: $dir);
        $state = $set->parameters() + ViewState::parameters($request, $metrics);
        $places = new PlaceLinks(FunctionPlaces::ofRun($set->run), EditorLink::fromRequest($request));

        return [
            'summary' => RunHeader::summary($set),
            'corrected' => RunHeader::corrected($set, $state),
            'levels' => RunHeader::levels($set, $state),
            'head' => $head,
            'choices' => self::choices($head, $main, $request->text('sort'), $set),
            'main_base' => $main,
            'rows' => self::lines($report, $main, $set, $places),
            'functions' => $report->count,
            'search' => $report->search->text === '' ? null : [
                'text' => $report->search->text,
                'none' => $report->search->none(),
                'all' => count($report->flat->rows()),
                'clear_url' => Url::index(['q' => null] + $state + ['dir' => $dir === null ? null : $request->text('dir')]),
            ],
            'negative' => NegativeMemory::in($report->flat->rows()) ? ucfirst(NegativeMemory::MEANING) . '.' : '',
            'findings' => RunFindings::describe($set, $set->levels ? null : $report->flat),
        ];
    }

    /**
     * The sort orders offered on narrow screens: those of the head, and per call, which the scripts show.
     *
     * @param list<HeadGroup> $head
     * @return list<array{key: string, label: string, selected: bool}>
     */
    private static function choices(array $head, string $main, string $sort, ShownRun $set): array
    {
        $label = ShownMetric::of($main)->fullLabel() . ' per call';
        $perCall = ['key' => "per_$main", 'label' => $label, 'selected' => $sort === "per_$main"];

        return [...Columns::choices($head), ...($set->counted()->isCalls() && $main !== 'ct' ? [$perCall] : [])];
    }

    /**
     * @param string $main the metric that one looks at
     * @return list<array{name: string, url: string, place: ?array<string, ?string>, cells: list<array<string, mixed>>}>
     */
    private static function lines(FunctionsReport $report, string $main, ShownRun $set, PlaceLinks $places): array
    {
        $metrics = ShownMetric::list(array_slice(Columns::keys($report->metrics), 1));
        $totals = $report->flat->totals();
        $lines = [];
        foreach ($report->rows as $name => $row) {
            $lines[] = [
                'name' => $name,
                'url' => Url::index($set->parameters() + ['sort' => $report->sort] + Url::symbolParameter($name)),
                'place' => $places->find($name),
                'cells' => array_map(static fn (ShownMetric $metric): array => Cells::value(
                    $row[$metric->key] ?? null,
                    $metric,
                    $totals[$metric->base] ?? 0,
                    $metric->base === $main,
                    $metric->key === $report->sort,
                ), $metrics),
            ];
        }

        return $lines;
    }
}
