<?php

declare(strict_types=1);

namespace XHProf\Paths\Web;

use XHProf\Functions\CountKind;
use XHProf\Functions\MetricList;
use XHProf\Profile\Metrics;
use XHProf\Profile\TimePart;
use XHProf\Run\Run;
use XHProf\Run\RunTimes;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunFindings;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;

/**
 * The views of a run's call paths, drawn by the scripts from api.php?get=columns:
 *
 * - view=flame: the flame graph (assets/js/flame/), and view=calltree: a table whose rows open (assets/js/calltree/). Without
 *   JavaScript both have the heaviest paths as text. Parameters: metric; paths=1 writes the text of a large tree, or of a mean, as
 *   well.
 * - view=sandwich: a function (sel, or sel_hash) between its callers and its callees by path (assets/js/pages/sandwich.js); without
 *   JavaScript a link to the functions, whose own pages have their callers and callees.
 *
 * Parameters: run, source, wts, corrected. The scripts' own are in the README of the pages.
 */
final class PathsPage extends StorePage
{
    /** Values of `view`. */
    private const VIEWS = ['flame', 'calltree', 'sandwich'];

    public function respond(Request $request): Response
    {
        $view = $request->text('view');
        $view = in_array($view, self::VIEWS, true) ? $view : 'flame';
        $set = $this->runs->named($request);
        $top = RunHeader::top($this->runs, $set, $request, $view);
        if (!$set->run->has(Run::TREE)) {
            return $this->view->page('no_tree.html.twig', $top, 404);
        }
        $own = $view === 'sandwich' ? self::selected($set, $request) : PathsText::variables($set, $request, $view);

        $lit = $view === 'flame' ? RunFindings::lit($set, $request, $view) : null;

        return $this->view->page("$view.html.twig", $top + $own + ['island' => self::island($set), 'lit' => $lit]);
    }

    /** @return array<string, ?string> the function of a sandwich */
    private static function selected(ShownRun $set, Request $request): array
    {
        $selected = $request->text('sel');
        $hash = $request->text('sel_hash');
        $function = $selected === '' ? ['symbol_hash' => $hash] : Url::symbolParameter($selected);

        return [
            'symbol' => $selected,
            'symbol_url' => $selected . $hash === '' ? null : Url::index($set->parameters() + $function),
        ];
    }

    /**
     * Where the scripts of this run's views get their data.
     *
     * @return array{tree: string, symbol: string, sandwich: string, function: string, merged: bool, kinds: string|null,
     *     metrics: list<array{k: string, label: string}>} metrics: those known before the tree is there; kinds: null for a run
     *     that has not what is split
     */
    public static function island(ShownRun $set): array
    {
        return [
            'tree' => Url::api('columns', ['corrected' => null] + $set->parameters()),
            // As in the flame graph, where a recursive function is one.
            'symbol' => Url::api('symbol', ['levels' => null] + $set->parameters()),
            'sandwich' => Url::index($set->parameters() + ['view' => 'sandwich']),
            'function' => Url::index($set->parameters()),
            'kinds' => self::kinds($set),
            'merged' => $set->run->meta()->window !== null,
            'metrics' => self::withParts(self::metrics($set->run->knownMetrics() ?? [], $set->counted()), $set->run),
        ];
    }

    /**
     * Adds the parts of the time where it is known, before the run is read, which ones there are.
     *
     * @param list<array{k: string, label: string}> $metrics
     *
     * @return list<array{k: string, label: string}> parts stand behind the times
     */
    private static function withParts(array $metrics, Run $run): array
    {
        $recorded = $run->knownMetrics() ?? [];
        $isUnsure = array_filter($run->metas(), RunTimes::leavesOutBuiltIns(...)) !== [];
        if ($isUnsure || !in_array('wt', $recorded, true) || Metrics::ofCpu($recorded) === []) {
            return $metrics;
        }
        $times = count(array_filter($metrics, static fn (array $one): bool => Metrics::of($one['k'])->isTime()));
        array_splice($metrics, $times, 0, RunTimes::metricsOf(true, TimePart::NotRunning));

        return array_map(static fn (array $one): array => ['k' => $one['k'], 'label' => $one['label']], $metrics);
    }

    /**
     * The address of what splits the time of the run; null where it has not what is split, as far as that is known.
     *
     * @param bool $ofWhole whether that is the whole run, also where a range of time is chosen
     */
    public static function kinds(ShownRun $set, bool $ofWhole = false): ?string
    {
        $run = $ofWhole ? $set->whole() : $set->run;
        $metrics = $run->knownMetrics();
        $isSampled = $run->meta()->recording->samples !== null;
        $lacks = $metrics !== null && (!in_array('wt', $metrics, true) || (Metrics::ofCpu($metrics) === [] && !$isSampled));

        $left = ['corrected' => null, 'levels' => null] + ($ofWhole ? ['x0' => null, 'x1' => null] : []);

        return $lacks ? null : Url::api('kinds', $left + $set->parameters());
    }

    /**
     * What a picture of call paths can show, while its data are on their way.
     *
     * @param list<string> $recorded metrics of the profile; none where they are not known
     * @return list<array{k: string, label: string}>
     */
    public static function metrics(array $recorded, CountKind $counted): array
    {
        $shown = array_filter(
            MetricList::ofTree($counted),
            static fn (array $one): bool => $recorded !== [] && in_array($one['k'], [...$recorded, 'ct'], true),
        );

        return array_map(static fn (array $one): array => ['k' => $one['k'], 'label' => $one['label']], array_values($shown));
    }
}
