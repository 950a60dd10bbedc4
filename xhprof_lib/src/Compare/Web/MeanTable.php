<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\MeanReport;
use XHProf\Compare\Statistics;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Stats\Distribution;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\MetricTabs;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\Sparkline;
use XHProf\Web\Templates;

/**
 * The functions of several runs: the mean, the median or another kind of average of one metric, with its spread.
 *
 * Parameters: agg (mean, median, p95, min, max, sd), metric, sort (fn, n, ct, a column of FlatReport, or one with "cv_" before
 * it), dir, all, page, q.
 *
 * @phpstan-import-type Kind from MeanReport
 * @phpstan-import-type Additions from ReportTable
 */
final class MeanTable
{
    /** Before a column: its values, run by run. */
    private const STRIP = 'strip_';

    /** Rows on a page of all. */
    private const PER_PAGE = 1000;

    private readonly string $metric;

    /** @var Kind */
    private readonly string $kind;

    private readonly Statistics $statistics;
    private readonly Order $order;
    private readonly string $query;
    private readonly bool $isAll;
    private readonly Paging $paging;

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
        foreach ($this->figures() as $column) {
            array_push($columns, $column, MeanReport::VARIATION . $column);
        }
        $this->order = ReportTable::order($request, $columns, $columns[3]);
        $this->query = $request->typed('q');
        $this->names = $report->names($this->order->by, $this->kind, $this->order->isDown($this->isByName()), $this->query);
        $this->isAll = $request->flag('all');
        $this->paging = ReportTable::paging($request, count($this->names), Templates::TOP, self::PER_PAGE);
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

        return [
            'table' => $this->table($link)->toArray(),
            'kinds' => array_map(fn (string $kind): array => [
                'label' => MeanReport::KINDS[$kind][1],
                'url' => $link(['agg' => $kind === 'mean' ? null : $kind]),
                'current' => $kind === $this->kind,
            ], Distribution::KINDS),
            'metrics' => MetricTabs::links($this->statistics->metrics(), $this->metric, $this->order->by, $link),
            'agg' => $this->kind,
            'query' => $this->query,
            'hidden' => ['q' => null] + $state,
            'clear_url' => $link(['q' => null]),
            'functions' => count($this->statistics->functions()),
        ];
    }

    /** @return array<string, string|int|bool|null> parameters that name this table, but for the number of its page */
    public function state(): array
    {
        return $this->set->parameters() + [
            'metric' => $this->metric,
            'agg' => $this->kind === 'mean' ? null : $this->kind,
            'sort' => $this->order->by,
            'dir' => $this->order->dir($this->isByName()),
            'all' => $this->isAll ? '1' : null,
            'q' => $this->query,
        ];
    }

    /** @return list<string> */
    private function figures(): array
    {
        return $this->statistics->metrics() === [] ? ['ct'] : ["excl_$this->metric", $this->metric];
    }

    /** @param \Closure(array<string, string|int|null>): string $url of this page */
    private function table(\Closure $url): ReportTable
    {
        $label = MeanReport::KINDS[$this->kind][1];
        $counted = $this->set->counted()->label();
        $columns = [
            Columns::name($this->set->noun()),
            Column::ofPage(MeanReport::BY_RUNS, Unit::Count, 'Runs', 'In how many of the runs it was called'),
            Column::ofPage('ct', Unit::Count, $counted, "$counted, $label"),
        ];
        $classes = ['n' => 'k-n', 'ct' => 'k-n'];
        $parts = ['ct' => ['', ShownMetric::of('ct')]];
        foreach ($this->figures() as $key) {
            $metric = ShownMetric::of($key);
            $above = new Heading($metric->exclusive ? 'Self' : 'Total');
            $spread = $metric->fullLabel() . ': standard deviation in percent of the mean';
            $columns[] = $metric->column(label: $label, above: $above);
            $columns[] = Column::ofPage(MeanReport::VARIATION . $key, Unit::Percent, '± %', $spread, above: $above);
            $columns[] = Column::ofPage(self::STRIP . $key, Unit::Count, 'Run by run', sort: null, above: $above);
            $parts[$key] = ['', $metric];
            $parts[MeanReport::VARIATION . $key] = ['cv', $metric];
            $parts[self::STRIP . $key] = ['strip', $metric];
            $side = self::side($key);
            $classes += [$key => $side, MeanReport::VARIATION . $key => "k-p $side", self::STRIP . $key => 'strip'];
        }
        $rows = [];
        foreach ($this->paging->slice($this->names) as $name) {
            $row = [Columns::BY_NAME => $name, MeanReport::BY_RUNS => $this->statistics->runsWith($name)];
            foreach (['ct', ...$this->figures()] as $key) {
                $row[$key] = $this->statistics->distribution($name, $key)->statistic($this->kind);
            }
            $rows[] = $row;
        }
        $caption = 'Functions of these runs: a statistic over the runs, their spread, and a bar per run';
        $lead = self::side(preg_replace('/^cv_/', '', $this->order->by) === $this->metric ? $this->metric : 'excl_');
        $kept = $this->set->parameters() + ['sort' => ShownMetric::of($this->order->by)->base];
        $all = $this->statistics->count();
        $table = new Table('functions', $columns, $rows, 'No function matches.', caption: $caption);

        return (new ReportTable(
            $table,
            fn (array $row, string $key): array => match ($key) {
                Columns::BY_NAME => ['url' => Url::index($kept + Url::symbolParameter($row[$key]))],
                MeanReport::BY_RUNS => $row[$key] < $all
                    ? ['text' => "$row[$key]/$all", 'title' => 'Counts as 0 in the others']
                    : [],
                default => $this->additions($row[Columns::BY_NAME], ...$parts[$key]),
            },
            class: "lead-$lead",
            classes: $classes,
            look: 'functions compare mean',
        ))->paged($this->paging, $this->isAll, $this->order, $table->orders(), $url);
    }

    /**
     * @param ''|'cv'|'strip' $kind
     * @return Additions
     */
    private function additions(string $name, string $kind, ShownMetric $metric): array
    {
        if ($kind === 'strip') {
            $strip = Sparkline::draw($this->statistics->values($name, $metric->key), $metric);

            return ['title' => '', 'template' => 'strip.html.twig', 'part' => ['strip' => $strip]];
        }
        $distribution = $this->statistics->distribution($name, $metric->key);
        if ($kind === 'cv') {
            $variation = $distribution->variation();

            return ['title' => '', 'text' => $variation === null ? '' : Units::percent($variation, 1)];
        }
        // Shares of a deviation mean nothing.
        $isShare = $this->kind !== 'sd' && $metric->unit !== 'count';

        return [
            'title' => self::exact($distribution, $metric),
            'bar' => $isShare ? $this->statistics->total($metric->base)->statistic($this->kind) : 0,
        ];
    }

    /** @return string class of the column's cells */
    private static function side(string $column): string
    {
        return ShownMetric::of($column)->exclusive ? 'excl' : 'incl';
    }

    /** The value and its spread in words, for a tooltip. */
    public static function exact(Distribution $distribution, ShownMetric $metric): string
    {
        $text = [];
        foreach (MeanReport::statistics($distribution) as $kind => $value) {
            $text[] = "$kind " . Unit::fromWord($metric->unit)->whole($value);
        }

        return $metric->fullLabel() . ': ' . implode(', ', $text);
    }
}
