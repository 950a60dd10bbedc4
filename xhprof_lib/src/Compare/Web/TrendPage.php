<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Format\JsonText;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Profile\Metrics;
use XHProf\Run\RunRecording;
use XHProf\Stats\Distribution;
use XHProf\Stats\Outliers;
use XHProf\Store\RunEntry;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\Runs;
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
 *
 * @phpstan-type Point array{id: string, source: string, time: float, value: int|float|null, url: string, title: string,
 *     outlier: bool}
 */
final class TrendPage extends StorePage
{
    /** Metrics of whole runs that the index has. */
    private const METRICS = ['wt', 'cpu', 'mu', 'pmu', 'ct'];

    /** Most runs on each side of a comparison. */
    private const MAX_OF_A_SIDE = 50;

    /** Requests of a window that is compared with others: this many, and this part of the median. */
    private const FEWEST = 2;
    private const VOLUME = 0.1;

    /** Characters of a revision's mark in the chart. */
    private const LONGEST_MARK = 24;

    public function respond(Request $request): Response
    {
        $trend = new TrendRuns($this->runs, $request);
        $symbol = $request->text('symbol');
        $entries = $trend->entries();
        $own = $symbol !== '' && $request->flag('own');
        $windows = $trend->isOfWindows() ? $trend->windows($entries) : [];
        $read = match (true) {
            $trend->isOfWindows() => array_map(static fn (array $window): ?array => $window['values'], $windows),
            $symbol === '' => $this->runTotals($entries),
            default => $trend->functionValues($entries, $symbol),
        };
        $left = count($entries) - count($read);
        $entries = array_values(array_intersect_key($entries, $read));
        ksort($read);
        ksort($windows);
        $figures = array_values($read);
        $isSampled = array_filter($entries, static fn (RunEntry $run): bool => $run->meta->recording->samples !== null) !== [];
        $metrics = self::metrics($figures, !$trend->isOfWindows() && !$isSampled);
        $key = in_array($request->text('metric'), $metrics, true) ? $request->text('metric') : ($metrics[0] ?? 'wt');
        $metric = $own && $key !== 'ct' ? ShownMetric::of("excl_$key") : ShownMetric::of($key);
        $values = array_map(static fn (?array $row): int|float|null => $row[$metric->key] ?? null, $figures);
        $points = $this->points($entries, $values);
        $state = $trend->parameters() + Url::symbolParameter($symbol) + ['metric' => $key, 'own' => $own ? '1' : null];
        $noun = $trend->start === RunRecording::WINDOW ? 'window' : 'run';

        return $this->view->page('trend.html.twig', [
            'title' => $this->title($trend, $entries),
            'symbol' => $symbol,
            'no_figure' => $trend->isOfWindows() ? 'no requests' : 'not called',
            'noun' => $noun,
            'source' => $trend->source,
            'points' => $points,
            'rows' => $this->rows($points, $metric),
            'strip' => self::strip($points, $metric),
            'map' => LatencyMap::of($entries, array_column($windows, 'figures')),
            'chart_data' => $this->chartData($points, $metric, $entries),
            'has_uplot' => $this->view->hasAsset('vendor/uplot/uplot.js'),
            'sum' => self::sum($points, self::requests($entries, $figures), $metric, $noun),
            'metric' => $metric,
            'metrics' => array_map(static fn (ShownMetric $one): array => [
                'label' => $one->label,
                'url' => Url::index(['metric' => $one->key] + $state),
                'current' => $one->key === $key,
            ], ShownMetric::list($metrics)),
            'sides' => $symbol === '' || $key === 'ct' || $trend->isOfWindows() ? [] : [
                ['label' => 'Total', 'url' => Url::index(['own' => null] + $state), 'current' => !$own],
                ['label' => 'Self', 'url' => Url::index(['own' => '1'] + $state), 'current' => $own],
            ],
            'left' => $left,
            'most' => $trend->most,
            'is_full' => count($entries) + $left >= $trend->most,
            'more_url' => $trend->most < TrendRuns::MAX_RUNS ? Url::index(['n' => TrendRuns::MAX_RUNS] + $state) : null,
            'whole_url' => Url::index($trend->parameters()),
            'halves_url' => $this->split($points, intdiv(count($points), 2)),
            'mean_url' => $this->mean($entries),
        ]);
    }

    /**
     * @param list<RunEntry> $entries
     * @return list<array<string, int>>
     */
    private function runTotals(array $entries): array
    {
        return array_map(static function (RunEntry $run): array {
            $values = [];
            foreach (self::METRICS as $metric) {
                $value = $run->value($metric);
                if (is_int($value)) {
                    $values[$metric === 'pmu' ? Metrics::PROCESS_PEAK : $metric] = $value;
                }
            }

            return $values;
        }, $entries);
    }

    /**
     * @param list<array<string, int|float>|null> $values
     * @param bool $calls whether the runs count calls
     * @return list<string> metrics that any run has
     */
    private static function metrics(array $values, bool $calls): array
    {
        $metrics = [];
        foreach ($values as $row) {
            foreach ($row ?? [] as $key => $_) {
                if (!str_starts_with($key, 'excl_')) {
                    $metrics[$key] = $key;
                }
            }
        }
        unset($metrics['ct']);
        // Older windows have fewer: the order is that of all metrics.
        $ordered = array_keys(array_intersect_key(Metrics::all(), $metrics) + $metrics);

        return [...$ordered, ...($calls ? ['ct'] : [])];
    }

    /**
     * @param list<RunEntry> $entries
     * @param list<int|float|null> $values
     * @return list<Point>
     */
    private function points(array $entries, array $values): array
    {
        $known = array_filter($values, static fn (int|float|null $value): bool => $value !== null);
        $outliers = array_intersect_key(array_keys($known), Outliers::positions(array_values($known)));
        $points = [];
        foreach ($entries as $i => $run) {
            $points[] = [
                'id' => $run->id->id,
                'source' => $run->id->source,
                'time' => $run->time,
                'value' => $values[$i],
                'url' => Url::index(Url::runParameters($run->id)),
                'title' => $run->title,
                'outlier' => in_array($i, $outliers, true),
            ];
        }

        return $points;
    }

    /**
     * @param list<Point> $points
     * @return list<array<string, mixed>> newest first
     */
    private function rows(array $points, ShownMetric $metric): array
    {
        $values = array_values(array_filter(array_column($points, 'value'), static fn (mixed $v): bool => $v !== null));
        $median = $values === [] ? 0 : (new Distribution($values))->quantile(0.5);
        $largest = $values === [] ? 0 : max(0, ...$values);
        $rows = [];
        foreach ($points as $i => $point) {
            $rows[] = [
                'moment' => TimeLabel::of($point['time']),
                'pick' => "{$point['id']}.{$point['source']}",
                // One colour for all: the bar's length suffices.
                'cell' => ['share' => '', 'heat' => 1] + Cells::value($point['value'], $metric, $largest, true),
                'away' => $point['value'] === null ? '' : Units::growth($median, $point['value']),
                'split_url' => $i === 0 ? null : $this->split($points, $i),
            ] + $point;
        }

        return array_reverse($rows);
    }

    /**
     * The values as bars, for browsers without the chart.
     *
     * @param list<Point> $points
     * @return array<string, mixed>|null null if there is nothing to draw
     */
    private static function strip(array $points, ShownMetric $metric): ?array
    {
        $values = [];
        $outliers = [];
        foreach ($points as ['value' => $value, 'outlier' => $isOutlier]) {
            if ($value !== null) {
                $outliers += $isOutlier ? [count($values) => true] : [];
                $values[] = $value;
            }
        }

        return $values === [] ? null : Sparkline::of($values, $metric, $outliers);
    }

    /**
     * Requests behind each value.
     *
     * @param list<RunEntry> $entries
     * @param list<array<string, int|float>|null> $figures
     * @return list<int|float|null> null of single runs
     */
    private static function requests(array $entries, array $figures): array
    {
        return array_map(
            static fn (RunEntry $run, ?array $row): int|float|null => $row[Metrics::REQUESTS] ?? $run->meta->window?->requests,
            $entries,
            $figures,
        );
    }

    /**
     * One sentence: the median, and the newest run compared with it. A window of a few requests says nothing beside full ones.
     *
     * @param list<array{value: int|float|null}> $points
     * @param list<int|float|null> $requests
     */
    private static function sum(array $points, array $requests, ShownMetric $metric, string $noun): string
    {
        $known = array_filter(array_column($points, 'value'), static fn (mixed $v): bool => $v !== null);
        if ($known === []) {
            return '';
        }
        $values = array_values($known);
        $all = new Distribution($values);
        $median = $all->quantile(0.5);
        $variation = $all->variation();
        $start = sprintf(
            '%s: median %s of %d %s%s; ',
            $metric->fullLabel(),
            Units::of($median, $metric->key),
            count($values),
            count($values) === 1 ? $noun : $noun . 's',
            $variation === null ? '' : ' (± ' . Units::percent($variation, 1) . ')',
        );
        $counts = array_values(array_filter(array_intersect_key($requests, $known), static fn (mixed $n): bool => $n !== null));
        $least = $counts === [] ? 0 : max(self::FEWEST, self::VOLUME * (new Distribution($counts))->quantile(0.5));
        $full = array_filter($known, static fn (int $i): bool => ($requests[$i] ?? $least) >= $least, ARRAY_FILTER_USE_KEY);
        if ($full === []) {
            return $start . 'no window has enough requests to be compared.';
        }
        $last = $full[array_key_last($full)];
        $growth = Units::growth($median, $last);
        $isNewest = array_key_last($full) === array_key_last($known);

        return $start . sprintf(
            '%s %s%s.',
            $isNewest ? 'latest' : 'latest with ' . Units::count((int) ceil($least)) . ' requests or more',
            Units::of($last, $metric->key),
            $growth === '' ? '' : ", $growth",
        );
    }

    /**
     * Data for the scripts' chart.
     *
     * @param list<Point> $points
     * @param list<RunEntry> $entries
     */
    private function chartData(array $points, ShownMetric $metric, array $entries): string
    {
        $sources = array_values(array_unique(array_column($points, 'source')));

        return JsonText::encode([
            'label' => $metric->fullLabel(),
            'unit' => $metric->unit,
            'source' => count($sources) === 1 ? $sources[0] : null,
            'most' => self::MAX_OF_A_SIDE,
            'ids' => array_column($points, 'id'),
            'urls' => array_column($points, 'url'),
            'offset' => (int) date('Z'),
            't' => array_map(static fn (array $point): float => round($point['time'], 3), $points),
            'v' => array_column($points, 'value'),
            'git' => array_map(
                static fn (RunEntry $run): string => VisibleName::text($run->meta->origin->revision(), self::LONGEST_MARK),
                $entries,
            ),
            'marks' => self::marks($entries),
        ], JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /**
     * Runs before which something was deployed: those of another release or revision, or with other tags than the run before.
     *
     * @param list<RunEntry> $entries oldest first
     * @return list<array{at: int, text: string}> their positions
     */
    private static function marks(array $entries): array
    {
        $marks = [];
        $before = null;
        foreach ($entries as $at => $run) {
            $now = [$run->meta->origin->revision(), implode(', ', $run->label->tags)];
            $changed = array_filter($now, static fn (string $text, int $i): bool
                => $before !== null && $text !== '' && $text !== $before[$i], ARRAY_FILTER_USE_BOTH);
            if ($changed !== []) {
                $marks[] = ['at' => $at, 'text' => VisibleName::text(implode(' ', $changed), self::LONGEST_MARK)];
            }
            $before = $now;
        }

        return $marks;
    }

    /**
     * @param list<RunEntry> $entries
     */
    private function title(TrendRuns $trend, array $entries): string
    {
        return match (true) {
            $trend->route !== '' => $trend->route,
            $trend->url !== '' => $trend->url,
            $trend->parameters()['runs'] !== '' => count($entries) . ' runs',
            $trend->start === RunRecording::WINDOW => 'All requests' . ($trend->source === '' ? '' : " in $trend->source"),
            $trend->source !== '' => 'All runs of ' . $trend->source,
            default => 'All runs',
        };
    }

    /**
     * @param list<array{id: string, source: string, ...}> $points
     * @param int $at position of the first run of the second side
     * @return string|null null if a side would be empty, or of several sources
     */
    private function split(array $points, int $at): ?string
    {
        $before = array_slice($points, max(0, $at - self::MAX_OF_A_SIDE), min($at, self::MAX_OF_A_SIDE));
        $after = array_slice($points, $at, self::MAX_OF_A_SIDE);
        $sources = array_unique(array_column([...$before, ...$after], 'source'));

        return $before === [] || $after === [] || count($sources) !== 1 ? null : Url::index([
            'run1' => implode(',', array_column($before, 'id')),
            'run2' => implode(',', array_column($after, 'id')),
            'source' => $sources[0],
        ]);
    }

    /**
     * @param list<RunEntry> $entries
     */
    private function mean(array $entries): ?string
    {
        $newest = array_slice($entries, -2 * self::MAX_OF_A_SIDE);
        $sources = array_unique(array_map(static fn (RunEntry $run): string => $run->id->source, $newest));

        return count($newest) < 2 || count($sources) !== 1 ? null : Url::index([
            'run' => implode(',', array_map(static fn (RunEntry $run): string => $run->id->id, $newest)),
            'source' => $sources[0],
        ]);
    }
}
