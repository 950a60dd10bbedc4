<?php

declare(strict_types=1);

namespace XHProf\Graph;

/**
 * The calls of one function to another.
 */
final class GraphEdge
{
    /**
     * @param int|float $weight weight for selection and layout: the value without its sign, in a graph of two runs the larger
     *     one's
     * @param int|float $figure inclusive value of the calls; in a graph of two runs its change
     * @param int|float $calls  likewise
     * @param int|float $before     inclusive figure in the first of two runs
     * @param int|float $callsBefore likewise
     */
    public function __construct(
        public readonly string $from,
        public readonly string $to,
        public readonly int|float $weight,
        public readonly int|float $figure,
        public readonly int|float $calls,
        public readonly bool $critical = false,
        public readonly int|float $before = 0,
        public readonly int|float $callsBefore = 0,
    ) {
    }

    public function asCritical(): self
    {
        $values = [$this->weight, $this->figure, $this->calls, true, $this->before, $this->callsBefore];

        return new self($this->from, $this->to, ...$values);
    }
}
