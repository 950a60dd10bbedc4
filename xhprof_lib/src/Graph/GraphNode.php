<?php

declare(strict_types=1);

namespace XHProf\Graph;

/** One function in a call graph. In a graph of two runs the values are the second one's and "before" the first one's. */
final class GraphNode
{
    /**
     * @param array{ct: int|float, incl: int|float, excl: int|float}      $now
     * @param array{ct: int|float, incl: int|float, excl: int|float}|null $before null in a graph of one run
     * @param bool $recursive whether it called itself
     * @param int  $callers   functions that call it whose calls are not in the graph
     * @param int  $callees   functions it calls, likewise
     */
    public function __construct(
        public readonly string $name,
        public readonly array $now,
        public readonly ?array $before = null,
        public readonly bool $recursive = false,
        public readonly int $callers = 0,
        public readonly int $callees = 0,
    ) {
    }

    public function withRest(int $callers, int $callees): self
    {
        return new self($this->name, $this->now, $this->before, $this->recursive, $callers, $callees);
    }

    /**
     * @return int|float how much it matters: its inclusive figure, in a graph of two runs the larger one
     */
    public function weight(): int|float
    {
        return max(abs($this->now['incl']), abs($this->before['incl'] ?? 0));
    }

    /**
     * @param 'ct'|'incl'|'excl' $metric
     */
    public function delta(string $metric): int|float
    {
        return $this->now[$metric] - ($this->before[$metric] ?? 0);
    }
}
