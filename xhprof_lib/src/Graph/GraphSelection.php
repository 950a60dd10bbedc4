<?php

declare(strict_types=1);

namespace XHProf\Graph;

/**
 * Chooses nodes and edges for CallGraph. Used once per graph.
 *
 * @internal
 */
final class GraphSelection
{
    /** @var array<string, true> */
    private array $kept = [];

    /** @var array<string, string> caller => callee, of the critical path */
    private array $path = [];

    /**
     * @param array<string, GraphNode> $nodes heaviest first
     * @param int|float                $base  the whole for thresholds
     */
    public function __construct(
        private readonly array $nodes,
        private readonly Calls $calls,
        private readonly int|float $base,
        private readonly GraphOptions $options,
    ) {
        if ($options->func !== null) {
            $this->keepNeighbours($options->func);

            return;
        }
        if ($options->focus !== null && isset($nodes[$options->focus])) {
            $this->kept[$options->focus] = true;
        }
        if ($options->criticalPath) {
            $this->followPath();
        }
        foreach ($nodes as $name => $node) {
            if (count($this->kept) >= $options->maxNodes) {
                break;
            }
            if ($node->weight() >= $options->threshold * abs($base)) {
                $this->kept[$name] = true;
            }
        }
    }

    /**
     * @return array<string, GraphNode> heaviest first
     */
    public function nodes(): array
    {
        return array_intersect_key($this->nodes, $this->kept);
    }

    /**
     * @param list<GraphEdge> $between those between nodes(), heaviest first
     *
     * @return list<GraphEdge> heaviest first
     */
    public function edges(array $between): array
    {
        $least = $this->options->minEdge * abs($this->base);
        $reached = [];
        $edges = [];
        foreach ($between as $edge) {
            $func = $this->options->func;
            $critical = ($this->path[$edge->from] ?? null) === $edge->to;
            // Edges come heaviest first: the first one that reaches a node explains it.
            $explains = !isset($reached[$edge->to]);
            if ($func !== null ? $edge->from === $func || $edge->to === $func : $critical || $explains || $edge->weight >= $least) {
                $edges[] = $critical ? $edge->asCritical() : $edge;
                $reached[$edge->to] = true;
            }
        }

        return $edges;
    }

    private function keepNeighbours(string $func): void
    {
        $this->kept[$func] = true;
        foreach ($this->calls->touching($func) as $at) {
            if (count($this->kept) >= $this->options->maxNodes) {
                break;
            }
            $this->kept[$this->calls->from[$at]] = $this->kept[$this->calls->to[$at]] = true;
        }
    }

    /** From the heaviest function without a caller along the heaviest call of each. */
    private function followPath(): void
    {
        $heaviest = $this->calls->heaviest();
        $roots = array_filter(array_keys($this->nodes), fn (string $name): bool => !$this->calls->isCalled($name));
        $name = array_values($roots)[0] ?? array_key_first($this->nodes);
        $seen = [];
        while ($name !== null && !isset($seen[$name]) && $this->hasRoomFor($name)) {
            $seen[$name] = true;
            $this->kept[$name] = true;
            $next = $heaviest[$name] ?? null;
            if ($next !== null && !isset($seen[$next]) && $this->hasRoomFor($next)) {
                $this->path[$name] = $next;
            }
            $name = $next;
        }
    }

    private function hasRoomFor(string $name): bool
    {
        return isset($this->kept[$name]) || count($this->kept) < $this->options->maxNodes;
    }
}
