<?php

declare(strict_types=1);

namespace XHProf\Compare;

/**
 * One function in two runs: its own values, with the exclusive ones, its callers and its callees, each as a, b and b minus a.
 *
 * @phpstan-type Figures array<string, int|float>
 * @phpstan-type Neighbour array{status: 'both'|'new'|'gone', a: Figures, b: Figures, delta: Figures}
 */
final class SymbolDiff
{
    /**
     * @param Neighbour                $self
     * @param array<string, Neighbour> $parents  per caller, the largest change of the first metric first
     * @param array<string, Neighbour> $children per callee, likewise
     */
    public function __construct(
        public readonly string $symbol,
        public readonly array $self,
        public readonly array $parents,
        public readonly array $children,
    ) {
    }
}
