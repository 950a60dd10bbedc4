<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Report\Recursion;
use XHProf\Report\SymbolReport;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\RunSet;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Run\TrendRuns;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Metric;
use XHProf\Web\Table\NeighbourTables;
use XHProf\Web\Table\Sorting;
use XHProf\Web\Table\SymbolLines;
use XHProf\Web\Table\SymbolPaths;
use XHProf\Web\View;

/**
 * index.php?run=ID&symbol=F: one function with its callers, its callees and the call paths it was called on.
 *
 * Parameters: run, source, wts, corrected, levels, symbol (or symbol_hash for very long names); all=1 shows all callers and
 * callees, paths=1 the call paths of a large tree as well; those of NeighbourTables.
 */
final class SymbolPage
{
    /** Callers and callees that show, and those that show when all are asked for. */
    private const TOP = 100;
    private const MOST = 5000;

    /** Levels of recursion that are linked. */
    private const LEVELS = 12;

    /** Callers that are named of those that call it while it runs. */
    private const CALLERS = 4;

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        [$symbol, $report] = Symbols::report($request, $set);
        $metrics = $set->profile->metrics();
        $tables = new NeighbourTables($request, $metrics, $set->parameters(), $symbol, $set->counted());

        $metric = ViewState::metric($request, $metrics);
        $paths = (new SymbolPaths($this->runs, $set, $symbol))->variables($request, $metric, $tables->state());
        $most = $request->flag('all') ? self::MOST : self::TOP;
        // What the other views are to have selected is this function.
        $selecting = $request->with('sel', $symbol)->with('sel_hash', '');

        return $this->view->page('symbol.html.twig', [
            'paths' => $paths,
            'lines' => (new SymbolLines($this->runs, $set, $symbol))->variables(),
            'recursion' => $this->recursion($set, $report),
            'focus_url' => Url::index($set->parameters() + ['view' => 'graph'] + Url::symbolParameter($symbol, 'focus')),
            'trend_url' => TrendRuns::urlOf($set, $symbol),
            'own' => $this->own($report, $metrics),
            'corrected' => RunHeader::corrected($set, $tables->state()),
            'parents' => $this->lines($report->parents(), $report, $tables->sorting, $set, $most),
            'children' => $this->lines($report->children(), $report, $tables->sorting, $set, $most),
            'parent_count' => count($report->parents()),
            'child_count' => count($report->children()),
            'all_url' => $request->flag('all') ? null : Url::index(['all' => '1'] + $tables->state()),
        ] + RunHeader::top($this->runs, $set, $selecting, 'symbol') + $tables->variables());
    }

    /**
     * How this function calls itself, and its levels: "f", "f@1", "f@2"...
     *
     * @return array<string, mixed>|null null where it does not
     */
    private function recursion(RunSet $set, SymbolReport $report): ?array
    {
        $symbol = $report->symbol;
        $base = Recursion::base($symbol);
        $levels = [];
        for ($level = 0; $level < self::LEVELS; $level++) {
            $name = $level === 0 ? $base : "$base@$level";
            if (!$set->profile->hasSymbol($name)) {
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
            $callers[] = ['name' => $name, 'url' => $url, 'calls' => Cells::figure($count, Metric::of('ct'))];
        }

        return [
            'level' => Recursion::level($symbol),
            'levels' => count($levels) > 1 ? $levels : [],
            'deeper' => $set->profile->hasSymbol("$base@" . self::LEVELS),
            'whole_url' => Url::index(['levels' => null] + $set->parameters() + Url::symbolParameter($base)),
            'calls' => $calls === [] ? null : Cells::figure(array_sum($calls), Metric::of('ct')),
            'callers' => $callers,
            'others' => count($calls) - count($callers),
        ];
    }

    /**
     * The function's own figures: one line per metric.
     *
     * @param list<string> $metrics
     * @return array{calls: int|float, lines: list<array<string, mixed>>}
     */
    private function own(SymbolReport $report, array $metrics): array
    {
        $self = $report->self();
        $totals = $report->totals();
        $lines = [];
        foreach (Metric::list($metrics) as $metric) {
            $total = $totals[$metric->base] ?? 0;
            $lines[] = [
                'label' => $metric->label,
                'inclusive' => Cells::figure($self[$metric->key] ?? null, $metric, $total, true),
                'exclusive' => Cells::figure($self[$metric->exclusive()->key] ?? null, $metric->exclusive(), $total, true),
                'per_call' => $self['ct'] > 0
                    ? Cells::figure(($self[$metric->key] ?? 0) / $self['ct'], $metric)
                    : Cells::figure(null, $metric),
            ];
        }

        return ['calls' => $self['ct'], 'lines' => $lines];
    }

    /**
     * @param array<string, array<string, int|float>> $rows callers or callees; shares are of this function's inclusive figures
     * @return list<array{name: string, url: string, cells: list<array<string, mixed>>}>
     */
    private function lines(array $rows, SymbolReport $report, Sorting $sorting, RunSet $set, int $most): array
    {
        $metrics = Metric::list([...($set->counted()->isCalls() ? ['ct'] : []), ...$set->profile->metrics()]);
        $self = $report->self();
        $sorted = $sorting->apply($rows, static fn (array $row, int|string $name): int|float|string|null
            => $sorting->key === Sorting::BY_NAME ? (string) $name : ($row[$sorting->key] ?? null));
        $lines = [];
        foreach (array_slice($sorted, 0, $most, true) as $name => $row) {
            $cells = [];
            foreach ($metrics as $metric) {
                $isMain = $metric->key === $sorting->key;
                $cells[] = Cells::figure($row[$metric->key] ?? null, $metric, $self[$metric->key] ?? 0, $isMain, $isMain);
            }
            $url = Url::index($set->parameters() + ['sort' => $sorting->key] + Url::symbolParameter((string) $name));
            $lines[] = ['name' => (string) $name, 'url' => $url, 'cells' => $cells];
        }

        return $lines;
    }
}
