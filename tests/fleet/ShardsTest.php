<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use PHPUnit\Framework\TestCase;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\RouteRows;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Tools\Servers\ClickHouseShards;

require_once __DIR__ . '/../../demo/fleet/autoload.php';

/**
 * Two shards of the ClickHouse that Debian 12 has: 18.16 of 2018. It knows neither parameters, nor maps, tokens, codecs, TTL of
 * tables, simple aggregate functions, nor starts of 10 minutes: what is left of the statements for a cluster are the local and the
 * distributed tables, the views between them, and by what rows are sharded.
 */
final class ShardsTest extends TestCase
{
    /** Tables that are left. */
    private const TABLES = [Schema::INBOX, 'samples', 'samples_1h', 'functions_1h', 'stacks'];

    public function testShardsAddUpAndRowsThatAreLookedUpTogetherAreOnOne(): void
    {
        if (ClickHouseShards::missing() !== null) {
            self::markTestSkipped(ClickHouseShards::missing());
        }
        $shards = new ClickHouseShards();
        foreach (self::TABLES as $name) {
            foreach ((new Ddl(ClickHouseShards::CLUSTER))->create(Schema::table($name)) as $statement) {
                foreach ([0, 1] as $node) {
                    $shards->run($node, self::old($statement));
                }
            }
        }
        $samples = $wall = $stacks = 0;
        $routes = array_map(static fn (int $i): string => "GET /route/$i", range(1, 20));
        foreach (['web-1', 'web-2'] as $node => $host) {
            $run = self::window($host, $routes);
            foreach (RouteRows::fromShipment($run) as $route) {
                $row = array_diff_key($route->row($run), ['labels' => 0, 'walls' => 0]);
                $shards->run($node, 'INSERT INTO ' . Schema::INBOX . ' FORMAT JSONEachRow ' . json_encode($row));
                foreach ($route->stackRows($run) as [$service, $name, $stack, $frames]) {
                    $columns = ['service' => $service, 'route' => $name, 'stack' => $stack, 'frames' => $frames];
                    $columns['seen'] = '2026-11-28';
                    $shards->run($node, 'INSERT INTO stacks FORMAT JSONEachRow ' . json_encode($columns));
                    $stacks++;
                }
            }
            $samples += array_sum($run->tree()->ct);
            $wall += array_sum($run->tree()->self['wt']);
        }
        self::assertGreaterThan(0, $wall);
        foreach ([0, 1] as $node) {
            foreach (['samples', 'samples_1h'] as $table) {
                $rows = $shards->rows($node, "SELECT sum(samples), sum(wall_ns) FROM $table");
                self::assertSame([[$samples, $wall]], $rows, $table);
            }
            $functions = $shards->rows($node, 'SELECT sum(samples), sum(self_ns) FROM functions_1h');
            self::assertSame([[$samples, $wall]], $functions);
            // Rows of both tables meet, though a shard joins its own only.
            $met = $shards->rows($node, 'SELECT sum(samples), uniqExact(route) FROM samples WHERE (route, stack) IN'
                . ' (SELECT route, stack FROM stacks)');
            self::assertSame([[$samples, count($routes)]], $met);
        }
        $of = static fn (int $node, string $table): array => array_column(
            $shards->rows($node, "SELECT DISTINCT route FROM $table" . Schema::LOCAL . ' ORDER BY route'),
            0,
        );
        foreach (['samples', 'functions_1h', 'stacks'] as $table) {
            [$one, $two] = [$of(0, $table), $of(1, $table)];
            self::assertNotSame([], $one);
            self::assertNotSame([], $two);
            self::assertSame([], array_intersect($one, $two), $table);
            self::assertSame($of(0, 'samples'), $one, $table);
        }
        self::assertSame(2 * 2 * count($routes), $stacks);
    }

    /** The statement without what 18.16 does not know. */
    private static function old(string $statement): string
    {
        $statement = preg_replace(
            [
                "/ ON CLUSTER '\w+'/", "/Replicated(\w+)\('[^']*', '\{replica\}'(?:, )?/", '/ CODEC\((?:[^()]|\([^()]*\))*\)/',
                '/^TTL .*\n/m', '/^SETTINGS .*$/m', '/LowCardinality\(String\)/', '/^ +\w+ Map\(.*\n/m',
                // Names of the inbox before its lists are spread.
                '/\bi\.labels AS labels, /', '/\bi\./', '/ AS i\b/',
            ],
            ['', '$1(', '', '', '', 'String', '', '', '', ''],
            $statement,
        );

        return (string) $statement;
    }

    /** @param list<string> $routes */
    private static function window(string $host, array $routes): Shipment
    {
        $names = ['main()', 'f', 'g', ...$routes];
        [$fn, $depth, $ct, $time] = [[0], [0], [0], [0]];
        $figures = [];
        foreach ($routes as $i => $route) {
            array_push($fn, 3 + $i, 1, 2);
            array_push($depth, 1, 2, 3);
            array_push($ct, 0, $i + 1, 2);
            array_push($time, 0, 1000 * ($i + 1), 2000);
            $figures[$route] = ['requests' => 1, 'samples' => $i + 3];
        }
        $at = 1795860000.0;
        $data = ['names' => $names, 'fn' => $fn, 'depth' => $depth, 'ct' => $ct, 'self' => ['wt' => $time]];
        $window = RequestWindow::fromMeta(['seconds' => 60, 'from' => $at, 'to' => $at + 60, 'routes' => $figures]);
        self::assertNotNull($window);

        return SentWindow::shipment($host, "$host.s", 'shop', '', '1', $host, $window, CallTree::fromArray($data), 1);
    }
}
