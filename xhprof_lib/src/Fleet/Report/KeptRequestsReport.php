<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\KeptRequests;
use XHProf\Fleet\Question\Selection;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Single requests that hosts have kept whole, the slowest first. */
final class KeptRequestsReport
{
    private const NONE = 'No request of this selection was kept: hosts that send windows keep the slowest request of each route '
        . 'and window.';

    private function __construct()
    {
    }

    /**
     * @param string $title    on a page
     * @param bool   $hasRoute whether pages name the route of each
     */
    public static function report(Client $client, Selection $which, int $most, string $title = '', bool $hasRoute = true): Report
    {
        $rows = array_map(
            static fn (array $one): array => ['at' => $one['at'], 'failed' => $one['failed'] ? 'failed' : ''] + $one,
            (new KeptRequests($client))->slowest($which, $most),
        );

        return new Report([new Table('rows', [
            new Column('wall_us', Unit::Microseconds, 'wall', 0, Metrics::of('wt')->label, sort: 'wall'),
            new Column('cpu_us', Unit::Microseconds, 'CPU', Column::PHONE, help: Metrics::of('cpu')->label, sort: 'cpu'),
            new Column('route', Unit::Name, 'route', label: $hasRoute ? null : ''),
            new Column('at', Unit::Moment, 'began', Column::PHONE + 1, 'Time', 'When its window began', 'began'),
            new Column('host', Unit::Text, 'host', 1),
            new Column('release', Unit::Text, 'release', Column::NARROW + 2),
            new Column('kind', Unit::Text, 'kind', Column::NARROW + 1, 'Kept as', 'Why it was kept'),
            new Column('failed', Unit::Mark, '', Column::NARROW),
            new Column('run', Unit::Text, 'run', label: ''),
        ], $rows, self::NONE, $title, 'Single requests, the slowest first', printed: [
            'at', 'wall_us', 'cpu_us', 'failed', 'kind', 'host', 'release', 'route', 'run',
        ])]);
    }
}
