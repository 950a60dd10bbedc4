<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\SendError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\ClickHouse\RouteRows;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\ClickHouse\StableNumbers;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\MadeRun;
use XHProf\Run\RequestWindow;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;

/** What of a fleet's store needs no engine. */
final class FleetRowsTest extends TestCase
{
    /** What requests keep, also by paths without a sample of time. */
    public function testKeptMemoryHasRowsByPath(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'job', 'a', 'b', 'idle'],
            'fn' => [0, 1, 2, 3, 3, 4],
            'depth' => [0, 1, 2, 3, 2, 1],
            'ct' => [0, 0, 5, 0, 0, 0],
            'self' => [
                'wt' => [0, 0, 50, 0, 0, 0],
                'kept_bytes' => [0, 0, 0, 7000, 0, 0], 'kept_blocks' => [0, 0, 0, 7, 0, 0],
                'released_bytes' => [0, 0, 0, 1000, 300, 0], 'released_blocks' => [0, 0, 0, 1, 3, 0],
            ],
        ]);
        $kept = ['requests' => 90, 'bytes' => 7000, 'blocks' => 7, 'released_bytes' => 1300, 'released_blocks' => 4];
        $window = RequestWindow::fromMeta([
            'from' => 60, 'to' => 120, 'allocations' => ['sample_bytes' => 4096, 'unfollowed' => 2],
            'routes' => [
                'job' => ['requests' => 100, 'allocations' => [
                    'requests' => 100, 'allocated_bytes' => 1, 'peak_bytes' => 1, 'kept' => $kept,
                ]],
                'idle' => ['requests' => 1],
            ],
        ]);
        $run = self::run1($tree, $window);
        [$idle, $job] = RouteRows::fromShipment($run);
        self::assertSame([], $idle->keptRows($run));
        $rows = array_map(static fn (array $row): array => [
            $row['requests'], $row['kept_bytes'], $row['released_bytes'], $row['blocks'], $row['sampled'], $row['unfollowed'],
        ], $job->keptRows($run, 2));
        self::assertSame([[0, 7000, 1000, 8, 4096, 0], [0, 0, 300, 3, 4096, 0], [90, 0, 0, 0, 4096, 2]], $rows);
        $stacks = array_column($job->keptRows($run), 'stack');
        [$a, $b] = array_map(StableNumbers::fn(...), ['a', 'b']);
        $frames = array_column($job->stackRows($run), 3, 2);
        self::assertSame([[$a, $b], [$b]], [$frames[$stacks[0]], $frames[$stacks[1]]]);
        self::assertSame(StableNumbers::noStack(), $stacks[2]);
        self::assertSame(array_keys($job->keptRows($run)[0]), array_values(array_intersect(
            array_keys($job->keptRows($run)[0]),
            array_keys(Schema::table(Schema::KEPT)->columns),
        )), 'all are columns of the table');
    }

    public function testAFunctionBelowItselfCountsOnce(): void
    {
        // GET / > a > b > a > c, then GET / > b, a route without samples, and one that the window does not know
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /', 'a', 'b', 'c', 'GET /other'],
            'fn' => [0, 1, 2, 3, 2, 4, 3, 5],
            'depth' => [0, 1, 2, 3, 4, 5, 2, 1],
            'ct' => [0, 1, 2, 3, 4, 5, 6, 7],
            'self' => ['wt' => [0, 10, 20, 30, 40, 50, 60, 70]],
        ]);
        $window = RequestWindow::fromMeta(['routes' => [
            'GET /' => ['requests' => 5, 'wall_us' => 7, 'wall' => [3, 2, 4, 3]], 'GET /idle' => ['requests' => 1],
        ]]);
        $run = self::run1($tree, $window);
        $routes = RouteRows::fromShipment($run);
        self::assertCount(3, $routes);
        $row = $routes[0]->row($run);
        self::assertSame('GET /', $row['route']);
        self::assertSame([5, [3 => 2, 7 => 3]], [$row['requests'], (array) $row['walls']]);
        $functions = array_map(StableNumbers::fn(...), ['GET /', 'a', 'b', 'c']);
        self::assertSame($functions, $row['functions']);
        self::assertSame([10, 20 + 40, 30 + 60, 50], $row['fn_self_ns']);
        self::assertSame([210, 140, 120 + 60, 50], $row['fn_total_ns']);
        self::assertSame([1, 6, 9, 5], $row['fn_samples']);
        self::assertSame([10, 20, 30, 40, 50, 60], $row['stack_wall_ns']);
        [, $a, $b] = $functions;
        self::assertSame(
            [[], [$a], [$a, $b], [$a, $b, $a], [$a, $b, $a, $functions[3]], [$b]],
            array_values(array_map(static fn (array $row): mixed => $row[3], $routes[0]->stackRows($run))),
        );
        self::assertSame(['GET /idle', []], [$routes[1]->row($run)['route'], $routes[1]->row($run)['stacks']]);
        self::assertSame(['GET /other', 0, [70]], array_values(array_intersect_key(
            $routes[2]->row($run),
            ['route' => 1, 'requests' => 1, 'stack_wall_ns' => 1],
        )));
        self::assertSame([], RouteRows::fromShipment(self::run1($tree, null)));
    }

    public function testARowHasTheColumnsOfTheInbox(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'r'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [0, 1], 'self' => ['cpu' => [0, 9]],
        ]);
        $run = self::run1($tree, RequestWindow::fromMeta(['routes' => []]));
        $row = RouteRows::fromShipment($run)[0]->row($run);
        self::assertSame(array_keys(Schema::table(Schema::INBOX)->columns), array_keys($row));
        self::assertSame([[0], [9]], [$row['stack_wall_ns'], $row['stack_cpu_ns']]);
        self::assertSame([0, 0], [$row['suspended'], $row['suspended_us']]);
        $routes = ['r' => ['requests' => 3, 'suspended' => ['requests' => 2, 'us' => 70]]];
        $run = self::run1($tree, RequestWindow::fromMeta(['routes' => $routes]));
        $row = RouteRows::fromShipment($run)[0]->row($run);
        self::assertSame([3, 2, 70], [$row['requests'], $row['suspended'], $row['suspended_us']]);
    }

    /** All hosts have to have the same ones, of whatever version their PHP is. */
    public function testNumbersOfNamesNeverChange(): void
    {
        self::assertSame(5701640514370624678, StableNumbers::fn('App\Route::map{closure#2}'));
        self::assertSame(2922240382300394963, StableNumbers::stack(StableNumbers::noStack(), StableNumbers::fn('f')));
    }

    public function testTheTablesOfAClusterAreAsReviewed(): void
    {
        $ddl = new Ddl('main', ['raw' => 3]);
        $sql = implode(";\n\n", [$ddl->database('fleet'), ...array_merge(...Migrations::steps($ddl))]) . ";\n";
        $file = __DIR__ . '/golden/fleet-cluster.sql';
        if (getenv('XHPROF_GOLDEN') === 'write') {
            file_put_contents($file, $sql);
        }
        self::assertSame(file_get_contents($file), $sql);
    }

    /** Otherwise a run that is sent twice would count twice in it, or a query would join across shards. */
    public function testEachTableThatCountsKnowsTokensAndIsShardedAsTheInbox(): void
    {
        foreach (Schema::tables() as $table) {
            $one = implode("\n", (new Ddl())->create($table));
            $many = implode("\n", (new Ddl('c'))->create($table));
            if ($table->isCounted()) {
                self::assertStringContainsString('non_replicated_deduplication_window = ', $one, $table->name);
                self::assertStringContainsString(' replicated_deduplication_window = ', $many, $table->name);
                self::assertSame(['service', 'route'], $table->shard, $table->name);
            }
            foreach ([...$table->order, ...$table->shard, ...$table->time === '' ? [] : [$table->time]] as $column) {
                self::assertArrayHasKey($column, $table->columns, $table->name);
            }
        }
        self::assertSame(['service', 'route'], array_slice(Schema::table('stacks')->order, 0, 2));
        self::assertSame(Schema::table('samples')->shard, Schema::table('stacks')->shard);
        self::assertSame(Schema::table('functions_10m')->shard, Schema::table('requests_10m')->shard);
    }

    public function testAnAddressIsOneOfAClickHouse(): void
    {
        self::assertSame('clickhouse://db:8123/fleet', Client::fromDestination(new Destination('clickhouse://db/fleet'))->name());
        $encrypted = new Destination('clickhouses://db:1/x', 'u', 'p');
        self::assertSame('clickhouses://db:1/x', Client::fromDestination($encrypted)->name());
        $wrong = [
            'clickhouse://db', 'clickhouse:///x', 'clickhouse://db/a b', 'clickhouse://db/a;b', 'http://db/x',
            'clickhouse://db/x?y',
        ];
        foreach ($wrong as $url) {
            try {
                Client::fromDestination(new Destination($url));
                self::fail("$url is an address");
            } catch (SendError $e) {
                self::assertStringContainsString('clickhouse://HOST', $e->getMessage());
            }
        }
    }

    public function testARangeIsReadFromTheCoarsestTableThatHasIt(): void
    {
        $day = 86400;
        $table = static fn (int $from, int $to, string $host = ''): string
            => (new Selection('s', host: $host, from: $from, to: $to))->table('samples');
        self::assertSame('samples_10m', $table(0, 3600));
        self::assertSame('samples_1h', $table(0, 30 * $day));
        self::assertSame('samples_10m', $table(600, 30 * $day));
        self::assertSame('samples_1d', $table(0, 200 * $day));
        self::assertSame('samples', $table(0, 200 * $day, 'web-1'));
        self::assertSame('functions_10m', (new Selection('s', host: 'web-1'))->table('functions'));
        self::assertSame('functions_all_10m', (new Selection('s', from: 0, to: $day))->table('functions'));
        self::assertSame('functions_1h', (new Selection('s', from: 0, to: 200 * $day))->table('functions'));
        // Sums of a day begin at midnight: none may be missing.
        $around = (new Selection('s', 'e', 'r', '1', 'web-1', $day + 660, 3 * $day))->around();
        self::assertEquals(new Selection('s', 'e', 'r', '1', '', $day, 3 * $day), $around);
        self::assertSame('', (new Selection())->where());
        self::assertSame(
            'WHERE service = {service:String} AND ts >= toDateTime({from:UInt32})',
            (new Selection("'", from: 5))->where(),
        );
    }

    public function testAHostStandsOutByTheSameRoutesOnOtherHosts(): void
    {
        $slowness = static function (float $last): array {
            $hosts = new HostFigures();
            // The third has more of the slow route, which makes it no slower.
            foreach ([[1000, 100], [1000, 101], [10, 1000], [1000, 99], [1000, 100]] as $i => [$fast, $slow]) {
                $factor = $i === 4 ? $last : [1.0, 1.001, 0.999, 1.0][$i];
                $hosts->add('fast', "web-$i", $fast, 0, (int) round(100 * $fast * $factor));
                $hosts->add('slow', "web-$i", $slow, 1, (int) round(10000 * $slow * $factor));
            }
            $hosts->add('unused', 'web-9', 0, 0, 0);

            return $hosts->hosts();
        };
        $found = $slowness(1.3);
        self::assertSame(['web-4', true, 1100, 1], [
            $found[0]['host'], $found[0]['is_outlier'], $found[0]['requests'], $found[0]['failed'],
        ]);
        self::assertEqualsWithDelta(1.3, $found[0]['slowness'], 0.001);
        self::assertSame([true, false, false, false, false], array_column($found, 'is_outlier'));
        foreach ([1.04, 0.5] as $last) {
            self::assertSame(array_fill(0, 5, false), array_column($slowness($last), 'is_outlier'), "$last times as slow");
        }
    }

    private static function run1(CallTree $tree, ?RequestWindow $window): Shipment
    {
        $meta = RunMeta::fromArray([
            'ts' => 1.0, 'host' => 'h', 'php' => '8.2', 'release' => '1', 'mode' => 'aggregate', 'aggregate' => $window?->toArray(),
        ]);

        return new Shipment('k', 'service', '', [], new MadeRun(RunId::fromStrings('i', 's'), 'k', $meta, $tree));
    }
}
