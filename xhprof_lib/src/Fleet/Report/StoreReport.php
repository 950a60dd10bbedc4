<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Question\Ingestion;
use XHProf\Fleet\Question\StoreSize;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Whether the store is of this version, how much it holds, which hosts send to it, and what never arrived. */
final class StoreReport
{
    /** µs by which a host's clock is ahead before it is said. */
    private const AHEAD = 60_000_000;

    /** µs after which a host is late: a window of the longest usual length, and what sending takes. */
    private const LATE = 900_000_000;

    private const HOSTS = 'the latest first; what never arrived is as the shippers reported last';

    public readonly int $version;

    public function __construct(private readonly Client $client)
    {
        $this->version = (new Migrations($client, new Ddl()))->version();
    }

    public function isNew(): bool
    {
        return $this->version >= Migrations::newest();
    }

    /** @param string $service '' for all */
    public function report(string $service): Report
    {
        $hosts = $this->hosts($service);
        $volume = $this->volume();
        $isDenied = in_array(null, array_column($volume->rows, 'bytes'), true);

        return new Report([$hosts, $volume], [
            ...$isDenied ? ['This user may not read system.parts, which has the bytes.'] : [],
            ...$this->notes($hosts),
        ], ['version' => $this->version, 'newest_version' => Migrations::newest(), 'hosts_total' => count($hosts->rows)]);
    }

    public function hosts(string $service): Table
    {
        // A store that is older may not have them.
        $losses = $this->isNew() ? (new Ingestion($this->client))->losses() : [];
        $none = array_fill_keys(array_diff(Ingestion::LOSSES, ['sent']), null);
        $rows = array_map(
            // What is not known of a host is null: its shippers do not report it.
            static fn (array $host): array
                => $host + array_diff_key($losses["\0{$host['host']}"] ?? [], ['sent' => 0]) + $none,
            (new Ingestion($this->client))->hosts($service, time()),
        );
        $count = static fn (string $key, string $title, int $weight, string $help, ?string $label = null): Column
            => new Column($key, Unit::Count, $title, $weight, $label, $help);

        return new Table('rows', [
            new Column('host', Unit::Name, 'host'),
            new Column('service', Unit::Text, 'service', Column::PHONE),
            new Column('late_us', Unit::Age, 'late', 0, 'Late by', 'Age of the newest run that has arrived', 'late'),
            new Column('arrived_us', Unit::Age, 'arrived', label: '', sort: 'arrived'),
            new Column('ahead_us', Unit::Age, 'clock ahead', label: '', sort: 'ahead'),
            $count('runs', 'runs', Column::PHONE + 1, 'Runs that have arrived and whose keys are still known'),
            $count('waiting', 'waiting', Column::NARROW, 'Runs that are still to be sent'),
            $count('dropped', 'dropped', 0, 'Runs that left their folder before they were sent'),
            $count('rejected', 'refused', Column::NARROW + 1, 'Runs that the store did not take'),
            $count('damaged', 'damaged', Column::NARROW + 2, 'Runs that could not be read'),
            $count('others', '(other)', Column::NARROW + 3, 'Values of labels that became (other)', 'Without room'),
        ], $rows, 'No run has arrived.', 'Hosts', 'Hosts, with how late they are and what they lost', self::HOSTS);
    }

    /** How many of the hosts are late. */
    public static function late(Table $hosts): int
    {
        return count(array_filter($hosts->rows, static fn (array $host): bool => $host['late_us'] > self::LATE));
    }

    public function volume(): Table
    {
        $rows = (new StoreSize($this->client))->tables();
        $help = 'Counts the days on which a host sent requests';

        return new Table('volume', [
            new Column('table', Unit::Name, 'table'),
            new Column('rows', Unit::Count, 'rows'),
            new Column(
                'bytes',
                Unit::Bytes,
                'bytes',
                help: 'Bytes on disk; not known where the user of these pages may not read system.parts',
            ),
            new Column('rows_per_host_day', Unit::Count, 'rows a host and day', Column::NARROW, 'Rows per host and day', $help),
            new Column('bytes_per_host_day', Unit::Bytes, 'bytes', Column::NARROW, 'Bytes per host and day', $help),
        ], $rows, 'There are no tables.', 'Tables', 'Tables of the store, with how much they hold', 'of the server that answers');
    }

    /** @return list<string> */
    private function notes(Table $hosts): array
    {
        $newest = Migrations::newest();
        $notes = ["{$this->client->name()} has version $this->version" . match ($this->version <=> $newest) {
            -1 => ", this is version $newest: xhprof fleet upgrade",
            1 => ", this program knows version $newest only",
            default => '',
        }];
        $ahead = count(array_filter($hosts->rows, static fn (array $host): bool => $host['ahead_us'] >= self::AHEAD));
        if ($ahead > 0) {
            $notes[] = ($ahead === 1 ? '1 host has a clock that is' : "$ahead hosts have clocks that are")
                . ' ahead of the store\'s: their runs count at times that are yet to come';
        }

        return $notes;
    }
}
