<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Exception\UnknownSymbol;
use XHProf\Profile\EdgeKey;
use XHProf\Report\SymbolReport;

/**
 * index.php?run=ID&symbol=F: one function with its callers, its callees and the call paths it was called on.
 *
 * Parameters: run, source, wts, corrected, symbol (or symbol_hash for very long names); all=1 shows all callers and callees,
 * paths=1 the call paths of a large tree as well; those of NeighbourTables.
 */
final class SymbolPage
{
    /** Callers and callees that show, and those that show when all are asked for. */
    private const TOP = 100;
    private const MOST = 5000;

    /** Levels of recursion that are linked. */
    private const LEVELS = 12;

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $symbol = Symbols::wanted($request, [$set->profile]);
        try {
            $report = SymbolReport::of($set->profile, $symbol);
        } catch (UnknownSymbol $e) {
            throw new HttpError(404, 'This run has no function ' . VisibleName::text($symbol, View::NAME_LIMIT) . '.', $e);
        }
        $metrics = $set->profile->metrics();
        $tables = new NeighbourTables($request, $metrics, $set->parameters(), $symbol);

        $metric = ViewState::metric($request, $metrics);
        $paths = (new SymbolPaths($this->runs, $set, $symbol))->variables($request, $metric, $tables->state());
        $most = $request->flag('all') ? self::MOST : self::TOP;
        // What the other views are to have selected is this function.
        $selecting = $request->with('sel', $symbol)->with('sel_hash', '');

        return $this->view->page('symbol.html.twig', [
            'paths' => $paths,
            'recursion' => $this->recursion($set, $symbol),
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
     * The levels of recursion of this function: "f", "f@1", "f@2"...
     *
     * @return array{level: int, levels: list<array{name: string, url: string, current: bool}>}|null null where it does not
     *     call itself
     */
    private function recursion(RunSet $set, string $symbol): ?array
    {
        $base = EdgeKey::stripRecursion($symbol);
        $levels = [];
        for ($level = 0; $level < self::LEVELS; $level++) {
            $name = $level === 0 ? $base : "$base@$level";
            if (!$set->profile->hasSymbol($name)) {
                break;
            }
            $url = Url::index($set->parameters() + Url::symbolParameter($name));
            $levels[] = ['name' => $name, 'url' => $url, 'current' => $name === $symbol];
        }
        $level = $base === $symbol ? 0 : (int) substr($symbol, strlen($base) + 1);

        return count($levels) > 1 ? ['level' => $level, 'levels' => $levels] : null;
    }

    /**
     * The function's own figures: one line per metric.
     *
     * @param list<string> $metrics
     * @return array{calls: array<string, mixed>, lines: list<array<string, mixed>>}
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

        return ['calls' => Cells::figure($self['ct'], Metric::of('ct')), 'lines' => $lines];
    }

    /**
     * @param array<string, array<string, int|float>> $rows callers or callees; shares are of this function's inclusive figures
     * @return list<array{name: string, url: string, cells: list<array<string, mixed>>}>
     */
    private function lines(array $rows, SymbolReport $report, Sorting $sorting, RunSet $set, int $most): array
    {
        $metrics = Metric::list(array_slice(Columns::keys($set->profile->metrics(), false), 1));
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
