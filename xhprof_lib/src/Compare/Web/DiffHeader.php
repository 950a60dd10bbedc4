<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\Verdict;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\Subject;
use XHProf\Web\Run\ViewState;

/** Head of each view of a comparison: its two sides, their totals, notes, and the tabs. */
final class DiffHeader
{
    /**
     * @param string $current value of `view`
     * @param array<string, string|int|bool|null> $state further parameters that the page itself keeps when sides are swapped
     * @return array<string, mixed> for diff_top.html.twig
     */
    public static function top(DiffPair $pair, Request $request, string $current, array $state = []): array
    {
        $report = $pair->report();
        $metric = DiffFunctions::metric($request, $report->metrics());
        $shared = ViewState::of($request, $report->metrics());
        return [
            'before' => self::side($pair->before),
            'after' => self::side($pair->after),
            'counted' => $pair->counted(),
            'side_words' => $pair->sides(),
            'verdict' => self::verdict($pair, $metric, $shared),
            'notes' => $pair->notes(),
            'tabs' => $pair->addresses->tabs(
                Subject::Comparison,
                $pair->parameters(),
                $shared,
                $current,
                $pair->before,
                $pair->after,
            ),
            'names' => $pair->namesSwitch(['view' => $current] + $state + $shared),
            'diff_url' => Url::index($pair->parameters() + $shared),
            'csv_url' => Url::api('export', ['format' => 'csv'] + $pair->parameters()),
            'swap_url' => Url::index($pair->swapped()->parameters() + ['view' => $current] + $state + $shared),
        ];
    }

    /** @return array<string, mixed> */
    private static function side(ShownRun $set): array
    {
        $meta = $set->run->meta();
        // The command or URL of the first run.
        $first = $meta->titleOr($set->ids[0]->id);

        return RunHeader::of($set) + ['what' => $set->isMean() ? $first : ''];
    }

    /**
     * What changed, in sentences. Functions are links.
     *
     * @param array<string, ?string> $shared
     * @return list<array{tone: 'up'|'down'|'same', parts: list<array{text: string, url: ?string}>}>
     */
    private static function verdict(DiffPair $pair, string $metric, array $shared): array
    {
        if (!isset($pair->report()->totals()['delta'][$metric])) {
            return [];
        }
        $link = static fn (string $symbol): string
            => Url::index($pair->parameters() + ['metric' => $metric] + Url::symbolParameter($symbol) + $shared);

        return array_map(static fn (array $sentence): array => [
            'tone' => $sentence['tone'],
            'parts' => array_map(static fn (array $part): array => [
                'text' => $part['text'],
                'url' => $part['symbol'] ? $link($part['text']) : null,
            ], $sentence['parts']),
        ], Verdict::of($pair->report(), $pair->noise(), $metric, $pair->counted()->isCalls()));
    }
}
