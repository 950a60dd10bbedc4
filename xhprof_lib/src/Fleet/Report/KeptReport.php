<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\Kept;
use XHProf\Fleet\Question\Selection;
use XHProf\Memory\GrowthReport;
use XHProf\Report\Report;

/** Which call paths of a fleet keep memory beyond their requests, and whether that grows. */
final class KeptReport
{
    private function __construct()
    {
    }

    public static function report(Client $client, Selection $which): Report
    {
        return GrowthReport::of((new Kept($client))->paths($which))->report();
    }
}
