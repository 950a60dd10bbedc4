<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Arrivals;
use XHProf\Fleet\Question\Cells;
use XHProf\Fleet\Question\LabelValues;
use XHProf\Fleet\Question\Volume;
use XHProf\Format\Units;
use XHProf\Web\Fleet\FleetQuery;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Http\Response;

/**
 * show=data: which hosts have sent what, how late they are and what never arrived; how many values labels have, how much is
 * stored. values: a label whose values are listed.
 *
 * @phpstan-import-type Loss from Arrivals
 */
final class DataPage extends FleetPart
{
    /** µs after which a host is late: a window of the longest usual length, and what sending takes. */
    private const LATE = 900_000_000;

    private const VALUES = 200;

    public function respond(): Response
    {
        $client = $this->client;
        $version = (new Migrations($client, new Ddl()))->version();
        $hosts = (new Arrivals($client))->hosts($this->query->selection->service, time());
        $late = array_filter($hosts, static fn (array $host): bool => $host['late_us'] > self::LATE);
        $isNew = $version >= Migrations::newest();
        $losses = $isNew ? (new Arrivals($client))->losses() : [];

        return $this->asked->page($this->asked->top('data', 'Data'), [
            Asked::tiles([
                ['label' => 'Hosts', 'text' => Units::count(count($hosts)), 'exact' => 'that have sent runs'],
                ['label' => 'Late', 'text' => Units::count(count($late)), 'exact' => 'no run of the last 15 minutes'],
                [
                    'label' => 'Runs', 'text' => Units::count(Cells::sum(array_column($hosts, 'runs'))),
                    'exact' => 'that are known by their keys',
                ],
                [
                    'label' => 'Version of the store', 'text' => (string) $version,
                    'exact' => 'this program knows version ' . Migrations::newest(),
                ],
            ]),
            $isNew ? null : Asked::notice('The store is older than this program: bin/xhprof fleet upgrade', 'warning'),
            $this->asked->sortable($this->hosts($hosts, $losses), 'data'),
            ...$isNew ? [$this->values(), $this->labels()] : [],
            $this->volume(),
        ]);
    }

    /**
     * @param list<array{service: string, host: string, runs: int, late_us: int}> $hosts
     * @param array<string, Loss> $losses
     */
    private function hosts(array $hosts, array $losses): Table
    {
        $table = new Table('hosts', 'Hosts', 'Hosts, with how late they are and what they lost', [
            'host' => Table::words('Host'),
            'service' => Table::words('Service', 'Service', Table::MEDIUM),
            'late' => Table::number('Late by', 'Age of the newest run that has arrived'),
            'runs' => Table::number('Runs', 'Runs that have arrived and whose keys are still known', Table::MEDIUM),
            'waiting' => Table::number('Waiting', 'Runs that are still to be sent', Table::WIDE),
            'dropped' => Table::number('Dropped', 'Runs that left their folder before they were sent'),
            'rejected' => Table::number('Refused', 'Runs that the store did not take', Table::WIDE),
            'damaged' => Table::number('Damaged', 'Runs that could not be read', Table::WIDE),
            'others' => Table::number('Without room', 'Values of labels that became (other)', Table::WIDE),
        ], 'No run has arrived.', 'the latest first; what never arrived is as the shippers reported last');
        foreach ($hosts as $host) {
            $own = ['service' => $host['service']];
            $loss = $losses["\0{$host['host']}"] ?? null;
            $table->add([
                Table::name($host['host'], $this->query->url('routes', $own + ['host' => $host['host']]), '(no name)'),
                Table::text($host['service'], $this->query->url('routes', $own)),
                ['value' => $host['late_us']] + Table::text(Units::age(intdiv($host['late_us'], 1000000))),
                Table::count($host['runs']),
                ...array_map(
                    static fn (string $key): array => $loss === null ? Table::text('-') : Table::count($loss[$key]),
                    ['waiting', 'dropped', 'rejected', 'damaged', 'others'],
                ),
            ]);
        }

        return $table;
    }

    /** The values of the label that the parameter `values` names; null without it. */
    private function values(): ?Table
    {
        $label = $this->asked->request->text('values');
        if ($label === '') {
            return null;
        }
        $table = new Table('values', 'Values', 'Values of a label, with their requests', [
            'value' => Table::words(self::words($label)),
            'requests' => Table::number('Requests'),
            'hosts' => Table::number('Hosts', 'Hosts that send it', Table::MEDIUM),
        ], 'No request of this selection has this label.', 'the most requests first');
        $field = isset(FleetQuery::FIELDS[$label]) ? $label : 'label';
        foreach ((new LabelValues($this->client))->values($this->query->selection, $label, self::VALUES) as $one) {
            $value = $field === 'label' ? "$label=$one[value]" : $one['value'];
            $show = $field === 'service' || $this->query->selection->service !== '' ? 'routes' : '';
            $table->add([
                Table::name($one['value'], $one['value'] === '' ? null : $this->query->url($show, [$field => $value]), '(none)'),
                Table::count($one['requests']),
                Table::count($one['hosts']),
            ]);
        }

        return $table;
    }

    private static function words(string $label): string
    {
        return isset(FleetQuery::FIELDS[$label]) ? ucfirst(FleetQuery::FIELDS[$label]) : $label;
    }

    /** How much the store holds. */
    private function volume(): Table
    {
        $table = new Table('volume', 'Tables', 'Tables of the store, with how much they hold', [
            'table' => Table::words('Table'),
            'rows' => Table::number('Rows'),
            'bytes' => Table::number('Bytes', 'Bytes on disk; nothing where the user of these pages may not read system.parts'),
            'rows_of' => Table::number('Rows per host and day', 'Counts the days on which a host sent requests', Table::WIDE),
            'bytes_of' => Table::number('Bytes per host and day', 'Counts the days on which a host sent requests', Table::WIDE),
        ], 'There are no tables.', 'of the server that answers');
        foreach ((new Volume($this->client))->tables() as $one) {
            $perDay = $one['rows_per_host_day'];
            $bytes = static fn (int|float|null $bytes): array
                => ['value' => $bytes ?? 0] + Table::text($bytes === null ? '' : Units::bytes($bytes));
            $table->add([
                Table::name($one['table'], null),
                Table::count($one['rows']),
                $bytes($one['bytes']),
                $perDay === null ? Table::text('') + ['value' => 0] : Table::count((int) round($perDay)),
                $bytes($one['bytes_per_host_day']),
            ]);
        }

        return $table;
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
        ], 'No requests of this selection have arrived.', 'of the requests of ' . $this->query->period());
        foreach ((new LabelValues($this->client))->names($this->query->selection) as $one) {
            $table->add([
                Table::name(
                    $one['is_free'] ? $one['label'] : self::words($one['label']),
                    $this->query->url('data', ['values' => $one['label']]) . '#values',
                ),
                Table::count($one['values']),
                Table::count($one['requests']),
                Table::count($one['other'], true),
                Table::count($one['hosts']),
            ]);
        }

        return $table;
    }
}
