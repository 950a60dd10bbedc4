<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\CountKind;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\MetricOrder;
use XHProf\Functions\NegativeMemory;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Requests\Web\WindowRoutes;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunFindings;
use XHProf\Web\Run\RunGroups;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Source\EditorLink;
use XHProf\Web\Source\PlaceLinks;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Templates;

/**
 * index.php?run=ID: the functions of one run, or of the mean of several. The page has the first of them;
 * assets/js/pages/functions.js shows all, according to the same address.
 *
 * Parameters: run, source, wts, corrected; levels (1: each level of recursion is a row); metric; sort, dir, q.
 */
final class RunPage extends StorePage
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $table = $this->table($set, $request);

        return $this->view->page('run.html.twig', $table + [
            'groups' => RunGroups::links($set->grouping, $request, $set->parameters() + ViewState::parameters($request) + [
                'sort' => $request->text('sort'), 'dir' => $request->text('dir'),
            ]),
            'grouping' => RunGroups::describe($set),
            'hidden' => $set->parameters() + ViewState::fields(ViewState::parameters($request)),
            'symbol_url' => $set->grouping === null ? Url::api('symbol', $set->parameters()) : null,
            'link_query' => http_build_query(array_filter($set->parameters(), is_string(...)), '', '&', PHP_QUERY_RFC3986),
            'window' => $set->grouping === null ? WindowRoutes::describe($this->runs, $set) : null,
        ] + RunHeader::top($this->runs, $set, $request, ''));
    }

    /** @return array<string, mixed> what is computed of all edges */
    private function table(ShownRun $set, Request $request): array
    {
        $metrics = $set->run->profile()->metrics();
        $main = ViewState::metric($request, $metrics);
        $order = Columns::order($request, $metrics, MetricOrder::sort(null, $main === 'ct' ? [] : [$main]));
        $report = new FunctionsReport(
            $set->run,
            $order->by,
            Templates::TOP,
            $set->levels,
            query: $request->text('q'),
            descending: $order->descending,
        );
        $table = self::functions($report, $main, $set);
        $state = $set->parameters() + ViewState::parameters($request, $metrics);
        $places = new PlaceLinks(FunctionPlaces::ofRun($set->run), EditorLink::fromRequest($request));
        $kept = array_filter($set->parameters() + ['sort' => $order->by], is_string(...));
        $dir = $order->descending === null ? null : $request->text('dir');

        return [
            'summary' => RunHeader::summary($set->ungrouped()),
            'where' => RunHeader::times($set->ungrouped()),
            'corrected' => RunHeader::corrected($set, $state),
            // A group is added up over all levels.
            'levels' => $set->grouping === null ? RunHeader::levels($set, $state) : null,
            'choices' => self::choices($table, $order, $main, $request->text('sort'), $set),
            // Bars are in the columns of the metric that one looks at.
            'table' => (new ReportTable($table, static fn (array $row, string $key): array => match ($key) {
                Columns::BY_NAME => [
                    'url' => Url::index($kept + self::row($set, $row[$key])),
                    'place' => $places->find($row[$key]),
                ],
                $main, "excl_$main" => [],
                'ct' => ['title' => Unit::Count->whole($row[$key])],
                default => ['bar' => 0],
            }, look: 'functions', class: 'run-functions'))->sorted($order)->toArray(),
            'functions' => $report->count,
            'search' => $report->search->text === '' ? null : [
                'text' => $report->search->text,
                'none' => $report->search->none(),
                'all' => count($report->flat->rows()),
                'clear_url' => Url::index(['q' => null] + $state + ['dir' => $dir]),
            ],
            'negative' => NegativeMemory::in($report->flat->rows()) ? ucfirst(NegativeMemory::MEANING) . '.' : '',
            'findings' => $set->grouping !== null ? null : RunFindings::describe($set, $set->levels ? null : $report->flat),
        ];
    }

    /** @return array<string, string> parameters of what a row leads to: a function, or the functions of a group */
    private static function row(ShownRun $set, string $name): array
    {
        $named = Url::symbolParameter($name);

        return $set->noun() === 'function' || !isset($named['symbol']) ? $named : ['group' => $name];
    }

    /** @param string $main the metric that one looks at */
    private static function functions(FunctionsReport $report, string $main, ShownRun $set): Table
    {
        $rows = [];
        foreach ($report->rows as $name => $row) {
            $rows[] = [Columns::BY_NAME => (string) $name] + $row;
        }

        return new Table(
            'functions',
            Columns::of($report->metrics, $main, $set->counted(), $report->flat->totals(), noun: $set->noun()),
            $rows,
            'This run has no functions.',
            caption: $set->grouping === null
                ? 'Functions of this run: self is the function alone, total includes its callees'
                : ucfirst($set->noun()) . 's of this run: self is without what it calls, total includes it',
        );
    }

    /**
     * The sort orders offered on narrow screens: those of the head, and per call, which the scripts show.
     *
     * @return list<array{key: string, label: string, selected: bool}>
     */
    private static function choices(Table $table, Order $order, string $main, string $sort, ShownRun $set): array
    {
        $label = ShownMetric::of($main)->fullLabel() . ' per call';
        $perCall = ['key' => "per_$main", 'label' => $label, 'selected' => $sort === "per_$main"];

        return [
            ...ReportTable::choices($table, $order),
            ...($set->counted()->isCalls() && $main !== 'ct' ? [$perCall] : []),
        ];
    }
}
