<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Exception\GraphError;
use XHProf\Exception\UnknownMetric;
use XHProf\Exception\UnknownSymbol;
use XHProf\Format\Units;
use XHProf\Graph\CallGraph;
use XHProf\Graph\DotWriter;
use XHProf\Graph\GraphEdge;
use XHProf\Graph\GraphOptions;
use XHProf\Graph\Graphviz;
use XHProf\Profile\Profile;

/**
 * callgraph.php: with `type` the picture, drawn by Graphviz; else a page with the picture, where
 * Graphviz is installed, and the ranked calls as a table.
 *
 * Parameters: run, source, wts or run1, run2, source1, source2; func or func_hash, threshold (0 to 1), critical,
 * type (svg, png, jpg, gif).
 */
final class CallgraphPage
{
    private const TYPES = ['svg' => 'image/svg+xml', 'png' => 'image/png', 'jpg' => 'image/jpeg', 'gif' => 'image/gif'];

    private const DEFAULT_THRESHOLD = 0.01;

    /** Seconds that drawing may take. */
    private const TIME_LIMIT = 15.0;

    public function __construct(private readonly Runs $runs, private readonly View $view)
    {
    }

    public function respond(Request $request): Response
    {
        $source = $request->text('source');
        if ($request->has('run1') && $request->has('run2')) {
            $pair = new DiffPair(
                $this->runs->open($request->text('run1'), $request->text('source1', $source)),
                $this->runs->open($request->text('run2'), $request->text('source2', $source)),
            );
            $profiles = [$pair->before->profile, $pair->after->profile];

            return $this->answer($request, $profiles, $pair->parameters(), 'Comparison', $pair->notes());
        }
        if (!$request->has('run')) {
            throw new HttpError(400, 'Say which run: callgraph.php?run=ID&source=SOURCE.');
        }
        $set = $this->runs->open($request->text('run'), $source, $request->text('wts'));

        return $this->answer($request, [$set->profile], $set->parameters(), $set->title());
    }

    /** @param non-empty-list<Profile> $profiles the run, or before and after */
    private function graph(Request $request, array $profiles, string $func): CallGraph
    {
        $options = new GraphOptions(
            threshold: min(1.0, $request->fraction('threshold', self::DEFAULT_THRESHOLD)),
            func: $func === '' ? null : $func,
            criticalPath: $request->flag('critical', true),
        );
        try {
            return isset($profiles[1])
                ? CallGraph::ofDiff($profiles[0], $profiles[1], $options)
                : CallGraph::of($profiles[0], $options);
        } catch (UnknownSymbol $e) {
            $name = VisibleName::text($func, View::NAME_LIMIT);
            throw new HttpError(404, "This run has no function $name.", $e);
        } catch (UnknownMetric $e) {
            throw new HttpError(404, 'This run has call counts only: there is nothing to draw.', $e);
        }
    }

    /**
     * @param non-empty-list<Profile> $profiles the run, or before and after
     * @param array<string, ?string> $runs parameters that name the run or the comparison
     * @param string $title bytes to be made visible
     * @param list<string> $notes what to mind
     */
    private function answer(Request $request, array $profiles, array $runs, string $title, array $notes = []): Response
    {
        $func = Symbols::wanted($request, $profiles, 'func');
        $graph = $this->graph($request, $profiles, $func);
        $graphviz = new Graphviz(self::TIME_LIMIT);
        if ($request->has('type')) {
            return $this->picture($graphviz, $graph, $request->text('type'));
        }
        $view = $runs + Url::symbolParameter($func, 'func') + [
            'threshold' => (string) $request->fraction('threshold', self::DEFAULT_THRESHOLD),
            'critical' => $request->flag('critical', true) ? '1' : '0',
        ];
        $metric = Metric::of($graph->metric);
        $canDraw = function_exists('proc_open') && $graphviz->isInstalled();

        return $this->view->page('callgraph.html.twig', [
            'title' => $title,
            'notes' => $notes,
            'run_url' => Url::index($runs),
            'hidden' => $func === '' ? $runs : $runs + Url::symbolField($func, 'func'),
            'func' => $func,
            'threshold' => $view['threshold'],
            'critical' => $view['critical'] === '1',
            'image_url' => $canDraw ? Url::callgraph($view + ['type' => 'svg']) : null,
            'metric' => $metric->label,
            'main_base' => $metric->base,
            'functions' => count($graph->nodes),
            'is_diff' => $graph->isDiff,
            'edges' => $this->lines($graph, $metric, $runs),
        ]);
    }

    private function picture(Graphviz $graphviz, CallGraph $graph, string $type): Response
    {
        if (!isset(self::TYPES[$type])) {
            throw new HttpError(400, 'The type of the picture is one of ' . implode(', ', array_keys(self::TYPES)) . '.');
        }
        if (!function_exists('proc_open')) {
            throw new HttpError(500, 'The picture cannot be drawn: this PHP may not start programs.');
        }
        try {
            return Response::image($graphviz->render(DotWriter::write($graph), $type), self::TYPES[$type]);
        } catch (GraphError $e) {
            throw new HttpError(500, 'The picture cannot be drawn: ' . $e->getMessage() . '.', $e);
        }
    }

    /**
     * @param array<string, ?string> $runs
     * @return list<array<string, mixed>>
     */
    private function lines(CallGraph $graph, Metric $metric, array $runs): array
    {
        $link = static fn (string $name): string => Url::index($runs + Url::symbolParameter($name));

        return array_map(static fn (GraphEdge $edge): array => [
            'from' => $edge->from,
            'from_url' => $link($edge->from),
            'to' => $edge->to,
            'to_url' => $link($edge->to),
            'calls' => $graph->isDiff ? Units::signed($edge->calls, 'ct') : Units::count($edge->calls),
            'cell' => Cells::figure($edge->weight, $metric, $graph->total, true, true),
            'critical' => $edge->critical,
        ], $graph->edges);
    }
}
