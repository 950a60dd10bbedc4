<?php

declare(strict_types=1);

namespace XHProf\Graph;

/** Selects the part of a run that a call graph shows. */
final class GraphOptions
{
    /**
     * @param string|null $metric       null: the first the run has, wall time if it can be
     * @param float       $threshold    least share of the total a function needs, 0 to 1
     * @param string|null $func         only this function, its callers and its callees
     * @param bool        $criticalPath mark the path of the heaviest calls
     * @param int         $maxNodes     layout time grows steeply: 150 functions take about a second, 400 several
     * @param float       $minEdge      least share of the total an edge needs, unless it is a function's heaviest
     * @param bool        $foldRecursion the levels of a recursion (f, f@1, f@2) as one function
     * @param string|null $focus        only direct and indirect callers and callees of this function; all if the run has no
     *     such function
     * @param bool        $internals    with PHP's own functions; else their values go to their callers
     */
    public function __construct(
        public readonly ?string $metric = null,
        public readonly float $threshold = 0.01,
        public readonly ?string $func = null,
        public readonly bool $criticalPath = true,
        public readonly int $maxNodes = 120,
        public readonly float $minEdge = 0.005,
        public readonly bool $foldRecursion = false,
        public readonly ?string $focus = null,
        public readonly bool $internals = true,
    ) {
    }
}
