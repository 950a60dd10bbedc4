<?php

declare(strict_types=1);

namespace XHProf\Graph\Web;

use XHProf\Compare\Web\DiffPair;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Graph\CallGraph;
use XHProf\Graph\GraphEdge;
use XHProf\Graph\Graphviz;
use XHProf\Profile\Profile;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Templates;

/**
 * index.php?view=graph, of a run or of a comparison, and callgraph.php without `type`: the call graph. The scripts draw it;
 * without them the page has its calls as a table, and Graphviz's picture if the server can make one.
 *
 * Parameters: those that name the runs, of ViewState, and of GraphSettings.
 */
final class GraphPage extends StorePage
{
    /** Thresholds offered without JavaScript. */
    private const THRESHOLDS = ['0', '0.001', '0.005', '0.01', '0.02', '0.05', '0.1', '0.2'];

    private const NODES = [30, 60, 120, 200, 400, 1000];

    public function respond(Request $request): Response
    {
        if ($request->has('run1') && $request->has('run2')) {
            return $this->comparison($request, DiffPair::named($request, $this->runs));
        }
        if (!$request->has('run')) {
            throw $request->has('run1') || $request->has('run2')
                ? new HttpError(400, DiffPair::INCOMPLETE)
                : new HttpError(400, 'Say which run: callgraph.php?run=ID&source=SOURCE.');
        }
        $set = $this->runs->named($request);
        $parameters = $set->parameters();
        $graph = $this->graph($request, [$set->run->profile()], $parameters);

        return $this->view->page('graph.html.twig', $graph + [
            'title' => $set->title(),
            'crumbs' => [['url' => Url::index($parameters), 'text' => $set->title()]],
            'graph_url' => Url::api('graph', ['levels' => null] + $parameters),
            'names_urls' => Url::api('functions', $parameters),
        ] + RunHeader::top($this->runs, $set, $request, 'graph'));
    }

    private function comparison(Request $request, DiffPair $pair): Response
    {
        $parameters = $pair->parameters();
        $graph = $this->graph($request, [$pair->before->run->profile(), $pair->after->run->profile()], $parameters);

        return $this->view->page('graph.html.twig', $graph + [
            'title' => 'Comparison',
            'crumbs' => [['url' => Url::index($parameters), 'text' => 'Comparison']],
            'graph_url' => Url::api('graph', ['levels' => null] + $parameters),
            'names_urls' => Url::api('diff', $parameters),
        ] + $pair->top($request, 'graph'));
    }

    /**
     * @param non-empty-list<Profile> $profiles the run, or before and after
     * @param array<string, ?string> $runs parameters that name the run or the comparison
     * @return array<string, mixed>
     */
    private function graph(Request $request, array $profiles, array $runs): array
    {
        $settings = GraphSettings::fromRequest($request, $profiles);
        $graph = $settings->graph($profiles, classic: false);
        // A hidden function is not missing.
        if ($settings->focus !== '' && $graph->focus === null && $settings->internals) {
            $name = VisibleName::text($settings->focus, Templates::NAME_LIMIT);
            throw new HttpError(404, "This run has no function $name.");
        }
        $metric = ShownMetric::of($graph->metric);
        $shared = ViewState::parameters($request, $profiles[0]->metrics());
        $canDraw = function_exists('proc_open') && (new Graphviz())->isInstalled();
        // A form cannot carry every name; parameters with a visible field are not among the hidden ones.
        $hidden = ['levels' => null] + $runs + ['view' => 'graph'] + ['metric' => null] + $shared
            + ['internals' => $settings->internals ? null : '0']
            + ($settings->focus === '' ? [] : Url::symbolField($settings->focus, 'focus'));

        return [
            'function_url' => Url::index($runs),
            'image_url' => $canDraw ? Url::callgraph($runs + $settings->parameters() + ['type' => 'svg']) : null,
            'dot_url' => Url::callgraph($runs + $settings->parameters() + ['type' => 'dot']),
            'graphviz_url' => $this->view->hasAsset('vendor/graphviz/graphviz.js') ? 'assets/vendor/graphviz/graphviz.js' : null,
            'is_diff' => $graph->isDiff,
            'hidden' => $hidden,
            'focus' => $graph->focus ?? '',
            'all_url' => Url::index($runs + ['view' => 'graph'] + $shared + ['focus' => null] + $settings->parameters()),
            'metrics' => array_map(static fn (string $key): array => [
                'value' => $key,
                'label' => ShownMetric::of($key)->label,
                'selected' => $key === $graph->metric,
            ], GraphSettings::metrics($profiles)),
            'thresholds' => self::choices(self::THRESHOLDS, (string) $settings->threshold, static fn (string $share): string
                => $share === '0' ? 'any' : Units::percent((float) $share, 1)),
            'node_counts' => self::choices(
                array_map(strval(...), self::NODES),
                (string) $settings->maxNodes,
                static fn (string $count): string => Units::count((int) $count),
            ),
            'critical' => $settings->critical,
            'levels' => $settings->levels,
            'metric' => $metric->label,
            'functions' => count($graph->nodes),
            'calls' => self::lines($graph, $metric, $runs),
        ];
    }

    /**
     * @param list<string> $values
     * @param callable(string): string $label
     * @return list<array{value: string, label: string, selected: bool}> including the current one
     */
    private static function choices(array $values, string $current, callable $label): array
    {
        if (!in_array($current, $values, true)) {
            $values[] = $current;
            sort($values, SORT_NUMERIC);
        }

        return array_map(static fn (string $value): array => [
            'value' => $value,
            'label' => $label($value),
            'selected' => $value === $current,
        ], $values);
    }

    /**
     * @param array<string, ?string> $runs
     * @return list<array<string, mixed>>
     */
    private static function lines(CallGraph $graph, ShownMetric $metric, array $runs): array
    {
        $link = static fn (string $name): string => Url::index($runs + Url::symbolParameter($name));
        $edges = $graph->edges;
        if ($graph->isDiff) {
            usort($edges, static fn (GraphEdge $a, GraphEdge $b): int => abs($b->figure) <=> abs($a->figure));
        }

        return array_map(static fn (GraphEdge $edge): array => [
            'from' => $edge->from,
            'from_url' => $link($edge->from),
            'to' => $edge->to,
            'to_url' => $link($edge->to),
            'calls' => $graph->isDiff ? Units::signed($edge->calls, 'ct') : Units::count($edge->calls),
            'cell' => $graph->isDiff
                ? Cells::change(0, $edge->figure, $metric, 0, true)
                : Cells::value($edge->figure, $metric, $graph->total, true, true),
            'critical' => $edge->critical,
        ], $edges);
    }
}
