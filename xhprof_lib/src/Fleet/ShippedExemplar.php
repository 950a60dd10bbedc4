<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Profile\CallTree;
use XHProf\Store\Exemplars;

/** A single request that an aggregate has kept, as it leaves its host: see ShippedRun. */
final class ShippedExemplar
{
    /**
     * @param Exemplars::SLOWEST|Exemplars::RANDOM $kind
     * @param float  $at   when the request ended, seconds since 1970; 0 if it is not known
     * @param string $run  "id.source", under which the host's own pages open it
     */
    public function __construct(
        public readonly string $route,
        public readonly string $kind,
        public readonly float $at,
        public readonly int $wallUs,
        public readonly int $cpuUs,
        public readonly bool $isFailed,
        public readonly string $run,
        public readonly CallTree $tree,
    ) {
    }
}
