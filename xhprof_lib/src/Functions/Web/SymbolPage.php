<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\Recursion;
use XHProf\Functions\SymbolReport;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Run\TrendRuns;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TableSorting;

/**
 * index.php?run=ID&symbol=F: one function with its callers, its callees and the call paths it was called on.
 *
 * Parameters: run, source, wts, corrected, levels, symbol (or symbol_hash for very long names); all=1 shows all callers and
 * callees, paths=1 the call paths of a large tree as well; metric, and sort, which assets/js/table/sort-rows.js reads too.
 */
final class SymbolPage extends StorePage
{
    /** Callers and callees shown, and those shown when all are requested. */
    private const TOP = 20;
    private const MAX_ROWS = 5000;

    /** Levels of recursion with a link. */
    private const LEVELS = 12;

    /** Named callers of the function while it runs. */
    private const CALLERS = 4;

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        [$symbol, $report] = Symbols::report($request, $set);
        $metrics = $set->run->profile()->metrics();
        $metric = ViewState::metric($request, $metrics);
        // The tables hold inclusive values only: "excl_wt", kept from the functions' table, means "wt" here.
        $base = ShownMetric::of($request->text('sort'))->base;
        $sort = in_array($base, Columns::keys($metrics, false), true) ? $base : $this->defaultMetric($metrics);
        $head = Columns::head($metrics, $sort, $set->counted(), false);
        if (!$set->counted()->isCalls()) {
            // Samples belong to one function: there is no count of calls between functions.
            $head = array_values(array_filter($head, static fn (array $group): bool => $group['base'] !== 'ct'));
        }
        $named = $set->parameters() + Url::symbolParameter($symbol);
        $state = $named + array_intersect_key(ViewState::of($request, $metrics), ['sort' => 1, 'dir' => 1, 'metric' => 1]);

        $paths = (new SymbolPaths($this->runs, $set, $symbol))->variables($request, $metric, $state);
        $source = new SymbolSource($set, $symbol, $request);
        $most = $request->flag('all') ? self::MAX_ROWS : self::TOP;
        // The other views select this function.
        $selecting = $request->with('sel', $symbol)->with('sel_hash', '');

        return $this->view->page('symbol.html.twig', [
            'paths' => $paths,
            'lines' => (new SymbolLines($this->runs, $set, $symbol))->variables(),
            'recursion' => $this->recursion($set, $report),
            'focus_url' => Url::index($set->parameters() + ['view' => 'graph'] + Url::symbolParameter($symbol, 'focus')),
            'trend_url' => TrendRuns::urlOf($set, $symbol),
            'own' => $this->own($report, $metrics),
            'corrected' => RunHeader::corrected($set, $state),
            'symbol' => $symbol,
            'head' => $head,
            'choices' => Columns::choices($head),
            'main_base' => in_array($sort, $metrics, true) ? $sort : $this->defaultMetric($metrics),
            'hidden' => $set->parameters() + Url::symbolField($symbol),
            'parents' => $this->lines($report->parents(), $report, $sort, $set, $most, $source),
            'children' => $this->lines($report->children(), $report, $sort, $set, $most, $source, true),
            'parent_count' => count($report->parents()),
            'child_count' => count($report->children()),
            'all_url' => $request->flag('all') ? null : Url::index(['all' => '1'] + $state),
        ] + $source->variables(array_keys($report->children())) + RunHeader::top($this->runs, $set, $selecting, 'symbol'));
    }

    /**
     * The usual metric: samples by the CPU clock have no wall times.
     *
     * @param list<string> $metrics
     */
    private function defaultMetric(array $metrics): string
    {
        return in_array('wt', $metrics, true) ? 'wt' : $metrics[0] ?? 'ct';
    }

    /**
     * Direct recursion of this function, and its levels: "f", "f@1", "f@2"...
     *
     * @return array<string, mixed>|null null if it does not call itself
     */
    private function recursion(ShownRun $set, SymbolReport $report): ?array
    {
        $symbol = $report->symbol;
        $base = Recursion::base($symbol);
        $levels = [];
        for ($level = 0; $level < self::LEVELS; $level++) {
            $name = $level === 0 ? $base : "$base@$level";
            if (!$set->run->profile()->hasSymbol($name)) {
                break;
            }
            $only = $level === 0 ? ['levels' => '1'] : [];
            $url = Url::index($only + $set->parameters() + Url::symbolParameter($name));
            $levels[] = ['name' => $name, 'url' => $url, 'current' => $name === $symbol];
        }
        $calls = $report->recursion();
        if ($calls === [] && count($levels) < 2) {
            return null;
        }
        $callers = [];
        foreach (array_slice($calls, 0, self::CALLERS, true) as $name => $count) {
            $url = $name === $symbol ? null : Url::index($set->parameters() + Url::symbolParameter($name));
            $callers[] = ['name' => $name, 'url' => $url, 'calls' => Cells::value($count, ShownMetric::of('ct'))];
        }

        return [
            'level' => Recursion::level($symbol),
            'levels' => count($levels) > 1 ? $levels : [],
            'deeper' => $set->run->profile()->hasSymbol("$base@" . self::LEVELS),
            'whole_url' => Url::index(['levels' => null] + $set->parameters() + Url::symbolParameter($base)),
            'calls' => $calls === [] ? null : Cells::value(array_sum($calls), ShownMetric::of('ct')),
            'callers' => $callers,
            'others' => count($calls) - count($callers),
        ];
    }

    /**
     * The function's own values: one line per metric.
     *
     * @param list<string> $metrics
     * @return array{calls: int|float, lines: list<array<string, mixed>>}
     */
    private function own(SymbolReport $report, array $metrics): array
    {
        $self = $report->self();
        $totals = $report->totals();
        // Memory has no share; its figures stand below the others.
        $aligned = ['aligned' => true];
        $lines = [];
        foreach (ShownMetric::list($metrics) as $metric) {
            $total = $totals[$metric->base] ?? 0;
            $lines[] = [
                'label' => $metric->label,
                'inclusive' => $aligned + Cells::value($self[$metric->key] ?? null, $metric, $total, true),
                'exclusive' => $aligned
                    + Cells::value($self[$metric->exclusive()->key] ?? null, $metric->exclusive(), $total, true),
                'per_call' => $self['ct'] > 0
                    ? Cells::value(($self[$metric->key] ?? 0) / $self['ct'], $metric)
                    : Cells::value(null, $metric),
            ];
        }

        return ['calls' => $self['ct'], 'lines' => $lines];
    }

    /**
     * @param array<string, array<string, int|float>> $rows callers or callees; shares are of this function's inclusive figures
     * @param bool $callees whether the rows are callees
     * @return list<array{name: string, url: string, place: ?array<string, ?string>, from: int, cells: list<array<string, mixed>>}>
     */
    private function lines(
        array $rows,
        SymbolReport $report,
        string $sort,
        ShownRun $set,
        int $most,
        SymbolSource $source,
        bool $callees = false,
    ): array {
        $metrics = ShownMetric::list([...($set->counted()->isCalls() ? ['ct'] : []), ...$set->run->profile()->metrics()]);
        $self = $report->self();
        if ($sort === TableSorting::BY_NAME) {
            ksort($rows, SORT_FLAG_CASE | SORT_STRING);
        } else {
            uasort($rows, static fn (array $a, array $b): int => ($b[$sort] ?? 0) <=> ($a[$sort] ?? 0));
        }
        $lines = [];
        foreach (array_slice($rows, 0, $most, true) as $name => $row) {
            $lines[] = [
                'name' => (string) $name,
                'url' => Url::index($set->parameters() + ['sort' => $sort] + Url::symbolParameter((string) $name)),
                'place' => $source->placeOf((string) $name),
                'from' => $callees ? $source->callLine((string) $name) : 0,
                'cells' => array_map(static fn (ShownMetric $metric): array => Cells::value(
                    $row[$metric->key] ?? null,
                    $metric,
                    $self[$metric->key] ?? 0,
                    true,
                    $metric->key === $sort,
                ), $metrics),
            ];
        }

        return $lines;
    }
}
