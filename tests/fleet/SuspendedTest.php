<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\SentWindow;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Shipment;
use XHProf\Fleet\Unavailable;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;

require_once __DIR__ . '/FleetTestCase.php';

/** The time in which requests were suspended, in a new store and in one of the version before. */
final class SuspendedTest extends FleetTestCase
{
    private const TABLES = ['suspended_10m', 'suspended_1h', 'suspended_1d'];

    public function testItIsAddedUpOnceInEachStretchOfTime(): void
    {
        $admin = $this->init();
        $runs = [self::window('a', 3, 1500), self::window('b', 0, 0), self::window('c', 2, 700)];
        $this->send($runs);
        // It is not known that they are complete.
        $admin->run('TRUNCATE TABLE shipped');
        $this->send([$runs[2], $runs[0]]);
        $this->assertSuspended(5, 2200);
        $routes = $this->routes();
        self::assertSame([12, 5, 2200], [$routes['GET /']->requests, $routes['GET /']->suspended, $routes['GET /']->suspendedTime]);
        self::assertSame([12, 0, 0], [$routes['GET /b']->requests, $routes['GET /b']->suspended, $routes['GET /b']->suspendedTime]);
        // What belongs to no request is there, and is none.
        $between = $routes[RequestWindow::BETWEEN];
        self::assertSame([0, 0, 900, 0], [$between->requests, $between->wall, $between->cpu, $between->suspended]);
        $services = (new Requests($this->client('reader')))->services(new Selection());
        self::assertSame([24, 2200], [$services[0]['figures']->requests, $services[0]['figures']->suspendedTime]);
        $text = $this->ask(['routes', '--service=shop']);
        self::assertMatchesRegularExpression('/ 2\.20 ms +1\.0 +GET \/$/m', $text);
        $rows = array_column($this->json(['routes', '--service=shop'])['rows'], null, 'route');
        self::assertSame([2200, null, null], array_column([
            $rows['GET /'], $rows['GET /b'], $rows[RequestWindow::BETWEEN],
        ], 'suspended_us'));
        self::assertSame([0, null, null, null], [
            $rows[RequestWindow::BETWEEN]['requests'], $rows[RequestWindow::BETWEEN]['mean_us'],
            $rows[RequestWindow::BETWEEN]['slowest_us'], $rows[RequestWindow::BETWEEN]['wall_us'],
        ]);
    }

    public function testFiguresPerRequestAreOfRequests(): void
    {
        $this->init();
        $this->send([self::window('a', 3, 1500), self::window('b', 0, 0)]);
        $functions = array_column($this->json(['functions', '--service=shop'])['rows'], null, 'function');
        self::assertArrayNotHasKey('select', $functions);
        // 2 times 40 µs in 16 requests.
        self::assertSame([8, 5000], [$functions['work']['samples'], (int) $functions['work']['self_ns']]);
        $between = ['functions', '--service=shop', '--route=' . RequestWindow::BETWEEN];
        $functions = array_column($this->json($between)['rows'], null, 'function');
        self::assertSame([2, null], [$functions['select']['samples'], $functions['select']['self_ns']]);
        self::assertSame([14, null], [$functions['work']['samples'], $functions['work']['total_ns']]);
    }

    public function testAStoreOfTheVersionBeforeTakesAllButWhatItHasNoPlaceFor(): void
    {
        $admin = $this->init();
        foreach (self::TABLES as $table) {
            $admin->run("DROP TABLE {$table}_view");
            $admin->run("DROP TABLE $table");
        }
        foreach (array_keys(Schema::suspendedColumns()) as $column) {
            $admin->run("ALTER TABLE inbox DROP COLUMN $column");
        }
        $admin->run('TRUNCATE TABLE ' . Schema::VERSIONS);
        $admin->insert(Schema::VERSIONS, ['version'], [[1]]);
        $migrations = new Migrations($admin, new Ddl());
        self::assertSame(1, $migrations->version());

        $plain = self::window('a', 0, 0);
        $this->send([$plain]);
        self::assertSame([4, 0], [$this->routes()['GET /']->requests, $this->routes()['GET /']->suspended]);
        $suspended = self::window('b', 3, 1500);
        try {
            $this->send([$suspended]);
            self::fail('it has no place for it');
        } catch (Unavailable $e) {
            self::assertStringContainsString('suspended', $e->getMessage());
        }
        self::assertSame(4, $this->routes()['GET /']->requests);

        self::assertSame([2], $migrations->upgrade());
        self::assertSame([], $migrations->upgrade());
        $this->send([$suspended]);
        $admin->run('TRUNCATE TABLE shipped');
        $this->send([$plain, $suspended]);
        $this->assertSuspended(3, 1500);
        self::assertSame([8, 3], [$this->routes()['GET /']->requests, $this->routes()['GET /']->suspended]);
    }

    private function assertSuspended(int $requests, int $us): void
    {
        foreach (self::TABLES as $table) {
            $rows = $this->client('reader')->rows("SELECT sum(suspended), sum(suspended_us) FROM $table");
            self::assertSame([[$requests, $us]], $rows, $table);
        }
    }

    /** @return array<string, RouteFigures> */
    private function routes(): array
    {
        return array_column((new Requests($this->client('reader')))->routes(new Selection('shop')), 'figures', 'route');
    }

    /** Four requests of a route, some of which were suspended, four of another, and what ran between them. */
    private static function window(string $key, int $suspended, int $us): Shipment
    {
        $own = ['requests' => 4, 'samples' => 2, 'wall_us' => 4000, 'cpu_us' => 1000, 'max_us' => 1500, 'wall' => [200, 4]];
        $window = RequestWindow::fromMeta([
            'seconds' => 60, 'from' => time() - 60, 'to' => time(), 'requests' => 8, 'processes' => 1,
            'routes' => [
                'GET /' => $own + ($suspended === 0 ? [] : ['suspended' => ['requests' => $suspended, 'us' => $us]]),
                'GET /b' => $own,
                RequestWindow::BETWEEN => ['requests' => 0, 'samples' => 1, 'cpu_us' => 300],
            ],
        ]);
        self::assertNotNull($window);
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /', 'GET /b', RequestWindow::BETWEEN, 'work', 'select'],
            'fn' => [0, 1, 4, 2, 4, 3, 5, 4], 'depth' => [0, 1, 2, 1, 2, 1, 2, 2], 'ct' => [0, 0, 2, 0, 2, 0, 1, 7],
            'self' => ['wt' => [0, 0, 20000, 0, 20000, 0, 10000, 70000]],
        ]);

        return SentWindow::shipment($key, "$key.auto", 'shop', 'prod', '1.0', 'web-1', $window, $tree, 10, []);
    }
}
