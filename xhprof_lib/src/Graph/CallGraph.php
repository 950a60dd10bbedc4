<?php

declare(strict_types=1);

namespace XHProf\Graph;

use XHProf\Exception\UnknownMetric;
use XHProf\Exception\UnknownSymbol;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Report\FlatReport;

/**
 * The part of a run (or of two) worth drawing: functions above a threshold, their heavier calls, the critical path.
 */
final class CallGraph
{
    /**
     * @param array<string, GraphNode> $nodes heaviest first
     * @param list<GraphEdge>          $edges
     * @param int|float                $total what 100 % is
     */
    private function __construct(
        public readonly string $metric,
        public readonly int|float $total,
        public readonly array $nodes,
        public readonly array $edges,
        public readonly bool $isDiff,
    ) {
    }

    /**
     * @throws UnknownMetric|UnknownSymbol
     */
    public static function of(Profile $run, GraphOptions $options = new GraphOptions()): self
    {
        $metric = self::metric($run->metrics(), $options);
        $recorded = RecordedCalls::of($run, $metric, $options->foldRecursion);
        $nodes = [];
        foreach ($recorded->functions as $name => $figures) {
            $nodes[$name] = new GraphNode($name, $figures, recursive: isset($recorded->recursive[$name]));
        }
        $edges = [];
        foreach ($recorded->calls as ['from' => $from, 'to' => $to, 'incl' => $incl, 'ct' => $calls]) {
            $edges[] = new GraphEdge($from, $to, abs($incl), $incl, $calls);
        }

        return self::select($nodes, $edges, $metric, $run->totals()[$metric], $options, false);
    }

    /**
     * Both runs in one graph: what matters is chosen by the larger of the two figures.
     *
     * @throws UnknownMetric|UnknownSymbol
     */
    public static function ofDiff(Profile $a, Profile $b, GraphOptions $options = new GraphOptions()): self
    {
        $metric = self::metric(array_values(array_intersect($a->metrics(), $b->metrics())), $options);
        $before = RecordedCalls::of($a, $metric, $options->foldRecursion);
        $now = RecordedCalls::of($b, $metric, $options->foldRecursion);
        $none = ['ct' => 0, 'incl' => 0, 'excl' => 0];
        $nodes = [];
        foreach ($now->functions + $before->functions as $name => $_) {
            $isRecursive = isset($now->recursive[$name]) || isset($before->recursive[$name]);
            $figures = [$now->functions[$name] ?? $none, $before->functions[$name] ?? $none];
            $nodes[$name] = new GraphNode($name, $figures[0], $figures[1], $isRecursive);
        }
        $edges = [];
        foreach ($now->calls + $before->calls as $key => ['from' => $from, 'to' => $to]) {
            $is = $now->calls[$key] ?? $none;
            $was = $before->calls[$key] ?? $none;
            $weight = max(abs($is['incl']), abs($was['incl']));
            $edges[] = new GraphEdge($from, $to, $weight, $is['incl'] - $was['incl'], $is['ct'] - $was['ct']);
        }

        return self::select($nodes, $edges, $metric, max($a->totals()[$metric], $b->totals()[$metric]), $options, true);
    }

    /**
     * For the classic functions, which have tables and no profiles.
     *
     * @param array<string, array<string, int|float>> $before rows of FlatReport
     * @param array<string, array<string, int|float>> $now    rows of FlatReport
     * @param array<string, array<string, int|float>> $edges  differences of the edges
     *
     * @throws UnknownSymbol
     */
    public static function ofTables(
        array $before,
        array $now,
        array $edges,
        string $metric,
        int|float $total,
        GraphOptions $options,
    ): self {
        $nodes = [];
        foreach ($now + $before as $name => $_) {
            $nodes[$name] = new GraphNode(
                $name,
                self::figures($now[$name] ?? [], $metric),
                self::figures($before[$name] ?? [], $metric),
            );
        }
        $changed = [];
        foreach ($edges as $key => $row) {
            [$from, $to] = EdgeKey::parse($key);
            if ($from !== null && $from !== $to) {
                $change = $row[$metric] ?? 0;
                $changed[] = new GraphEdge($from, $to, abs($change), $change, $row['ct'] ?? 0);
            }
        }

        return self::select($nodes, $changed, $metric, $total, $options, true);
    }

    /**
     * @param list<string> $metrics
     */
    private static function metric(array $metrics, GraphOptions $options): string
    {
        $metric = $options->metric ?? $metrics[0] ?? throw new UnknownMetric('there is no metric to draw a call graph of');

        return in_array($metric, $metrics, true)
            ? $metric
            : throw new UnknownMetric('the profile has no metric "' . \XHProf\Format\Text::printable($metric) . '"');
    }

    /**
     * @param array<string, int|float> $row
     *
     * @return array{ct: int|float, incl: int|float, excl: int|float}
     */
    private static function figures(array $row, string $metric): array
    {
        return ['ct' => $row['ct'] ?? 0, 'incl' => $row[$metric] ?? 0, 'excl' => $row["excl_$metric"] ?? 0];
    }

    /**
     * @param array<string, GraphNode> $nodes
     * @param list<GraphEdge>          $edges
     */
    private static function select(
        array $nodes,
        array $edges,
        string $metric,
        int|float $total,
        GraphOptions $options,
        bool $isDiff,
    ): self {
        if ($options->func !== null && !isset($nodes[$options->func])) {
            $name = \XHProf\Format\Text::printable($options->func);
            throw new UnknownSymbol("the run has no function \"$name\"");
        }
        $edges = array_values(array_filter($edges, static fn (GraphEdge $edge): bool
            => isset($nodes[$edge->from], $nodes[$edge->to])));
        uasort($nodes, static fn (GraphNode $a, GraphNode $b): int
            => $b->weight() <=> $a->weight() ?: strcmp($a->name, $b->name));
        usort($edges, static fn (GraphEdge $a, GraphEdge $b): int
            => $b->weight <=> $a->weight ?: strcmp($a->from, $b->from) ?: strcmp($a->to, $b->to));
        $selection = new Selection($nodes, $edges, $total, $options);
        $drawn = $selection->edges();

        return new self($metric, $total, self::withRest($selection->nodes(), $edges, $drawn), $drawn, $isDiff);
    }

    /**
     * @param array<string, GraphNode> $nodes
     * @param list<GraphEdge>          $edges all there are
     * @param list<GraphEdge>          $drawn
     *
     * @return array<string, GraphNode> which know how many of their callers and callees no line shows
     */
    private static function withRest(array $nodes, array $edges, array $drawn): array
    {
        $callers = [];
        $callees = [];
        foreach ([[1, $edges], [-1, $drawn]] as [$sign, $list]) {
            foreach ($list as $edge) {
                $callers[$edge->to] = ($callers[$edge->to] ?? 0) + $sign;
                $callees[$edge->from] = ($callees[$edge->from] ?? 0) + $sign;
            }
        }

        return array_map(
            static fn (GraphNode $node): GraphNode => $node->withRest($callers[$node->name] ?? 0, $callees[$node->name] ?? 0),
            $nodes,
        );
    }
}
