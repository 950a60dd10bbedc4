<?php

declare(strict_types=1);

namespace XHProf\Check;

/** Bounds of one figure. */
final class Limit
{
    /** @param non-empty-list<Bound> $bounds */
    public function __construct(public readonly FigureName $figure, public readonly array $bounds)
    {
    }

    public function needsBaseline(): bool
    {
        return array_filter($this->bounds, static fn (Bound $bound): bool => $bound->isGrowth) !== [];
    }
}
