<?php

declare(strict_types=1);

namespace XHProf\Graph\Web;

use XHProf\Compare\Noise;
use XHProf\Compare\Web\DiffPair;
use XHProf\Functions\MetricList;
use XHProf\Graph\CallGraph;
use XHProf\Graph\GraphEdge;
use XHProf\Graph\GraphNode;
use XHProf\Graph\RecordedCalls;
use XHProf\Profile\EdgeKey;
use XHProf\Run\Run;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\Symbols;

/**
 * get=graph: the part of a call graph worth drawing, of a run, or of two with run1 and run2; see GraphSettings. Ends of edges
 * and of `vias`, and the focus, are numbers of nodes; `functions` is the number of functions to choose from. Of two runs nodes
 * and edges have the values before, and `machine` where their change is the machine's. `settings` are those behind the answer.
 * With symbol=F that function as the graph has it.
 */
final class GraphEndpoint extends Endpoint
{
    public function respond(Request $request): Response
    {
        if ($request->has('run1')) {
            $shown = DiffPair::named($request, $this->runs);
            $profiles = [$shown->before->run->profile(), $shown->after->run->profile()];
        } else {
            $shown = $this->runs->named($request);
            $profiles = [$shown->run->profile()];
        }
        $settings = GraphSettings::fromRequest($request, $profiles);
        if ($shown instanceof ShownRun && $request->has('symbol')) {
            return $this->symbol(Symbols::fromRequest($request, $profiles), $settings, $shown);
        }
        $graph = $settings->graph($profiles, classic: false);
        $machine = $shown instanceof DiffPair ? GraphNoise::compute($shown, $settings) : null;

        return JsonResponse::answer('graph', [
            'metric' => $graph->metric,
            'metrics' => array_slice(MetricList::ofProfile(GraphSettings::metrics($profiles), $shown->counted()), 0, -1),
            'settings' => [
                'threshold' => $settings->threshold,
                'nodes' => $settings->maxNodes,
                'critical' => $settings->critical,
                'levels' => $settings->levels,
                'focus' => $settings->focus,
            ],
            'hashes' => JsonResponse::hashes(array_map(strval(...), array_keys($graph->nodes))),
            'graph' => self::graph($graph, $machine),
        ] + ($machine === null ? [] : ['machine' => Noise::MACHINE_WORDS]));
    }

    /**
     * One function as it is drawn, in the shape of get=symbol: PHP's own functions may be hidden.
     *
     * @throws HttpError 404
     */
    private function symbol(string $name, GraphSettings $settings, ShownRun $set): Response
    {
        $metric = $settings->metric;
        $recorded = RecordedCalls::fromProfile($set->run->profile(), $metric, !$settings->levels, $settings->internals);
        $name = isset($recorded->functions[$name]) ? $name : EdgeKey::stripRecursion($name);
        $values = $recorded->functions[$name] ?? throw new HttpError(404, 'This run has no such function, or it is hidden.');
        $calls = static fn (string $end, string $other): array => array_map(
            static fn (array $call): array => ['name' => $call[$other], 'ct' => $call['ct'], $metric => $call['incl']],
            array_values(array_filter($recorded->calls, static fn (array $call): bool => $call[$end] === $name)),
        );

        return JsonResponse::answer('symbol', [
            'name' => $name,
            'metrics' => array_slice(MetricList::ofProfile([$metric], $set->counted()), 0, 1),
            'total' => [$metric => $set->run->profile()->totals()[$metric]],
            // Samples belong to one function: there is no count of calls between functions.
            'row' => ($set->counted()->isCalls() ? ['ct' => $values['ct']] : [])
                + [$metric => $values['incl'], "excl_$metric" => $values['excl']],
            'callers' => $calls('to', 'from'),
            'callees' => $calls('from', 'to'),
            'links' => $this->links($set, $name),
        ]);
    }

    /** @return array<string, string> */
    private function links(ShownRun $set, string $name): array
    {
        $links = ['Function page' => Url::index($set->parameters() + Url::symbolParameter($name))];
        if ($set->run->has(Run::TREE)) {
            $links['Sandwich'] = Url::index($set->parameters() + ['view' => 'sandwich'] + Url::symbolParameter($name, 'sel'));
        }

        return $links;
    }

    /** @return array<string, mixed> */
    private static function graph(CallGraph $graph, ?GraphNoise $machine): array
    {
        $index = array_flip(array_keys($graph->nodes));

        return [
            'nodes' => array_map(static fn (GraphNode $node): array => [
                'name' => $node->name,
                'recursive' => $node->recursive,
                'callers' => $node->callers,
                'callees' => $node->callees,
            ] + $node->now + ($node->before === null ? [] : ['before' => $node->before])
                + ($machine?->ofFunction($node->name) ?? []), array_values($graph->nodes)),
            'edges' => array_map(static fn (GraphEdge $edge): array => [
                'from' => $index[$edge->from],
                'to' => $index[$edge->to],
                'weight' => $edge->weight,
                'now' => $edge->figure + $edge->before,
                'ct' => $edge->calls + $edge->callsBefore,
                'critical' => $edge->critical,
            ] + ($graph->isDiff ? ['before' => $edge->before, 'ctBefore' => $edge->callsBefore] : [])
                + ($machine?->isOfCalls($edge->from, $edge->to) === true ? ['machine' => true] : []), $graph->edges),
            'vias' => array_map(static fn (array $via): array => [
                'from' => $index[$via[0]],
                'to' => $index[$via[1]],
            ], $graph->vias),
            'total' => $graph->total,
            'functions' => $graph->functions,
            'focus' => $graph->focus === null ? null : $index[$graph->focus],
        ];
    }
}
