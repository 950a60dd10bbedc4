<?php

declare(strict_types=1);

namespace XHProf\Graph;

/**
 * The calls of one function to another.
 */
final class GraphEdge
{
    /**
     * @param int|float $weight inclusive figure of the calls; in a graph of two runs what they differ by, without its sign
     */
    public function __construct(
        public readonly string $from,
        public readonly string $to,
        public readonly int|float $weight,
        public readonly int|float $calls,
        public readonly bool $critical = false,
    ) {
    }
}
