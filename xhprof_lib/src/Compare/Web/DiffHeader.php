<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\ViewState;

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
     * @return array<string, mixed> for diff_top.html.twig
     */
    public static function top(DiffPair $pair, Request $request, string $current, array $state = []): array
    {
        $metrics = $pair->report->metrics();
        $metric = DiffTable::metric($request, $metrics);
        $shared = ViewState::of($request, $metrics);
        $tabs = [];
        foreach (self::VIEWS as $view => [$label, $key]) {
            $url = Url::index($pair->parameters() + ['view' => $view] + $shared);
            if ($view !== 'flame' || $pair->hasTrees() || $current === 'flame') {
                $tabs[] = ['label' => $label, 'url' => $url, 'current' => $view === $current, 'key' => $key];
            }
        }

        return [
            'before' => self::side($pair->before),
            'after' => self::side($pair->after),
            'counted' => $pair->counted(),
            'side_words' => $pair->sides(),
            'verdict' => self::verdict($pair, $metric, $shared),
            'notes' => array_map(static fn (string $note): string => "$note.", $pair->report->notes()),
            'tabs' => $tabs,
            'names' => $pair->namesSwitch(['view' => $current] + $state + $shared),
            'diff_url' => Url::index($pair->parameters() + $shared),
            'csv_url' => Url::api('export', ['format' => 'csv'] + $pair->parameters()),
            'swap_url' => Url::index($pair->parameters(isSwapped: true) + ['view' => $current] + $state + $shared),
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
        $link = static fn (string $symbol): string
            => Url::index($pair->parameters() + ['metric' => $metric] + Url::symbolParameter($symbol) + $shared);

        return array_map(static fn (array $sentence): array => [
            'tone' => $sentence['tone'],
            'parts' => array_map(static fn (array $part): array => [
                'text' => $part['text'],
                'url' => $part['symbol'] ? $link($part['text']) : null,
            ], $sentence['parts']),
        ], $pair->report->verdict($metric));
    }
}
