<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

/** How much a shipper takes at once, and how long it goes on. */
final class ShipLimits
{
    /** Attempts of a command that ends, for a server that is away: with pauses of 1 and 2 seconds. */
    public const ATTEMPTS_ONCE = 3;

    /**
     * @param int      $runs     most runs of a batch
     * @param int      $bytes    of their trees; the last run of a batch may exceed it
     * @param int|null $attempts for which a store may be away; null: it waits for ever
     */
    public function __construct(
        public readonly int $runs = 100,
        public readonly int $bytes = 1 << 19,
        public readonly ?int $attempts = null,
    ) {
    }
}
