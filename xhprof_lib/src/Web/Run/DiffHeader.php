<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Profile\Metrics;
use XHProf\Report\DiffReport;
use XHProf\Report\DiffSummary;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/** Head of each view of a comparison: its two sides, their totals, notes, and the tabs. */
final class DiffHeader
{
    /** Value of `view` => label of its tab, key that opens it. */
    private const VIEWS = [
        '' => ['Functions', 't'],
        'graph' => ['Call graph', 'g'],
        'flame' => ['Flame graph', 'f'],
    ];

    /**
     * @param string $current value of `view`
     * @param array<string, string|int|bool|null> $state further parameters that the page itself keeps when sides are swapped
     * @param DiffReport|null $report where the page has it already
     * @return array<string, mixed> for diff_top.html.twig
     */
    public static function top(
        DiffPair $pair,
        Request $request,
        string $current,
        array $state = [],
        ?DiffReport $report = null,
    ): array {
        $report ??= $pair->report();
        $metric = DiffFunctions::metric($request, $report->metrics());
        $shared = ViewState::of($request, $report->metrics());
        $tabs = [];
        foreach (self::VIEWS as $view => [$label, $key]) {
            $url = Url::index($pair->parameters() + ['view' => $view] + $shared);
            if ($view !== 'flame' || $pair->hasTrees || $current === 'flame') {
                $tabs[] = ['label' => $label, 'url' => $url, 'current' => $view === $current, 'key' => $key];
            }
        }

        return [
            'before' => self::side($pair->before),
            'after' => self::side($pair->after),
            'counted' => $pair->counted(),
            'sum' => self::sum($pair, $report, $metric, $shared),
            'notes' => $pair->notes(),
            'tabs' => $tabs,
            'names' => $pair->namesSwitch(['view' => $current] + $state + $shared),
            'diff_url' => Url::index($pair->parameters() + $shared),
            'csv_url' => Url::api('export', ['format' => 'csv'] + $pair->parameters()),
            'swap_url' => Url::index($pair->swapped()->parameters() + ['view' => $current] + $state + $shared),
        ];
    }

    /** @return array<string, mixed> */
    private static function side(RunSet $set): array
    {
        return RunHeader::of($set) + ['what' => $set->isAggregate() ? Runs::title($set->meta, $set->ids[0]) : ''];
    }

    /**
     * The sentence about the total change. Functions are links.
     *
     * @param array<string, ?string> $shared
     * @return array{tone: 'up'|'down'|'same', parts: list<array{text: string, url: ?string}>}|null null without a metric
     */
    private static function sum(DiffPair $pair, DiffReport $report, string $metric, array $shared): ?array
    {
        $totals = $report->totals();
        if (!isset($totals['delta'][$metric]) || $metric === 'ct') {
            return null;
        }
        $noise = $pair->noise($report);
        $parts = [];
        foreach (DiffSummary::of($report, $noise, $metric, Metrics::of($metric)->words()) as $part) {
            $url = Url::index($pair->parameters() + ['metric' => $metric] + Url::symbolParameter($part['text']) + $shared);
            $parts[] = ['text' => $part['text'], 'url' => $part['symbol'] ? $url : null];
        }

        return ['tone' => ['down', 'same', 'up'][($totals['delta'][$metric] <=> 0) + 1], 'parts' => $parts];
    }
}
