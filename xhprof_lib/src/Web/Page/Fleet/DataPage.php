<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Arrivals;
use XHProf\Fleet\Question\LabelValues;
use XHProf\Format\Units;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Http\Response;

/** show=data: which hosts have sent what, and how late they are. */
final class DataPage
{
    /** µs after which a host is late: a window of the longest usual length, and what sending takes. */
    private const LATE = 900_000_000;

    /** Columns of the store, in words. */
    private const LABELS = [
        'service' => 'Service', 'env' => 'Environment', 'route' => 'Route', 'release' => 'Release', 'host' => 'Host',
    ];

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
            $this->labels(),
        ]);
    }

    /** How many values the labels have: that decides how many rows the store has. */
    private function labels(): Table
    {
        $table = new Table('labels', 'Labels', 'Labels of requests, with how many values each has', [
            'label' => Table::words('Label'),
            'values' => Table::number('Values', 'Different values'),
            'requests' => Table::number('Requests', 'Requests that have it', Table::MEDIUM),
            'other' => Table::number('Without room', 'Requests whose value is (other): a host had too many before'),
            'hosts' => Table::number('Hosts', 'Hosts that send it', Table::WIDE),
        ], 'No requests of this selection have arrived.', 'of the requests of ' . $this->asked->query->period());
        foreach ((new LabelValues($this->asked->client))->names($this->asked->query->selection) as $one) {
            $table->add([
                Table::name($one['is_free'] ? $one['label'] : self::LABELS[$one['label']] ?? $one['label'], null),
                Table::count($one['values']),
                Table::count($one['requests']),
                Table::count($one['other'], true),
                Table::count($one['hosts']),
            ]);
        }

        return $table;
    }
}
