<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\MetricList;
use XHProf\Report\TimeBar;
use XHProf\Run\Run;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\Symbols;
use XHProf\Web\Source\EditorLink;
use XHProf\Web\Source\PlaceLinks;

/**
 * get=symbol&symbol=F (or symbol_hash): one function with its callers and callees, and links to its other views. `recursion`
 * has the callers of the function while it was running, with their calls; with levels=1 each level of a recursion (F@1) is a
 * function. `place`: where its code is. `where`: where its time was, with its callees; null where that is not known, and of a run
 * with too many call paths to add up while a reader waits.
 */
final class SymbolEndpoint extends Endpoint
{
    /** Call paths that are added up in half a second. */
    private const QUICK = 500_000;

    /** @throws HttpError 404 if the run has no such function */
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        [$symbol, $report] = Symbols::report($request, $set);

        return JsonResponse::answer('symbol', [
            'name' => $symbol,
            'metrics' => MetricList::ofProfile($set->run->profile()->metrics(), $set->counted()),
            'total' => $report->totals(),
            'row' => $report->self(),
            'callers' => self::rows($report->parents()),
            'callees' => self::rows($report->children()),
            'recursion' => self::rows(array_map(static fn (int|float $calls): array => ['ct' => $calls], $report->recursion())),
            ...TimeBar::json($set->run->nodes() > self::QUICK ? null : $set->run->times()->ofFunction($symbol)),
            'links' => $this->links($set, $symbol),
            'place' => (new PlaceLinks(FunctionPlaces::ofRun($set->run), EditorLink::fromRequest($request)))->find($symbol),
        ]);
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @return list<array<string, mixed>>
     */
    private static function rows(array $rows): array
    {
        return array_map(static fn (string $name, array $row): array => ['name' => $name] + $row, array_keys($rows), $rows);
    }

    /** @return array<string, string> */
    private function links(ShownRun $set, string $symbol): array
    {
        $selected = $set->parameters() + Url::symbolParameter($symbol, 'sel');
        $links = [
            'Function page' => Url::index($set->parameters() + Url::symbolParameter($symbol)),
            'Focus in the call graph' => Url::index($selected + ['view' => 'graph'] + Url::symbolParameter($symbol, 'focus')),
        ];
        if ($set->run->has(Run::TREE)) {
            $links['Sandwich'] = Url::index($selected + ['view' => 'sandwich']);
        }
        $links['If it took no time'] = Url::index($set->parameters() + ['view' => 'whatif', 'without' => $symbol]);

        return $links;
    }
}
