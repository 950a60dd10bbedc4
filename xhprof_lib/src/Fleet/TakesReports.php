<?php

declare(strict_types=1);

namespace XHProf\Fleet;

/** An output that keeps what its shippers report of themselves. */
interface TakesReports extends Output
{
    /** @throws Rejected|Unavailable */
    public function report(ShipperReport $report): void;
}
