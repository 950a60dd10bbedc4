<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Exception\UnknownSymbol;
use XHProf\Format\VisibleName;
use XHProf\Report\Recursion;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\DiffFunctions;
use XHProf\Web\Run\DiffHeader;
use XHProf\Web\Run\DiffNeighbours;
use XHProf\Web\Run\DiffPair;
use XHProf\Web\Run\DiffTables;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Run\TrendRuns;
use XHProf\Web\View;

/**
 * index.php?run1=A&run2=B: changes from A (before) to B (after), each one run or several; with symbol, for one function.
 *
 * Parameters: run1, run2 (lists as for run), source, source1, source2, levels, view, symbol or symbol_hash; those of
 * DiffFunctions.
 */
final class DiffPage extends StorePage
{
    public function respond(Request $request): Response
    {
        // The spread of one level of a recursion is known only with separate levels.
        $isLevel = Recursion::level($request->text('symbol')) > 0;
        $pair = DiffPair::named($isLevel ? $request->with('levels', '1') : $request, $this->runs, statistics: true);

        return match ($request->has('symbol') || $request->has('symbol_hash') ? 'symbol' : $request->text('view')) {
            'symbol' => $this->symbol($request, $pair),
            'graph' => (new GraphPage($this->runs, $this->view))->comparison($request, $pair),
            'flame' => (new FlameDiffPage($this->view))->respond($request, $pair),
            default => $this->table($request, $pair),
        };
    }

    private function table(Request $request, DiffPair $pair): Response
    {
        $functions = new DiffFunctions($request, $pair);

        return $this->view->page('diff.html.twig', [
            'totals' => DiffTables::totals($pair),
            'levels' => $pair->levelsSwitch($functions->state()),
            'noise' => $pair->noise(),
        ] + DiffHeader::top($pair, $request, '', $functions->state()) + $functions->variables());
    }

    private function symbol(Request $request, DiffPair $pair): Response
    {
        $report = $pair->report();
        $symbol = $pair->nameOf(Symbols::fromRequest($request, [$pair->before->run->profile(), $pair->after->run->profile()]));
        try {
            $diff = $report->symbol($symbol);
        } catch (UnknownSymbol $e) {
            throw new HttpError(404, 'Neither run has a function ' . VisibleName::text($symbol, View::NAME_LIMIT) . '.', $e);
        }
        $neighbours = new DiffNeighbours($request, $pair, $diff);
        $selecting = $request->with('sel', $symbol)->with('sel_hash', '');

        return $this->view->page('diff_symbol.html.twig', [
            'symbol' => $symbol,
            'trend_url' => TrendRuns::urlOfPair($pair, $symbol),
            'status' => $diff->status,
            'was' => $report->nameBefore($symbol),
            'totals' => DiffTables::own($diff, $pair),
            'noise' => $pair->noise(),
        ] + DiffHeader::top($pair, $selecting, '', $neighbours->state()) + $neighbours->variables());
    }
}
