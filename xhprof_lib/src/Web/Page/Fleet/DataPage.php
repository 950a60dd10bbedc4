<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Arrivals;
use XHProf\Format\Units;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Http\Response;

/** show=data: which hosts have sent what, and how late they are. */
final class DataPage
{
    /** µs after which a host is late: a window of the longest usual length, and what sending takes. */
    private const LATE = 900_000_000;

    public function __construct(private readonly Asked $asked)
    {
    }

    public function respond(): Response
    {
        $query = $this->asked->query;
        $client = $this->asked->client;
        $version = (new Migrations($client, new Ddl()))->version();
        $hosts = (new Arrivals($client))->hosts($query->selection->service, time());
        $late = array_filter($hosts, static fn (array $host): bool => $host['late_us'] > self::LATE);
        $table = new Table('hosts', 'Hosts', 'Hosts, with how late they are', [
            'host' => Table::words('Host'),
            'service' => Table::words('Service'),
            'late' => Table::number('Late by', 'Age of the newest run that has arrived'),
            'runs' => Table::number('Runs', 'Runs of the last weeks', Table::MEDIUM),
        ], 'No run has arrived.', 'the latest first');
        foreach ($hosts as $host) {
            $own = ['service' => $host['service']];
            $table->add([
                Table::name($host['host'], $query->url('routes', $own + ['host' => $host['host']]), '(no name)'),
                Table::text($host['service'], $query->url('routes', $own)),
                Table::time($host['late_us']),
                Table::count($host['runs']),
            ]);
        }

        return $this->asked->page($this->asked->top('data', 'Data'), [
            Asked::tiles([
                ['label' => 'Hosts', 'text' => Units::count(count($hosts)), 'exact' => 'that have sent runs'],
                ['label' => 'Late', 'text' => Units::count(count($late)), 'exact' => 'no run of the last 15 minutes'],
                [
                    'label' => 'Runs', 'text' => Units::count(array_sum(array_column($hosts, 'runs'))),
                    'exact' => 'that are known by their keys',
                ],
                [
                    'label' => 'Version of the store', 'text' => (string) $version,
                    'exact' => 'this program knows version ' . Migrations::newest(),
                ],
            ]),
            $version < Migrations::newest()
                ? Asked::notice('The store is older than this program: bin/xhprof fleet upgrade', 'warning')
                : null,
            $this->asked->sortable($table, 'data'),
        ]);
    }
}
