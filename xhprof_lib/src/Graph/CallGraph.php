<?php

declare(strict_types=1);

namespace XHProf\Graph;

use XHProf\Exception\UnknownMetric;
use XHProf\Exception\UnknownSymbol;
use XHProf\Functions\FlatReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * The part of a run (or of two) worth drawing: functions above a threshold, their heavier calls, the critical path.
 */
final class CallGraph
{
    /**
     * @param array<string, GraphNode> $nodes heaviest first
     * @param list<GraphEdge>          $edges heaviest first
     * @param int|float                $total value of 100 %
     * @param list<array{string, string}> $vias functions whose calls, not drawn, lead to functions without a drawn call
     * @param int                      $functions number of functions to choose from
     * @param string|null              $focus the one that all is about
     */
    private function __construct(
        public readonly string $metric,
        public readonly int|float $total,
        public readonly array $nodes,
        public readonly array $edges,
        public readonly bool $isDiff,
        public readonly array $vias,
        public readonly int $functions,
        public readonly ?string $focus,
    ) {
    }

    /**
     * @throws UnknownMetric|UnknownSymbol
     */
    public static function ofProfile(Profile $run, GraphOptions $options = new GraphOptions()): self
    {
        $metric = self::metric($run->metrics(), $options);
        [$recorded] = self::recorded([$run], $metric, $options);
        $nodes = [];
        foreach ($recorded->functions as $name => $values) {
            $nodes[$name] = new GraphNode($name, $values, recursive: isset($recorded->recursive[$name]));
        }
        $weights = array_map(abs(...), array_column($recorded->calls, 'incl'));

        $calls = array_values($recorded->calls);
        $total = $run->total($metric);

        return self::select($nodes, $calls, $weights, self::edge(...), $metric, $total, $options, false, $recorded->base);
    }

    /**
     * Both runs in one graph: the larger of the two values decides on the selection.
     *
     * @throws UnknownMetric|UnknownSymbol
     */
    public static function ofDiff(Profile $a, Profile $b, GraphOptions $options = new GraphOptions()): self
    {
        $metric = self::metric(array_values(array_intersect($a->metrics(), $b->metrics())), $options);
        [$before, $now] = self::recorded([$a, $b], $metric, $options);
        $none = ['ct' => 0, 'incl' => 0, 'excl' => 0];
        $nodes = [];
        foreach ($now->functions + $before->functions as $name => $_) {
            $isRecursive = isset($now->recursive[$name]) || isset($before->recursive[$name]);
            $values = [$now->functions[$name] ?? $none, $before->functions[$name] ?? $none];
            $nodes[$name] = new GraphNode($name, $values[0], $values[1], $isRecursive);
        }
        $calls = $now->calls + $before->calls;
        $weights = [];
        foreach ($calls as $key => $_) {
            $weights[] = max(abs($now->calls[$key]['incl'] ?? 0), abs($before->calls[$key]['incl'] ?? 0));
        }
        $edge = static function (array $call, int|float $weight) use ($now, $before, $none): GraphEdge {
            ['from' => $from, 'to' => $to] = $call;
            $is = $now->calls[EdgeKey::build($from, $to)] ?? $none;
            $was = $before->calls[EdgeKey::build($from, $to)] ?? $none;
            [$change, $count] = [$is['incl'] - $was['incl'], $is['ct'] - $was['ct']];

            return new GraphEdge($from, $to, $weight, $change, $count, false, $was['incl'], $was['ct']);
        };
        $total = max($a->total($metric), $b->total($metric));
        $base = $before->base === null && $now->base === null ? null : max($before->base ?? 0, $now->base ?? 0);

        return self::select($nodes, array_values($calls), $weights, $edge, $metric, $total, $options, true, $base);
    }

    /**
     * The calls of one run or two to choose from.
     *
     * @param non-empty-list<Profile> $runs
     *
     * @return non-empty-list<RecordedCalls>
     */
    private static function recorded(array $runs, string $metric, GraphOptions $options): array
    {
        $all = [];
        foreach ($runs as $run) {
            $all[] = RecordedCalls::fromProfile($run, $metric, $options->foldRecursion, $options->internals);
        }
        $focus = $options->focus;
        $found = array_filter($all, static fn (RecordedCalls $one): bool => $focus !== null && isset($one->functions[$focus]));
        if ($focus === null || $found === []) {
            return $all;
        }

        // A run that lacks the function has nothing around it.
        return array_map(static fn (RecordedCalls $one): RecordedCalls
            => isset($one->functions[$focus]) ? $one->around($focus) : new RecordedCalls([], [], [], 0), $all);
    }

    /**
     * For the classic functions, which use tables instead of profiles.
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
                self::metrics($now[$name] ?? [], $metric),
                self::metrics($before[$name] ?? [], $metric),
            );
        }
        $calls = [];
        foreach ($edges as $key => $row) {
            [$from, $to] = EdgeKey::parse($key);
            if ($from !== null && $from !== $to && isset($nodes[$from], $nodes[$to])) {
                $calls[] = ['from' => $from, 'to' => $to, 'incl' => $row[$metric] ?? 0, 'ct' => $row['ct'] ?? 0];
            }
        }
        $weights = array_map(abs(...), array_column($calls, 'incl'));

        return self::select($nodes, $calls, $weights, self::edge(...), $metric, $total, $options, true);
    }

    /**
     * @param list<string> $metrics
     */
    private static function metric(array $metrics, GraphOptions $options): string
    {
        $metric = $options->metric ?? $metrics[0] ?? throw new UnknownMetric('a call graph needs a metric, and the run has none');

        return in_array($metric, $metrics, true)
            ? $metric
            : throw new UnknownMetric('the profile has no metric "' . \XHProf\Format\Text::printable($metric) . '"');
    }

    /**
     * @param array<string, int|float> $row
     *
     * @return array{ct: int|float, incl: int|float, excl: int|float}
     */
    private static function metrics(array $row, string $metric): array
    {
        return ['ct' => $row['ct'] ?? 0, 'incl' => $row[$metric] ?? 0, 'excl' => $row["excl_$metric"] ?? 0];
    }

    /** @param array{from: string, to: string, incl: int|float, ct: int|float} $call */
    private static function edge(array $call, int|float $weight): GraphEdge
    {
        return new GraphEdge($call['from'], $call['to'], $weight, $call['incl'], $call['ct']);
    }

    /**
     * @param array<string, GraphNode> $nodes
     * @param list<array{from: string, to: string, incl: int|float, ct: int|float}> $calls
     * @param list<int|float>          $weights of the calls
     * @param \Closure(array{from: string, to: string, incl: int|float, ct: int|float}, int|float): GraphEdge $edge
     */
    private static function select(
        array $nodes,
        array $calls,
        array $weights,
        \Closure $edge,
        string $metric,
        int|float $total,
        GraphOptions $options,
        bool $isDiff,
        int|float|null $base = null,
    ): self {
        if ($options->func !== null && !isset($nodes[$options->func])) {
            $name = \XHProf\Format\Text::printable($options->func);
            throw new UnknownSymbol("the run has no function \"$name\"");
        }
        $all = new Calls(array_column($calls, 'from'), array_column($calls, 'to'), $weights);
        // The heaviest first, equal ones by name.
        $sizes = array_map(static fn (GraphNode $node): int|float => $node->weight(), array_values($nodes));
        $names = array_column($nodes, 'name');
        array_multisort($sizes, SORT_DESC, SORT_NUMERIC, $names, SORT_ASC, SORT_STRING, $nodes);
        $selection = new GraphSelection($nodes, $all, $base ?? $total, $options);
        $shown = $selection->nodes();
        $edges = array_map(static fn (int $at): GraphEdge => $edge($calls[$at], $weights[$at]), $all->between($shown));
        $drawn = $selection->edges($edges);
        $shown = self::withRest($shown, $all, $drawn);
        $focus = $base === null ? null : $options->focus;

        return new self($metric, $total, $shown, $drawn, $isDiff, IndirectLinks::find($shown, $all, $drawn), count($nodes), $focus);
    }

    /**
     * @param array<string, GraphNode> $nodes
     * @param list<GraphEdge>          $drawn
     *
     * @return array<string, GraphNode> with the numbers of their callers and callees that are not drawn
     */
    private static function withRest(array $nodes, Calls $all, array $drawn): array
    {
        $callers = array_count_values($all->to);
        $callees = array_count_values($all->from);
        foreach ($drawn as $edge) {
            $callers[$edge->to]--;
            $callees[$edge->from]--;
        }

        return array_map(
            static fn (GraphNode $node): GraphNode => $node->withRest($callers[$node->name] ?? 0, $callees[$node->name] ?? 0),
            $nodes,
        );
    }
}
