<?php

declare(strict_types=1);

namespace XHProf\Web;

/** What stands above each view of a comparison: its two sides, what to mind, and the tabs. */
final class DiffHeader
{
    /** Views of a comparison: value of `view` => label of the tab. */
    private const VIEWS = [
        '' => 'Functions',
    ];

    /** What every view keeps: the metric, the selected function and the search. */
    private const SHARED = ['metric', 'sel', 'sel_hash', 'q'];

    /**
     * @param string $current value of `view`
     * @param array<string, string|int|bool|null> $state further parameters that the page itself keeps, also when sides are swapped
     * @return array<string, mixed> for diff_top.html.twig
     */
    public static function top(DiffPair $pair, Request $request, string $current, array $state = []): array
    {
        $shared = array_combine(self::SHARED, array_map($request->text(...), self::SHARED));
        $tabs = [];
        foreach (self::VIEWS as $view => $label) {
            $url = Url::index($pair->parameters() + ['view' => $view] + $shared);
            $tabs[] = ['label' => $label, 'url' => $url, 'current' => $view === $current];
        }
        $own = ['view' => $current] + $state + $shared;

        return [
            'before' => RunHeader::of($pair->before),
            'after' => RunHeader::of($pair->after),
            'notes' => $pair->notes(),
            'tabs' => $tabs,
            'diff_url' => Url::index($pair->parameters() + array_intersect_key($state, ['sort' => 1, 'dir' => 1])),
            'swap_url' => Url::index($pair->swapped()->parameters() + $own),
        ];
    }
}
