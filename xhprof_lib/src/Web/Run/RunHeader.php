<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\RunNotFound;
use XHProf\Format\Units;
use XHProf\Functions\Recursion;
use XHProf\Functions\RunHead;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Report\TimeBar;
use XHProf\Run\OriginText;
use XHProf\Run\RunId;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TimeLabel;

/** Head of a run's pages: its name, its totals, its origin, and notes. */
final class RunHeader
{
    /** Call paths whose figures are added up for the head of any view. */
    private const FEW = 50_000;

    /** Figures that stand above a run's functions, in their order. */
    private const TILES = [
        'wt' => 0, 'corrected_wt' => 0, 'cpu' => 0, 'corrected_cpu' => 0, 'pmu' => 0, Metrics::PROCESS_PEAK => 0, 'ct' => 0,
    ];

    /**
     * @return array{title: string, url: string, id: string, source: string, is_mean: bool, corrected: bool, trend_url: ?string,
     *     time: ?array<string, string>, parts: list<array{label: string, url: string}>,
     *     facts: list<array{label: string, value: string}>, warnings: list<string>}
     */
    public static function describe(ShownRun $set): array
    {
        $meta = $set->run->meta();

        return [
            'title' => $set->title(),
            'url' => Url::index($set->parameters()),
            'id' => $set->idText(),
            'source' => $set->source(),
            'is_mean' => $set->isMean(),
            'corrected' => $set->isCorrected(),
            'trend_url' => TrendRuns::urlOf($set),
            'time' => $set->isMean() ? null : TimeLabel::of($meta->ts),
            'parts' => self::parts($set),
            'facts' => $set->isMean() ? [] : RunInfo::facts($set->ungrouped()),
            'warnings' => self::warnings($set),
        ];
    }

    /**
     * The top of every view of a run: name, tabs, the field that finds functions.
     *
     * @param string $current value of `view`, '' for the functions, 'symbol' for one of them
     * @return array{run: array<string, mixed>, view_label: string, grouped: array{by: string, one: ?string, url: string}|null,
     *     origin: array<string, mixed>|null, callgraph_url: string,
     *     with_url: ?string, times: array<string, mixed>|null,
     *     share: array{html: string, source: ?string, markdown: string}, time_range: ?array<string, mixed>,
     *     find: ?array<string, mixed>, label: array<string, mixed>|null,
     *     tabs: list<array{label: string, url: string, current: bool, key: string, keep: string}>,
     *     missing: list<array{label: string, url: string, why: string}>}
     */
    public static function top(RunOpener $runs, ShownRun $set, Request $request, string $current): array
    {
        // All metrics while those of the profile are not known.
        $shared = ViewState::parameters($request, $set->run->knownMetrics() ?? array_keys(Metrics::all()));

        return [
            'run' => self::describe($set),
            'view_label' => $runs->pages->label(Subject::Run, $current),
            'counted' => $set->counted(),
            'origin' => $set->isMean() ? null : OriginHead::describe($runs, $set),
            // The page of functions has links of its own.
            'grouped' => $set->grouping === null || $current === '' ? null : [
                'by' => $set->grouping->by->noun(),
                'one' => $set->grouping->one,
                'url' => Url::index(RunGroups::NONE + $set->parameters() + ['view' => $current === 'symbol' ? '' : $current]),
            ],
            'callgraph_url' => Url::callgraph($set->parameters()),
            'with_url' => $set->isMean() ? null : Url::index(['with' => (string) $set->ids[0]]),
            'label' => $set->isMean() ? null : self::label($runs, $set->ids[0]),
            'times' => self::isQuick($set) && $set->run->times()->whole()?->isUnknown() === false ? self::times($set) : null,
            'share' => ShareLinks::of($set->parameters(), $request, !$set->isMean()),
            'time_range' => $current === 'timeline' ? null : $set->range?->describe($request),
            'tabs' => $runs->pages->tabs(Subject::Run, $set->parameters(), $shared, $current, $set),
            'missing' => $runs->pages->missing($set),
            // The table of several runs has its own filter.
            'find' => $set->isMean() && $current === '' ? null : [
                'query' => $request->typed('q'),
                'functions_url' => Url::api('functions', $set->parameters()),
                // On a function's page another function opens another page.
                'open_url' => $current === 'symbol' ? Url::index($set->parameters()) : null,
            ],
        ];
    }

    /** @return array<string, mixed>|null where the time was: see TimeBar::drawn(); null for a run without times */
    public static function times(ShownRun $set): ?array
    {
        return TimeBar::of($set->run->times()->whole())?->drawn();
    }

    /** Whether the figures of its functions are there, or soon are: a view of other things does not wait for them. */
    private static function isQuick(ShownRun $set): bool
    {
        return $set->run->knownProfile() !== null || (!$set->isMean() && $set->run->nodes() <= self::FEW);
    }

    /**
     * The user's label of a run.
     *
     * @return array{pinned: bool, tags: list<array{text: string, url: string}>, note: string, edit_url: string}|null null if
     *     the run was deleted meanwhile
     */
    private static function label(RunOpener $runs, RunId $id): ?array
    {
        try {
            $label = $runs->store->label($id);
        } catch (RunNotFound) {
            return null;
        }

        return [
            'pinned' => $label->pinned,
            'tags' => array_map(static fn (string $tag): array => [
                'text' => $tag,
                'url' => Url::index(['tag' => $tag]),
            ], $label->tags),
            'note' => $label->note,
            'edit_url' => Url::index(['view' => 'label'] + Url::runParameters($id) + ['to' => 'run']),
        ];
    }

    /**
     * The switch for corrected times, and their meaning.
     *
     * @param array<string, string|int|bool|null> $parameters of the page
     * @return array{shown: bool, url: string, meaning: string}|null null unless the run is known to have them
     */
    public static function corrected(ShownRun $set, array $parameters): ?array
    {
        $shown = $set->isCorrected();
        if (!$shown && ($set->run->meta()->recording->overhead === [] || $set->uncorrected() !== null)) {
            return null;
        }

        return [
            'shown' => $shown,
            'url' => Url::index(['corrected' => $shown ? null : '1'] + $parameters),
            'meaning' => 'Corrected times: ' . CorrectedTimes::MEANING . '.',
        ];
    }

    /**
     * The switch for levels of recursion.
     *
     * @param array<string, string|int|bool|null> $parameters of the page
     * @return array{shown: bool, url: string}|null null if no function of the run calls itself
     */
    public static function levels(ShownRun $set, array $parameters): ?array
    {
        return Recursion::in($set->run->profile())
            ? ['shown' => $set->levels, 'url' => Url::index(['levels' => $set->levels ? null : '1'] + $parameters)]
            : null;
    }

    /** @return list<array{label: string, text: string, exact: string}> */
    public static function summary(ShownRun $set): array
    {
        $head = new RunHead($set->run);
        $peak = $set->isMean() || $set->range !== null ? null : $set->run->meta()->totals->peakMemory;
        $figures = array_filter([Metrics::PROCESS_PEAK => $peak], is_int(...)) + $head->totals();
        $isSuspended = !$set->isMean() && $set->range === null && $set->run->meta()->totals->suspendedUs !== null;
        $whole = $isSuspended ? $set->run->meta()->totals->wholeUs() : null;
        $summary = $whole === null ? [] : [['label' => 'Begin to end'] + self::tile(ShownMetric::of('wt'), $whole)];
        foreach (array_intersect_key(array_replace(self::TILES, $figures), $figures) as $key => $value) {
            if (isset(self::TILES[$key])) {
                $label = match (true) {
                    $key === 'ct' => ucfirst($set->counted()->noun()),
                    $key === 'wt' && $isSuspended => ucfirst(OriginText::ownTime($set->run->meta())) . ' time',
                    default => ShownMetric::of($key)->label,
                };
                $summary[] = ['label' => $label] + self::tile(ShownMetric::of($key), $value);
            }
        }
        [$functions, $levels] = array_map(Units::count(...), $head->functions());
        $exact = $levels === $functions ? $functions : "$functions; $levels with each level of recursion (f@1) as one";

        return [...$summary, ['label' => 'Functions', 'text' => $functions, 'exact' => $exact]];
    }

    /** @return array{label: string, text: string, exact: string} */
    private static function tile(ShownMetric $metric, int|float $value): array
    {
        $text = Units::ofMetric($value, $metric->key);

        return ['label' => $metric->label, 'text' => $text, 'exact' => Cells::exact($value, $metric)];
    }

    /** @return list<array{label: string, url: string}> the runs a mean is made of */
    private static function parts(ShownRun $set): array
    {
        if (!$set->isMean()) {
            return [];
        }
        $parts = [];
        foreach ($set->ids as $index => $runId) {
            $weight = $set->weights === [] ? '' : ' × ' . $set->weights[$index];
            $parts[] = ['label' => $runId->id . $weight, 'url' => Url::index(Url::runParameters($runId))];
        }

        return $parts;
    }

    /** @return list<string> */
    private static function warnings(ShownRun $set): array
    {
        $warnings = [];
        if ($set->uncorrected() !== null) {
            $warnings[] = "Corrected times cannot be shown: {$set->uncorrected()}.";
        }
        $meta = $set->run->meta();
        if ($meta->recording->samples !== null) {
            $isTime = $meta->recording->sampling?->intervalBytes === null;
            $warnings[] = "Sampled every {$meta->recording->sampleDistance()}: " . ($isTime
                ? 'times are estimates, short functions may be missing.'
                : 'bytes are estimates, what allocates little may be missing, and times were not recorded.');
        }
        $folded = OriginText::folded($meta);
        if ($folded !== null) {
            $warnings[] = $folded;
        }

        return $warnings;
    }
}
