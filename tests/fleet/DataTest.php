<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\ClickHouse\StoreTable;
use XHProf\Fleet\Question\Ingestion;
use XHProf\Fleet\Question\StoreSize;
use XHProf\Fleet\ShipperReport;

require_once __DIR__ . '/FleetTestCase.php';

/** How much the store holds, and what never reached it. */
final class DataTest extends FleetTestCase
{
    public function testVolumeIsByTableHostAndDay(): void
    {
        $admin = $this->init();
        // Their bytes are compared later.
        $admin->run('SYSTEM STOP MERGES');
        $plan = new Plan(31, hosts: 3, windows: 1, badHosts: 0);
        $this->send(self::listed((new Simulation(self::real(), $plan))->runs()));
        $found = array_column((new StoreSize($this->client('reader')))->tables(), null, 'table');
        $tables = array_map(static fn (StoreTable $table): string => $table->name, Schema::tables());
        self::assertEqualsCanonicalizing($tables, array_keys($found));
        foreach (['samples', 'requests_10m', 'shipped'] as $table) {
            $rows = $admin->rows('SELECT sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active AND'
                . " database = currentDatabase() AND table = '$table'")[0];
            self::assertSame($rows, [$found[$table]['rows'], $found[$table]['bytes']], $table);
            self::assertGreaterThan(0, $rows[1]);
        }
        self::assertSame([3, 3, 0], [
            $found['samples']['host_days'], $found['requests_1d']['host_days'], $found['stacks']['host_days'],
        ]);
        $denied = array_column((new StoreSize($this->client('visitor')))->tables(), null, 'table');
        self::assertNull($denied['samples']['bytes']);
        self::assertSame($found['samples']['rows'], $denied['samples']['rows']);
        $to = '--to=' . self::server()->url($this->database);
        self::assertStringContainsString('may not read system.parts', $this->fleet('visitor', ['status', $to]));
        $text = $this->ask(['status']);
        self::assertStringNotContainsString('system.parts', $text);
        self::assertMatchesRegularExpression('/^ *[\d ]+  [\d.]+ [KM]?B .* samples$/m', $text);
        $volume = array_column((array) $this->json(['status'])['volume'], null, 'table');
        self::assertEqualsWithDelta($found['samples']['rows'] / 3, $volume['samples']['rows_per_host_day'], 1e-9);
    }

    public function testWhatNeverArrivedIsAsTheHostReportedLast(): void
    {
        $this->init();
        $plan = new Plan(32, hosts: 2, windows: 1, badHosts: 0);
        $this->send(self::listed((new Simulation(self::real(), $plan))->runs()));
        $store = $this->store();
        $now = time();
        $store->report(new ShipperReport('one', 'web-01', 'shop', $now - 300, 5, 1, 0, 0, 0, 9, 900));
        $store->report(new ShipperReport('one', 'web-01', 'shop', $now, 8, 2, 1, 0, 7, 3, null));
        $store->report(new ShipperReport('two', 'web-01', '', $now - 100, 1, 10, 0, 4, 0, 0, null));
        $web = (new Ingestion($this->client('reader')))->losses()["\0web-01"];
        self::assertSame([
            'reported' => $now - 100, 'sent' => 9, 'dropped' => 12, 'rejected' => 1, 'damaged' => 4, 'others' => 7, 'waiting' => 3,
        ], $web);
        $rows = array_column((array) $this->json(['status'])['rows'], null, 'host');
        self::assertSame([12, 1, 4, 7, 3], [
            $rows['web-01']['dropped'], $rows['web-01']['rejected'], $rows['web-01']['damaged'], $rows['web-01']['others'],
            $rows['web-01']['waiting'],
        ]);
        self::assertNull($rows['web-02']['dropped']);
    }
}
