<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\Statistics;
use XHProf\Format\Units;
use XHProf\Run\RunId;
use XHProf\Stats\Distribution;
use XHProf\Stats\Outliers;
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
        private readonly Statistics $statistics,
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
            $values = $this->statistics->totalValues($metric->key);
            $all = $this->statistics->total($metric->key);
            $tiles[] = [
                'label' => $metric->label,
                'text' => Units::of($all->mean(), $metric->key),
                'exact' => self::exact($all, $metric),
                'spread' => $all->deviation() == 0 ? '' : Units::of($all->deviation(), $metric->key) . self::variation($all),
                'range' => $all->min() == $all->max()
                    ? 'the same in all'
                    : Units::of($all->min(), $metric->key) . ' to ' . Units::of($all->max(), $metric->key),
                'strip' => Sparkline::of($values, $metric, Outliers::positions($values)),
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
        $values = $outliers = $medians = [];
        foreach ($metrics as $metric) {
            $values[$metric->key] = $this->statistics->totalValues($metric->key);
            $outliers[$metric->key] = Outliers::positions($values[$metric->key]);
            $medians[$metric->key] = (new Distribution($values[$metric->key]))->quantile(0.5);
        }
        $rows = [];
        $odd = [];
        foreach ($this->set->ids as $i => $id) {
            $cells = [];
            foreach ($metrics as $metric) {
                $cells[] = Cells::value($values[$metric->key][$i] ?? null, $metric) + [
                    'away' => Units::growth($medians[$metric->key], $values[$metric->key][$i] ?? 0),
                    'outlier' => isset($outliers[$metric->key][$i]),
                ];
            }
            $isOdd = array_filter(array_column($cells, 'outlier')) !== [];
            $odd[$i] = $isOdd;
            $rows[] = [
                'id' => $id->id,
                'time' => TimeLabel::of($this->runs->time($id)),
                'url' => Url::index(Url::runParameters($id)),
                'weight' => $this->set->weights[$i] ?? null,
                'outlier' => $isOdd,
                'without_url' => $this->urlWithout([$i => true]),
                'cells' => $cells,
            ];
        }
        $odd = array_filter($odd);

        return [
            'head' => array_map(static fn (ShownMetric $metric): string => $metric->label, $metrics),
            'rows' => $rows,
            'without_url' => count($odd) > 0 ? $this->urlWithout($odd) : null,
        ];
    }

    /** @return list<string> metrics with totals in the runs: samples count in their time */
    private function keys(): array
    {
        return [...$this->statistics->metrics(), ...($this->set->counted()->isCalls() ? ['ct'] : [])];
    }

    /** The value and its spread in words, for a tooltip. */
    public static function exact(Distribution $distribution, ShownMetric $metric): string
    {
        $text = [];
        foreach (Distribution::KINDS as $kind) {
            $text[] = "$kind " . Cells::exact($distribution->statistic($kind), $metric);
        }

        return $metric->fullLabel() . ': ' . implode(', ', $text);
    }

    /** " (4.2 %)": the coefficient of variation. */
    private static function variation(Distribution $distribution): string
    {
        $variation = $distribution->variation();

        return $variation === null ? '' : ' (' . Units::percent($variation, 1) . ')';
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
