<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

/** How much a shipper takes at once, and how long it goes on. */
final class ShipLimits
{
    /** Attempts of a command that ends, for a server that is away: with pauses of 1 and 2 seconds. */
    public const ATTEMPTS_ONCE = 3;

    /** Seconds without a success after which such a command ends, whatever the store asks for. */
    public const SECONDS_ONCE = 60.0;

    /**
     * @param int      $runs     most runs of a batch
     * @param int      $numbers  of their trees, see Run::numbers(); the last run of a batch may exceed it
     * @param int|null $attempts for which a store may be away; null: it waits for ever
     * @param float|null $seconds without a success after which it gives up; null: never
     */
    public function __construct(
        public readonly int $runs = 100,
        public readonly int $numbers = 1 << 17,
        public readonly ?int $attempts = null,
        public readonly ?float $seconds = null,
    ) {
    }

    /** Returns the limits of a command that sends what there is and ends. */
    public static function once(): self
    {
        return new self(attempts: self::ATTEMPTS_ONCE, seconds: self::SECONDS_ONCE);
    }
}
