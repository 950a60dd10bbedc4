<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\TrendReport;
use XHProf\Format\JsonText;
use XHProf\Format\VisibleName;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Store\RunEntry;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\TrendRuns;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\Sparkline;
use XHProf\Web\Table\TimeLabel;

/**
 * index.php?view=trend: the values of one URL or command, or of one function of it, run after run.
 *
 * Parameters: those of TrendRuns; symbol, metric, own=1 (the function's exclusive values).
 */
final class TrendPage extends StorePage
{
    /** Most runs on each side of a comparison. */
    private const MAX_OF_A_SIDE = 50;

    /** Characters of a revision's mark in the chart. */
    private const LONGEST_MARK = 24;

    public function respond(Request $request): Response
    {
        $trend = new TrendRuns($this->runs, $request);
        $symbol = $request->text('symbol');
        $entries = $trend->entries();
        $own = $symbol !== '' && $request->flag('own');
        $isOfWindows = $trend->isOfWindows();
        $windows = $isOfWindows ? $trend->windows($entries) : [];
        $read = match (true) {
            $isOfWindows => array_map(static fn (array $window): ?array => $window['values'], $windows),
            $symbol === '' => TrendReport::totals($entries),
            default => $trend->functionValues($entries, $symbol),
        };
        $left = count($entries) - count($read);
        $entries = array_values(array_intersect_key($entries, $read));
        ksort($read);
        ksort($windows);
        $report = new TrendReport($entries, array_values($read), $request->text('metric'), $own, !$isOfWindows);
        $metric = ShownMetric::of($report->column);
        $state = $trend->parameters() + Url::symbolParameter($symbol) + ['metric' => $report->metric, 'own' => $own ? '1' : null];
        $noun = $trend->start === RunRecording::WINDOW ? 'window' : 'run';
        $ids = array_column($entries, 'id');

        return $this->view->page('trend.html.twig', [
            'title' => $this->title($trend, count($entries)),
            'symbol' => $symbol,
            'no_figure' => $isOfWindows ? 'no requests' : 'not called',
            'noun' => $noun,
            'source' => $trend->source,
            'rows' => self::rows($report, $metric),
            'strip' => self::strip($report, $metric),
            'map' => LatencyMap::draw($entries, array_column($windows, 'figures')),
            'chart_data' => self::chartData($report, $metric),
            'has_uplot' => $this->view->hasAsset('vendor/uplot/uplot.js'),
            'sum' => $report->sum($metric->fullLabel(), $noun),
            'metric' => $metric,
            'metrics' => array_map(static fn (ShownMetric $one): array => [
                'label' => $one->label,
                'url' => Url::index(['metric' => $one->key] + $state),
                'current' => $one->key === $report->metric,
            ], ShownMetric::list($report->metrics)),
            'sides' => $symbol === '' || $report->metric === 'ct' || $isOfWindows ? [] : [
                ['label' => 'Total', 'url' => Url::index(['own' => null] + $state), 'current' => !$own],
                ['label' => 'Self', 'url' => Url::index(['own' => '1'] + $state), 'current' => $own],
            ],
            'left' => $left,
            'is_full' => count($entries) + $left >= $trend->most,
            'more_url' => $trend->most < TrendRuns::MAX_RUNS ? Url::index(['n' => TrendRuns::MAX_RUNS] + $state) : null,
            'whole_url' => Url::index($trend->parameters()),
            'halves_url' => self::split($ids, intdiv(count($ids), 2)),
            'mean_url' => count($ids) < 2 ? null : self::link(['run' => array_slice($ids, -2 * self::MAX_OF_A_SIDE)]),
        ]);
    }

    /** @return list<array<string, mixed>> newest first */
    private static function rows(TrendReport $report, ShownMetric $metric): array
    {
        $ids = array_column($report->runs, 'id');
        $largest = max([0, ...$report->values]);
        $rows = [];
        foreach ($report->runs as $i => $run) {
            $value = $report->values[$i] ?? null;
            $rows[] = [
                'moment' => TimeLabel::of($run->time),
                'url' => Url::index(Url::runParameters($run->id)),
                'value' => $value,
                // One colour for all: the bar's length suffices.
                'cell' => ['share' => '', 'heat' => 1] + Cells::value($value, $metric, $largest, true),
                'outlier' => isset($report->outliers[$i]),
                'away' => $report->away($i),
                'split_url' => $i === 0 ? null : self::split($ids, $i),
            ];
        }

        return array_reverse($rows);
    }

    /**
     * The values as bars, for browsers without the chart.
     *
     * @return array<string, mixed>|null null if there is nothing to draw
     */
    private static function strip(TrendReport $report, ShownMetric $metric): ?array
    {
        $values = array_values($report->values);
        $marked = array_intersect_key(array_flip(array_keys($report->values)), $report->outliers);

        return $values === [] ? null : Sparkline::draw($values, $metric, array_fill_keys($marked, true));
    }

    /** Data for the scripts' chart. */
    private static function chartData(TrendReport $report, ShownMetric $metric): string
    {
        $ids = array_column($report->runs, 'id');
        $sources = array_unique(array_column($ids, 'source'));
        $mark = static fn (string $text): string => VisibleName::text($text, self::LONGEST_MARK);

        return JsonText::encode([
            'label' => $metric->fullLabel(),
            'unit' => $metric->unit,
            'source' => count($sources) === 1 ? $sources[0] : null,
            'most' => self::MAX_OF_A_SIDE,
            'ids' => array_column($ids, 'id'),
            'urls' => array_map(static fn (RunId $id): string => Url::index(Url::runParameters($id)), $ids),
            'offset' => (int) date('Z'),
            't' => array_map(static fn (RunEntry $run): float => round($run->time, 3), $report->runs),
            'v' => array_map(static fn (int $i): int|float|null => $report->values[$i] ?? null, array_keys($ids)),
            'git' => array_map(static fn (RunEntry $run): string => $mark($run->meta->origin->revision()), $report->runs),
            'marks' => array_map(static fn (array $one): array
                => ['at' => $one['at'], 'text' => $mark($one['text'])], $report->marks()),
        ], JSON_INVALID_UTF8_SUBSTITUTE);
    }

    private function title(TrendRuns $trend, int $runs): string
    {
        return match (true) {
            $trend->route !== '' => $trend->route,
            $trend->url !== '' => $trend->url,
            $trend->parameters()['runs'] !== '' => "$runs runs",
            $trend->start === RunRecording::WINDOW => 'All requests' . ($trend->source === '' ? '' : " in $trend->source"),
            $trend->source !== '' => 'All runs of ' . $trend->source,
            default => 'All runs',
        };
    }

    /**
     * @param list<RunId> $ids
     * @param int $at position of the first run of the second side
     * @return string|null null if a side would be empty, or of several sources
     */
    private static function split(array $ids, int $at): ?string
    {
        $before = array_slice($ids, max(0, $at - self::MAX_OF_A_SIDE), min($at, self::MAX_OF_A_SIDE));
        $after = array_slice($ids, $at, self::MAX_OF_A_SIDE);

        return $before === [] || $after === [] ? null : self::link(['run1' => $before, 'run2' => $after]);
    }

    /**
     * @param array<string, list<RunId>> $runs parameter => its runs
     * @return string|null null if they are of several sources
     */
    private static function link(array $runs): ?string
    {
        $sources = array_unique(array_column(array_merge(...array_values($runs)), 'source'));
        $lists = array_map(static fn (array $ids): string => implode(',', array_column($ids, 'id')), $runs);

        return count($sources) === 1 ? Url::index($lists + ['source' => $sources[0]]) : null;
    }
}
