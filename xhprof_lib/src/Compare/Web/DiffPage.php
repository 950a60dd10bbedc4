<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\TimeChange;
use XHProf\Exception\UnknownSymbol;
use XHProf\Format\VisibleName;
use XHProf\Functions\Recursion;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunGroups;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Templates;

/**
 * index.php?run1=A&run2=B: changes from A (before) to B (after), each one run or several; with symbol, for one function.
 *
 * Parameters: run1, run2 (lists as for run), source, source1, source2, levels, symbol or symbol_hash; those of
 * DiffTable.
 */
final class DiffPage extends StorePage
{
    public function respond(Request $request): Response
    {
        // The spread of one level of a recursion is known only with separate levels.
        $isLevel = Recursion::level($request->text('symbol')) > 0;
        $pair = DiffPair::named($isLevel ? $request->with('levels', '1') : $request, $this->runs);

        return $request->has('symbol') || $request->has('symbol_hash') || $request->text('view') === 'symbol'
            ? $this->symbol($request, $pair)
            : $this->table($request, $pair);
    }

    private function table(Request $request, DiffPair $pair): Response
    {
        $table = new DiffTable($request, $pair, false);

        return $this->view->page('diff.html.twig', [
            'totals' => DiffTable::sides($pair->report, $pair->report->totals(), true),
            'where' => self::times($pair->report->times()),
            'levels' => $pair->grouping === null ? $pair->levelsSwitch($table->state()) : null,
            'groups' => RunGroups::links($pair->grouping, $request, $pair->parameters() + ['names' => null] + $table->state()),
            'noun' => $pair->grouping?->by->noun() ?? 'function',
        ] + $pair->top($request, '', $table->state()) + $table->functions());
    }

    private function symbol(Request $request, DiffPair $pair): Response
    {
        $report = $pair->report;
        $symbol = $report->nameOf(Symbols::fromRequest($request, [$pair->before->run->profile(), $pair->after->run->profile()]));
        try {
            $diff = $report->figures()->symbol($symbol);
        } catch (UnknownSymbol $e) {
            throw new HttpError(404, 'Neither run has a function ' . VisibleName::text($symbol, Templates::NAME_LIMIT) . '.', $e);
        }
        $table = new DiffTable($request, $pair, true);
        $selecting = $request->with('sel', $symbol)->with('sel_hash', '');

        return $this->view->page('diff_symbol.html.twig', [
            'symbol' => $symbol,
            'trend_url' => $pair->trendUrl($symbol),
            'status' => $diff->self['status'],
            'was' => $report->figures()->nameBefore($symbol),
            'totals' => DiffTable::sides($report, $report->own($diff), false),
            'where' => self::times($report->times($symbol)),
        ] + $pair->top($selecting, '', Url::symbolParameter($symbol) + $table->state()) + $table->neighbours($diff));
    }

    /** @return array<string, mixed>|null the bars of both sides and the changes of their parts: time_change.html.twig */
    private static function times(?TimeChange $times): ?array
    {
        return $times === null ? null : $times->drawn() + [
            'table' => (new ReportTable($times->table(), static fn (array $row, string $key): array => match ($key) {
                'label' => $row['key'] === '' ? [] : ['template' => 'time_part.html.twig', 'part' => [
                    'key' => $row['key'], 'label' => $row['label'],
                ]],
                'delta_us' => ['from' => $row['a_us']],
                default => [],
            }, class: 'times', look: 'own'))->toArray(),
            'notes' => $times->notes(),
        ];
    }
}
