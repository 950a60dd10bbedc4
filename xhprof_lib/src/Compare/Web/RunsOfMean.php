<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\MeanReport;
use XHProf\Format\Units;
use XHProf\Run\RunId;
use XHProf\Stats\Distribution;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\Sparkline;
use XHProf\Web\Table\TimeLabel;

/** The runs of a mean: the totals of each, outliers, and their spread. */
final class RunsOfMean
{
    /** Metrics in the list, if the runs have them. */
    private const COLUMNS = ['wt', 'cpu', 'mu', 'pmu', 'ct'];

    public function __construct(
        private readonly Runs $runs,
        private readonly ShownRun $set,
        private readonly MeanReport $report,
    ) {
    }

    /**
     * Totals of all runs: one tile per metric.
     *
     * @return list<array<string, mixed>>
     */
    public function tiles(): array
    {
        $tiles = [];
        foreach (ShownMetric::list($this->keys()) as $metric) {
            $values = $this->report->statistics->totalValues($metric->key);
            $all = $this->report->statistics->total($metric->key);
            $variation = $all->variation();
            $tiles[] = [
                'label' => $metric->label,
                'text' => Units::of($all->mean(), $metric->key),
                'exact' => self::exact($all, $metric),
                'spread' => $all->deviation() == 0 ? '' : Units::of($all->deviation(), $metric->key)
                    . ($variation === null ? '' : ' (' . Units::percent($variation, 1) . ')'),
                'range' => $all->min() == $all->max()
                    ? 'the same in all'
                    : Units::of($all->min(), $metric->key) . ' to ' . Units::of($all->max(), $metric->key),
                'strip' => Sparkline::of($values, $metric, $this->report->outliers($metric->key)),
            ];
        }

        return $tiles;
    }

    /**
     * @return array{head: list<string>, rows: list<array<string, mixed>>, without_url: ?string}
     */
    public function table(): array
    {
        $metrics = ShownMetric::list(array_values(array_intersect(self::COLUMNS, $this->keys())));
        $cells = [];
        $odd = [];
        foreach ($metrics as $metric) {
            $values = $this->report->statistics->totalValues($metric->key);
            $outliers = $this->report->outliers($metric->key);
            $median = (new Distribution($values))->quantile(0.5);
            foreach ($values as $i => $value) {
                $cells[$i][] = Cells::value($value, $metric)
                    + ['away' => Units::growth($median, $value), 'outlier' => isset($outliers[$i])];
            }
            $odd += $outliers;
        }
        $rows = [];
        foreach ($this->set->ids as $i => $id) {
            $rows[] = [
                'id' => $id->id,
                'time' => TimeLabel::of($this->runs->time($id)),
                'url' => Url::index(Url::runParameters($id)),
                'weight' => $this->set->weights[$i] ?? null,
                'outlier' => isset($odd[$i]),
                'without_url' => $this->urlWithout([$i => true]),
                'cells' => $cells[$i] ?? [],
            ];
        }

        return [
            'head' => array_map(static fn (ShownMetric $metric): string => $metric->label, $metrics),
            'rows' => $rows,
            'without_url' => $odd === [] ? null : $this->urlWithout($odd),
        ];
    }

    /** @return list<string> samples count in their time */
    private function keys(): array
    {
        return array_values(array_diff($this->report->metrics(), $this->set->counted()->isCalls() ? [] : ['ct']));
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

    /**
     * @param array<int, bool> $left runs to leave out
     * @return string|null null if fewer than two would stay
     */
    private function urlWithout(array $left): ?string
    {
        $ids = array_diff_key($this->set->ids, $left);
        if (count($ids) < 2) {
            return null;
        }
        $weights = array_diff_key($this->set->weights, $left);

        return Url::index(array_replace($this->set->parameters(), [
            'run' => implode(',', array_map(static fn (RunId $id): string => $id->id, $ids)),
            'wts' => array_sum($weights) > 0 ? implode(',', $weights) : null,
        ]));
    }
}
