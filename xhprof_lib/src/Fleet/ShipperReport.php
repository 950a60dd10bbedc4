<?php

declare(strict_types=1);

namespace XHProf\Fleet;

/** What a shipper has done since its state began, and what waits: a store shows what never reached it. */
final class ShipperReport
{
    /**
     * @param string   $id       of the shipper's state: a host may have several
     * @param string   $host     label of its runs
     * @param string   $service  label of its runs; '' if each has its own
     * @param float    $at       seconds since 1970
     * @param int      $sent     runs that the store has confirmed
     * @param int      $dropped  runs that left the folder unsent
     * @param int      $rejected runs that the store refused
     * @param int      $damaged  runs that could not be read
     * @param int      $others   values of labels, and routes, that became Shipment::OTHER
     * @param int      $waiting  runs
     * @param int|null $oldest   of these, seconds since 1970; without those that were set aside
     */
    public function __construct(
        public readonly string $id,
        public readonly string $host,
        public readonly string $service,
        public readonly float $at,
        public readonly int $sent,
        public readonly int $dropped,
        public readonly int $rejected,
        public readonly int $damaged,
        public readonly int $others,
        public readonly int $waiting,
        public readonly ?int $oldest,
    ) {
    }
}
