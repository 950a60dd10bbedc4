<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\CallersReport;
use XHProf\Functions\MetricOrder;
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
        [$symbol, $symbols] = Symbols::report($request, $set);
        $metrics = $set->run->profile()->metrics();
        $metric = ViewState::metric($request, $metrics);
        // The tables hold inclusive values only: "excl_wt", kept from the functions' table, means "wt" here.
        $base = ShownMetric::of($request->text('sort'))->base;
        $wanted = in_array($base, Columns::keys($metrics, false), true) ? $base : null;
        $report = new CallersReport($set->run, $symbols, $wanted, $request->flag('all') ? self::MAX_ROWS : self::TOP, $set->levels);
        $sort = $report->sort;
        // Samples belong to one function: there is no count of calls between functions.
        $shown = [Columns::BY_NAME, ...$report->figures()];
        $head = array_values(array_filter(
            Columns::head($metrics, $sort, $set->counted(), false),
            static fn (array $group): bool => in_array($group['base'], $shown, true),
        ));
        $named = $set->parameters() + Url::symbolParameter($symbol);
        $state = $named + array_intersect_key(ViewState::parameters($request, $metrics), ['sort' => 1, 'dir' => 1, 'metric' => 1]);

        $paths = (new SymbolPaths($this->runs, $set, $symbol))->variables($request, $metric, $state);
        $source = new SymbolSource($set, $symbol, $request);
        // The other views select this function.
        $selecting = $request->with('sel', $symbol)->with('sel_hash', '');

        return $this->view->page('symbol.html.twig', [
            'paths' => $paths,
            'lines' => (new SymbolLines($this->runs, $set, $symbol))->variables(),
            'recursion' => $this->recursion($set, $symbols),
            'focus_url' => Url::index($set->parameters() + ['view' => 'graph'] + Url::symbolParameter($symbol, 'focus')),
            'trend_url' => TrendRuns::urlOf($set, $symbol),
            'own' => self::own($report),
            'corrected' => RunHeader::corrected($set, $state),
            'symbol' => $symbol,
            'head' => $head,
            'choices' => Columns::choices($head),
            'main_base' => in_array($sort, $metrics, true) ? $sort : MetricOrder::sort(null, $metrics, true),
            'hidden' => $set->parameters() + Url::symbolField($symbol),
            'parents' => self::lines($report, $report->callers(), $set, $source),
            'children' => self::lines($report, $report->callees(), $set, $source, true),
            'parent_count' => count($symbols->parents()),
            'child_count' => count($symbols->children()),
            'all_url' => $request->flag('all') ? null : Url::index(['all' => '1'] + $state),
        ] + $source->variables(array_keys($symbols->children())) + RunHeader::top($this->runs, $set, $selecting, 'symbol'));
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
     * @return array{calls: int|float, lines: list<array<string, mixed>>}
     */
    private static function own(CallersReport $report): array
    {
        $totals = $report->symbol->totals();
        // Memory has no share; its figures stand below the others.
        $aligned = ['aligned' => true];
        $lines = [];
        foreach ($report->own() as $row) {
            $metric = ShownMetric::of($row['metric']);
            $total = $totals[$metric->base] ?? 0;
            $lines[] = [
                'label' => $metric->label,
                'inclusive' => $aligned + Cells::value($row['inclusive'], $metric, $total, true),
                'exclusive' => $aligned + Cells::value($row['exclusive'], $metric->exclusive(), $total, true),
                'per_call' => Cells::value($row['per_call'], $metric),
            ];
        }

        return ['calls' => $report->symbol->self()['ct'], 'lines' => $lines];
    }

    /**
     * @param array<string, array<string, int|float>> $rows callers or callees; shares are of this function's inclusive figures
     * @param bool $callees whether the rows are callees
     * @return list<array{name: string, url: string, place: ?array<string, ?string>, from: int, cells: list<array<string, mixed>>}>
     */
    private static function lines(
        CallersReport $report,
        array $rows,
        ShownRun $set,
        SymbolSource $source,
        bool $callees = false,
    ): array {
        $metrics = ShownMetric::list($report->figures());
        $self = $report->symbol->self();
        $lines = [];
        foreach ($rows as $name => $row) {
            $lines[] = [
                'name' => (string) $name,
                'url' => Url::index($set->parameters() + ['sort' => $report->sort] + Url::symbolParameter((string) $name)),
                'place' => $source->placeOf((string) $name),
                'from' => $callees ? $source->callLine((string) $name) : 0,
                'cells' => array_map(static fn (ShownMetric $metric): array => Cells::value(
                    $row[$metric->key] ?? null,
                    $metric,
                    $self[$metric->key] ?? 0,
                    true,
                    $metric->key === $report->sort,
                ), $metrics),
            ];
        }

        return $lines;
    }
}
