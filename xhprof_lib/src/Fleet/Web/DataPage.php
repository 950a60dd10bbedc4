<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Values;
use XHProf\Fleet\Question\Arrivals;
use XHProf\Fleet\Question\LabelValues;
use XHProf\Fleet\Question\Volume;
use XHProf\Format\Units;
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
            FleetContext::tiles([
                ['label' => 'Hosts', 'text' => Units::count(count($hosts)), 'exact' => 'that have sent runs'],
                ['label' => 'Late', 'text' => Units::count(count($late)), 'exact' => 'no run of the last 15 minutes'],
                [
                    'label' => 'Runs', 'text' => Units::count(Values::sum(array_column($hosts, 'runs'))),
                    'exact' => 'that are known by their keys',
                ],
                [
                    'label' => 'Version of the store', 'text' => (string) $version,
                    'exact' => 'this program knows version ' . Migrations::newest(),
                ],
            ]),
            $isNew ? null : FleetContext::notice('The store is older than this program: bin/xhprof fleet upgrade', 'warning'),
            $this->asked->sortable($this->hosts($hosts, $losses), 'data'),
            ...$isNew ? [$this->values(), $this->labels()] : [],
            $this->volume(),
        ]);
    }

    /**
     * @param list<array{service: string, host: string, runs: int, late_us: int}> $hosts
     * @param array<string, Loss> $losses
     */
    private function hosts(array $hosts, array $losses): FleetTable
    {
        $table = new FleetTable('hosts', 'Hosts', 'Hosts, with how late they are and what they lost', [
            'host' => FleetTable::words('Host'),
            'service' => FleetTable::words('Service', 'Service', FleetTable::MEDIUM),
            'late' => FleetTable::number('Late by', 'Age of the newest run that has arrived'),
            'runs' => FleetTable::number('Runs', 'Runs that have arrived and whose keys are still known', FleetTable::MEDIUM),
            'waiting' => FleetTable::number('Waiting', 'Runs that are still to be sent', FleetTable::WIDE),
            'dropped' => FleetTable::number('Dropped', 'Runs that left their folder before they were sent'),
            'rejected' => FleetTable::number('Refused', 'Runs that the store did not take', FleetTable::WIDE),
            'damaged' => FleetTable::number('Damaged', 'Runs that could not be read', FleetTable::WIDE),
            'others' => FleetTable::number('Without room', 'Values of labels that became (other)', FleetTable::WIDE),
        ], 'No run has arrived.', 'the latest first; what never arrived is as the shippers reported last');
        foreach ($hosts as $host) {
            $own = ['service' => $host['service']];
            $loss = $losses["\0{$host['host']}"] ?? null;
            $table->add([
                FleetTable::name($host['host'], $this->query->url('routes', $own + ['host' => $host['host']]), '(no name)'),
                FleetTable::text($host['service'], $this->query->url('routes', $own)),
                ['value' => $host['late_us']] + FleetTable::text(Units::age(intdiv($host['late_us'], 1000000))),
                FleetTable::count($host['runs']),
                ...array_map(
                    static fn (string $key): array => $loss === null ? FleetTable::text('-') : FleetTable::count($loss[$key]),
                    ['waiting', 'dropped', 'rejected', 'damaged', 'others'],
                ),
            ]);
        }

        return $table;
    }

    /** The values of the label that the parameter `values` names; null without it. */
    private function values(): ?FleetTable
    {
        $label = $this->asked->request->text('values');
        if ($label === '') {
            return null;
        }
        $table = new FleetTable('values', 'Values', 'Values of a label, with their requests', [
            'value' => FleetTable::words(self::words($label)),
            'requests' => FleetTable::number('Requests'),
            'hosts' => FleetTable::number('Hosts', 'Hosts that send it', FleetTable::MEDIUM),
        ], 'No request of this selection has this label.', 'the most requests first');
        $field = isset(FleetQuery::FIELDS[$label]) ? $label : 'label';
        foreach ((new LabelValues($this->client))->values($this->query->selection, $label, self::VALUES) as $one) {
            $value = $field === 'label' ? "$label=$one[value]" : $one['value'];
            $show = $field === 'service' || $this->query->selection->service !== '' ? 'routes' : '';
            $table->add([
                FleetTable::name($one['value'], $one['value'] === '' ? null : $this->query->url($show, [$field => $value]), '(none)'),
                FleetTable::count($one['requests']),
                FleetTable::count($one['hosts']),
            ]);
        }

        return $table;
    }

    private static function words(string $label): string
    {
        return isset(FleetQuery::FIELDS[$label]) ? ucfirst(FleetQuery::FIELDS[$label]) : $label;
    }

    /** How much the store holds. */
    private function volume(): FleetTable
    {
        $table = new FleetTable('volume', 'Tables', 'Tables of the store, with how much they hold', [
            'table' => FleetTable::words('Table'),
            'rows' => FleetTable::number('Rows'),
            'bytes' => FleetTable::number('Bytes', 'Bytes on disk; nothing where the user of these pages may not read system.parts'),
            'rows_of' => FleetTable::number('Rows per host and day', 'Counts the days on which a host sent requests', FleetTable::WIDE),
            'bytes_of' => FleetTable::number('Bytes per host and day', 'Counts the days on which a host sent requests', FleetTable::WIDE),
        ], 'There are no tables.', 'of the server that answers');
        foreach ((new Volume($this->client))->tables() as $one) {
            $perDay = $one['rows_per_host_day'];
            $bytes = static fn (int|float|null $bytes): array
                => ['value' => $bytes ?? 0] + FleetTable::text($bytes === null ? '' : Units::bytes($bytes));
            $table->add([
                FleetTable::name($one['table'], null),
                FleetTable::count($one['rows']),
                $bytes($one['bytes']),
                $perDay === null ? FleetTable::text('') + ['value' => 0] : FleetTable::count((int) round($perDay)),
                $bytes($one['bytes_per_host_day']),
            ]);
        }

        return $table;
    }

    /** How many values the labels have: that decides how many rows the store has. */
    private function labels(): FleetTable
    {
        $table = new FleetTable('labels', 'Labels', 'Labels of requests, with how many values each has', [
            'label' => FleetTable::words('Label'),
            'values' => FleetTable::number('Values', 'Different values'),
            'requests' => FleetTable::number('Requests', 'Requests that have it', FleetTable::MEDIUM),
            'other' => FleetTable::number('Without room', 'Requests whose value is (other): a host had too many before'),
            'hosts' => FleetTable::number('Hosts', 'Hosts that send it', FleetTable::WIDE),
        ], 'No requests of this selection have arrived.', 'of the requests of ' . $this->query->period());
        foreach ((new LabelValues($this->client))->names($this->query->selection) as $one) {
            $table->add([
                FleetTable::name(
                    $one['is_free'] ? $one['label'] : self::words($one['label']),
                    $this->query->url('data', ['values' => $one['label']]) . '#values',
                ),
                FleetTable::count($one['values']),
                FleetTable::count($one['requests']),
                FleetTable::count($one['other'], true),
                FleetTable::count($one['hosts']),
            ]);
        }

        return $table;
    }
}
