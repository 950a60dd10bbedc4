<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Exception\UnknownSymbol;
use XHProf\Report\FlatReport;
use XHProf\Report\SymbolReport;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\Runs;
use XHProf\Web\Run\RunSet;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Metric;
use XHProf\Web\View;

/**
 * index.php?run=ID&view=sandwich: a function (sel) between the paths that lead to it and those that go on from it, drawn by
 * assets/js/pages/sandwich.js; without JavaScript the heaviest functions, and the callers and callees of the selected one as
 * tables.
 *
 * Parameters: run, source, wts, corrected, metric, sel or sel_hash.
 */
final class SandwichPage
{
    /** Functions to select from, without JavaScript. */
    private const FUNCTIONS = 50;

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $top = RunHeader::top($this->runs, $set, $request, 'sandwich');
        if (!FlamePage::hasTrees($this->runs, $set)) {
            return $this->view->page('no_tree.html.twig', $top + ['view' => 'Sandwich'], 404);
        }
        $metric = Metric::of(ViewState::metric($request, [...$set->profile->metrics(), 'ct']));
        $symbol = Symbols::wanted($request, [$set->profile], 'sel');

        return $this->view->page('sandwich.html.twig', $top + [
            'island' => FlamePage::island($set),
            'metric' => $metric,
            'symbol' => $symbol,
            'functions' => $this->functions($set, $metric),
        ] + $this->neighbours($set, $metric, $symbol));
    }

    /** @return list<array{name: string, url: string, cells: list<array<string, mixed>>}> */
    private function functions(RunSet $set, Metric $metric): array
    {
        $report = FlatReport::of($set->profile, true);
        $total = $report->totals()[$metric->base] ?? 0;

        return $this->lines($report->sorted($metric->key, self::FUNCTIONS), $total, $set, $metric, true);
    }

    /** @return array{callers: list<array<string, mixed>>|null, callees: list<array<string, mixed>>|null} null without such a function */
    private function neighbours(RunSet $set, Metric $metric, string $symbol): array
    {
        try {
            $report = $symbol === '' ? null : SymbolReport::of($set->profile, $symbol, true);
        } catch (UnknownSymbol) {
            $report = null;
        }
        if ($report === null) {
            return ['callers' => null, 'callees' => null];
        }
        $own = $report->self()[$metric->key] ?? 0;

        return [
            'callers' => $this->lines(self::sorted($report->parents(), $metric), $own, $set, $metric, $set->counted()->isCalls()),
            'callees' => $this->lines(self::sorted($report->children(), $metric), $own, $set, $metric, $set->counted()->isCalls()),
        ];
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @return array<string, array<string, int|float>> the most costly first
     */
    private static function sorted(array $rows, Metric $metric): array
    {
        uasort($rows, static fn (array $a, array $b): int => ($b[$metric->key] ?? 0) <=> ($a[$metric->key] ?? 0));

        return $rows;
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @return list<array{name: string, url: string, cells: list<array<string, mixed>>}> links that select the function
     */
    private function lines(array $rows, int|float $total, RunSet $set, Metric $metric, bool $withCounts): array
    {
        $lines = [];
        foreach ($rows as $name => $row) {
            $parameters = ['view' => 'sandwich', 'metric' => $metric->key] + Url::symbolParameter((string) $name, 'sel');
            $cells = [Cells::figure($row[$metric->key] ?? null, $metric, $total, true, true)];
            if ($metric->key !== 'ct' && $withCounts) {
                $cells[] = Cells::figure($row['ct'] ?? null, Metric::of('ct'));
            }
            $lines[] = ['name' => (string) $name, 'url' => Url::index($set->parameters() + $parameters), 'cells' => $cells];
        }

        return $lines;
    }
}
