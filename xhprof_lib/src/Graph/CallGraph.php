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
        $nodes = [];
        foreach (FlatReport::of($run)->rows() as $name => $row) {
            $nodes[$name] = new GraphNode($name, self::figures($row, $metric));
        }

        return self::select($nodes, $run->edges(), $metric, $run->totals()[$metric], $options, false);
    }

    /**
     * @throws UnknownMetric|UnknownSymbol
     */
    public static function ofDiff(Profile $a, Profile $b, GraphOptions $options = new GraphOptions()): self
    {
        $metric = self::metric(array_values(array_intersect($a->metrics(), $b->metrics())), $options);
        $edges = [];
        foreach ($b->edges() + $a->edges() as $key => $_) {
            $before = $a->edges()[$key] ?? [];
            $now = $b->edges()[$key] ?? [];
            $edges[$key] = [
                'ct' => ($now['ct'] ?? 0) - ($before['ct'] ?? 0),
                $metric => ($now[$metric] ?? 0) - ($before[$metric] ?? 0),
            ];
        }
        $total = max($a->totals()[$metric], $b->totals()[$metric]);

        return self::ofTables(FlatReport::of($a)->rows(), FlatReport::of($b)->rows(), $edges, $metric, $total, $options);
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

        return self::select($nodes, $edges, $metric, $total, $options, true);
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
     * @param array<string, GraphNode>          $nodes
     * @param array<string, array<string, int|float>> $rows
     */
    private static function select(
        array $nodes,
        array $rows,
        string $metric,
        int|float $total,
        GraphOptions $options,
        bool $isDiff,
    ): self {
        if ($options->func !== null && !isset($nodes[$options->func])) {
            $name = \XHProf\Format\Text::printable($options->func);
            throw new UnknownSymbol("the run has no function \"$name\"");
        }
        $edges = [];
        foreach ($rows as $key => $row) {
            [$from, $to] = EdgeKey::parse($key);
            if ($from !== null && isset($nodes[$from], $nodes[$to])) {
                $edges[] = new GraphEdge($from, $to, abs($row[$metric] ?? 0), $row['ct'] ?? 0);
            }
        }
        uasort($nodes, static fn (GraphNode $a, GraphNode $b): int
            => [$b->weight(), $a->name] <=> [$a->weight(), $b->name]);
        usort($edges, static fn (GraphEdge $a, GraphEdge $b): int
            => [$b->weight, $a->from, $a->to] <=> [$a->weight, $b->from, $b->to]);
        $selection = new Selection($nodes, $edges, $total, $options);

        return new self($metric, $total, $selection->nodes(), $selection->edges(), $isDiff);
    }
}
