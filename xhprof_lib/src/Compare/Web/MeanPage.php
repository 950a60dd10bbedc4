<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\MeanReport;
use XHProf\Format\Units;
use XHProf\Functions\Web\RunPage;
use XHProf\Run\MeanRun;
use XHProf\Run\RunId;
use XHProf\Stats\Distribution;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunGroups;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\Sparkline;
use XHProf\Web\Table\TimeLabel;

/**
 * index.php?run=A,B,C: the mean of several runs, and their spread.
 *
 * Parameters: run, source, wts, corrected, levels; those of MeanTable.
 */
final class MeanPage extends StorePage
{
    /** Metrics in the list of runs, if the runs have them. */
    private const COLUMNS = ['wt', 'cpu', 'mu', 'pmu', 'ct'];

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        if (!$set->run instanceof MeanRun) {
            // The same run is named more than once.
            return (new RunPage($this->runs, $this->view))->respond($request);
        }
        $report = new MeanReport($set->run, $set->levels);
        $table = new MeanTable($request, $set, $report);

        return $this->view->page('mean.html.twig', [
            'tiles' => self::tiles($report),
            'list' => $this->list($set, $report),
            'where' => RunHeader::times($set),
            'corrected' => RunHeader::corrected($set, $set->parameters()),
            'levels' => $set->grouping === null ? RunHeader::levels($set, $set->parameters()) : null,
            'groups' => RunGroups::links($set->grouping, $request, $table->state()),
            'grouping' => RunGroups::describe($set),
            'noun' => $set->noun(),
        ] + RunHeader::top($this->runs, $set, $request, '') + $table->variables());
    }

    /**
     * Totals of all runs: one tile per metric.
     *
     * @return list<array<string, mixed>>
     */
    private static function tiles(MeanReport $report): array
    {
        $tiles = [];
        foreach (ShownMetric::list(self::keys($report)) as $metric) {
            $values = $report->statistics->totalValues($metric->key);
            $all = $report->statistics->total($metric->key);
            $variation = $all->variation();
            $tiles[] = [
                'label' => $metric->label,
                'text' => Units::ofMetric($all->mean(), $metric->key),
                'exact' => MeanTable::exact($all, $metric),
                'spread' => $all->deviation() == 0 ? '' : Units::ofMetric($all->deviation(), $metric->key)
                    . ($variation === null ? '' : ' (' . Units::percent($variation, 1) . ')'),
                'range' => $all->min() == $all->max()
                    ? 'the same in all'
                    : Units::ofMetric($all->min(), $metric->key) . ' to ' . Units::ofMetric($all->max(), $metric->key),
                'strip' => Sparkline::draw($values, $metric, $report->outliers($metric->key)),
            ];
        }

        return $tiles;
    }

    /**
     * Lists the runs of the mean, with the totals of each, and marks outliers.
     *
     * @return array{head: list<string>, rows: list<array<string, mixed>>, without_url: ?string}
     */
    private function list(ShownRun $set, MeanReport $report): array
    {
        $metrics = ShownMetric::list(array_values(array_intersect(self::COLUMNS, self::keys($report))));
        $cells = [];
        $odd = [];
        foreach ($metrics as $metric) {
            $values = $report->statistics->totalValues($metric->key);
            $outliers = $report->outliers($metric->key);
            $median = (new Distribution($values))->quantile(0.5);
            foreach ($values as $i => $value) {
                $cells[$i][] = Cells::value($value, $metric)
                    + ['away' => Units::growth($median, $value), 'outlier' => isset($outliers[$i])];
            }
            $odd += $outliers;
        }
        $rows = [];
        foreach ($set->ids as $i => $id) {
            $rows[] = [
                'id' => $id->id,
                'time' => TimeLabel::of($this->runs->time($id)),
                'url' => Url::index(Url::runParameters($id)),
                'weight' => $set->weights[$i] ?? null,
                'outlier' => isset($odd[$i]),
                'without_url' => self::urlWithout($set, [$i => true]),
                'cells' => $cells[$i] ?? [],
            ];
        }

        return [
            'head' => array_map(static fn (ShownMetric $metric): string => $metric->label, $metrics),
            'rows' => $rows,
            'without_url' => $odd === [] ? null : self::urlWithout($set, $odd),
        ];
    }

    /** @return list<string> samples count in their time */
    private static function keys(MeanReport $report): array
    {
        return array_values(array_diff($report->metrics(), $report->counted()->isCalls() ? [] : ['ct']));
    }

    /**
     * @param array<int, bool> $left runs to leave out
     * @return string|null null if fewer than two would stay
     */
    private static function urlWithout(ShownRun $set, array $left): ?string
    {
        $ids = array_diff_key($set->ids, $left);
        if (count($ids) < 2) {
            return null;
        }
        $weights = array_diff_key($set->weights, $left);

        return Url::index(array_replace($set->parameters(), [
            'run' => implode(',', array_map(static fn (RunId $id): string => $id->id, $ids)),
            'wts' => array_sum($weights) > 0 ? implode(',', $weights) : null,
        ]));
    }
}
