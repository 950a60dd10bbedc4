<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\MeanReport;
use XHProf\Compare\Statistics;
use XHProf\Format\Units;
use XHProf\Report\Order;
use XHProf\Stats\Distribution;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\MetricTabs;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\Sparkline;
use XHProf\Web\Table\TablePages;

/**
 * The functions of several runs: the mean, the median or another kind of average of one metric, with its spread.
 *
 * Parameters: agg (mean, median, p95, min, max, sd), metric, sort (fn, n, ct, a column of FlatReport, or one with "cv_" before
 * it), dir, all, page, q.
 *
 * @phpstan-import-type Kind from MeanReport
 */
final class MeanTable
{
    private readonly string $metric;

    /** @var Kind */
    private readonly string $kind;

    private readonly Statistics $statistics;
    private readonly Order $order;
    private readonly string $query;
    private readonly TablePages $pages;

    /** @var list<string> */
    private readonly array $names;

    public function __construct(
        Request $request,
        private readonly ShownRun $set,
        private readonly MeanReport $report,
    ) {
        $this->statistics = $report->statistics;
        $this->metric = ViewState::metric(
            $request->with('sort', preg_replace('/^cv_/', '', $request->text('sort')) ?? ''),
            $this->statistics->metrics(),
        );
        $at = array_search($request->text('agg'), Distribution::KINDS, true);
        $this->kind = Distribution::KINDS[(int) $at];
        $columns = [MeanReport::BY_NAME, MeanReport::BY_RUNS, 'ct'];
        foreach ($this->columns() as $column) {
            array_push($columns, $column, MeanReport::VARIATION . $column);
        }
        $this->order = ReportTable::order($request, $columns, $columns[3]);
        $this->query = $request->typed('q');
        $this->names = $report->names($this->order->by, $this->kind, $this->order->isDown($this->isByName()), $this->query);
        $this->pages = new TablePages($request, count($this->names));
    }

    private function isByName(): bool
    {
        return $this->order->by === MeanReport::BY_NAME;
    }

    /** @return array<string, mixed> for the template */
    public function variables(): array
    {
        $state = $this->state();
        $link = static fn (array $changes): string => Url::index($changes + $state);
        $isMain = fn (string $key): array => Columns::sortable($key, $this->order, $key === MeanReport::BY_NAME, $link);

        return [
            'rows' => $this->lines(),
            'name_column' => ['label' => 'Function', 'title' => 'Name of the function'] + $isMain(MeanReport::BY_NAME),
            'n_column' => ['label' => 'Runs', 'title' => 'In how many of the runs it was called'] + $isMain('n'),
            'calls_column' => [
                'label' => $this->set->counted()->label(),
                'title' => $this->set->counted()->label() . ', ' . MeanReport::KINDS[$this->kind][1],
            ] + $isMain('ct'),
            'lead' => self::side(preg_replace('/^cv_/', '', $this->order->by) === $this->metric ? $this->metric : 'excl_'),
            'groups' => array_map(fn (string $column): array => [
                'side' => self::side($column),
                'label' => ShownMetric::of($column)->exclusive ? 'Self' : 'Total',
                'figure' => ['label' => MeanReport::KINDS[$this->kind][1], 'title' => ShownMetric::of($column)->fullLabel()]
                    + $isMain($column),
                'variation' => [
                    'label' => '± %',
                    'title' => ShownMetric::of($column)->fullLabel() . ': standard deviation in percent of the mean',
                ] + $isMain("cv_$column"),
            ], $this->columns()),
            'kinds' => array_map(fn (string $kind): array => [
                'label' => MeanReport::KINDS[$kind][1],
                'url' => $link(['agg' => $kind === 'mean' ? null : $kind]),
                'current' => $kind === $this->kind,
            ], Distribution::KINDS),
            'metrics' => MetricTabs::links($this->statistics->metrics(), $this->metric, $this->order->by, $link),
            'agg' => $this->kind,
            'query' => $this->query,
            'hidden' => ['q' => null, 'all' => $this->pages->all ? '1' : null] + $state,
            'clear_url' => $link(['q' => null]),
            'functions' => count($this->statistics->functions()),
            'runs' => $this->statistics->count(),
        ] + $this->pages->variables($state);
    }

    /** @return array<string, string|int|bool|null> parameters that name this table, but for the number of its page */
    private function state(): array
    {
        return $this->set->parameters() + [
            'metric' => $this->metric,
            'agg' => $this->kind === 'mean' ? null : $this->kind,
            'sort' => $this->order->by,
            'dir' => $this->order->dir($this->isByName()),
            'all' => $this->pages->all,
            'q' => $this->query,
        ];
    }

    /** @return list<string> */
    private function columns(): array
    {
        return $this->statistics->metrics() === [] ? ['ct'] : ["excl_$this->metric", $this->metric];
    }

    /** @return list<array<string, mixed>> */
    private function lines(): array
    {
        $lines = [];
        foreach ($this->pages->slice($this->names) as $name) {
            $cells = [$this->value($name, 'ct')];
            foreach ($this->columns() as $column) {
                array_push($cells, $this->value($name, $column), $this->variation($name, $column), [
                    'kind' => 'strip',
                    'strip' => Sparkline::draw($this->statistics->values($name, $column), ShownMetric::of($column)),
                ]);
            }
            $lines[] = [
                'name' => $name,
                'url' => Url::index($this->set->parameters() + ['sort' => ShownMetric::of($this->order->by)->base]
                    + Url::symbolParameter($name)),
                'n' => $this->statistics->runsWith($name),
                'cells' => $cells,
            ];
        }

        return $lines;
    }

    /** @return string class of the column's cells */
    private static function side(string $column): string
    {
        return ShownMetric::of($column)->exclusive ? 'excl' : 'incl';
    }

    /** @return array<string, mixed> */
    private function value(string $name, string $column): array
    {
        $metric = ShownMetric::of($column);
        $distribution = $this->statistics->distribution($name, $column);
        // Shares of a deviation mean nothing.
        $total = $this->kind === 'sd' ? 0 : $this->statistics->total($metric->base)->statistic($this->kind);
        $isMain = $column === $this->order->by;

        return ['kind' => 'figure', 'side' => self::side($column), 'exact' => self::exact($distribution, $metric)]
            + Cells::value($distribution->statistic($this->kind), $metric, $total, true, $isMain);
    }

    /** @return array<string, mixed> */
    private function variation(string $name, string $column): array
    {
        $variation = $this->statistics->distribution($name, $column)->variation();

        return [
            'kind' => 'variation',
            'side' => self::side($column),
            'text' => $variation === null ? '' : Units::percent($variation, 1),
            'main' => "cv_$column" === $this->order->by,
        ];
    }

    /** The value and its spread in words, for a tooltip. */
    public static function exact(Distribution $distribution, ShownMetric $metric): string
    {
        $text = [];
        foreach (MeanReport::statistics($distribution) as $kind => $value) {
            $text[] = "$kind " . Cells::exact($value, $metric);
        }

        return $metric->fullLabel() . ': ' . implode(', ', $text);
    }
}
