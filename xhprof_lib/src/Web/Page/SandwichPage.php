<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Report\FlatReport;
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
 * index.php?run=ID&view=sandwich: a function (sel) between its callers and its callees by path, drawn by
 * assets/js/pages/sandwich.js; without JavaScript the heaviest functions, whose own pages have their callers and callees.
 *
 * Parameters: run, source, wts, corrected, metric, sel or sel_hash.
 */
final class SandwichPage
{
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
        $metric = Metric::of(ViewState::metric($request, [...$set->profile()->metrics(), 'ct']));
        $symbol = Symbols::fromRequest($request, [$set->profile()], 'sel');

        return $this->view->page('sandwich.html.twig', $top + [
            'island' => FlamePage::island($this->runs, $set),
            'metric' => $metric,
            'symbol' => $symbol,
            'symbol_url' => Url::index($set->parameters() + Url::symbolParameter($symbol)),
            'functions' => self::functions($set, $metric),
        ]);
    }

    /** @return list<array{name: string, url: string, cells: list<array<string, mixed>>}> the heaviest */
    private static function functions(RunSet $set, Metric $metric): array
    {
        $report = FlatReport::of($set->profile(), true);
        $total = $report->totals()[$metric->base] ?? 0;
        $lines = [];
        foreach ($report->sorted($metric->key, View::TOP) as $name => $row) {
            $cells = [Cells::value($row[$metric->key] ?? null, $metric, $total, true, true)];
            if ($metric->key !== 'ct') {
                $cells[] = Cells::value($row['ct'], Metric::of('ct'));
            }
            $url = Url::index($set->parameters() + Url::symbolParameter($name));
            $lines[] = ['name' => $name, 'url' => $url, 'cells' => $cells];
        }

        return $lines;
    }
}
