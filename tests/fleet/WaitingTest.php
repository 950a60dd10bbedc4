<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\SentWindow;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Report\RoutesReport;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlace;
use XHProf\Profile\CodePlaces;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;

require_once __DIR__ . '/FleetTestCase.php';

/** Where the time of routes was, by what hosts have sent of their functions. */
final class WaitingTest extends FleetTestCase
{
    private const CHECKOUT = 'POST /checkout';

    public function testTheBarOfRoutes(): void
    {
        $this->init();
        $this->send([$this->window('a', 'web-1'), $this->window('b', 'web-2')]);
        // Of 2 × 100 ms of both routes 80 ms were on the CPU.
        $bar = static fn (Selection $which, self $test): ?array
            => (new RoutesReport($test->client('reader'), $which))->times()?->ns;
        self::assertSame([
            'cpu' => 76_000_000, 'compile' => 2_000_000, 'gc' => 2_000_000, 'sql' => 60_000_000, 'sleep' => 24_000_000,
            'not_running' => 36_000_000,
        ], $bar(new Selection('shop'), $this));
        self::assertSame(
            ['cpu' => 30_000_000, 'sql' => 60_000_000, 'not_running' => 10_000_000],
            $bar(new Selection('shop', route: self::CHECKOUT), $this),
        );
        self::assertSame(
            ['cpu' => 15_000_000, 'sql' => 30_000_000, 'not_running' => 5_000_000],
            $bar(new Selection('shop', route: self::CHECKOUT, host: 'web-2', from: time() - 86400), $this),
        );
        self::assertNull($bar(new Selection('shop', route: RequestWindow::BETWEEN), $this));
        self::assertNull($bar(new Selection('shop', release: 'none'), $this));

        $json = $this->json(['routes', '--service=shop', '--route=' . self::CHECKOUT]);
        self::assertSame(['cpu', 'sql', 'not_running'], array_column($json['where']['parts'], 'key'));
        self::assertSame([100_000, 'samples', []], [$json['where']['total_us'], $json['where']['by'], $json['where']['notes']]);
        $text = $this->ask(['routes', '--service=shop', '--route=' . self::CHECKOUT]);
        self::assertStringContainsString('SQL 60.0 ms (60.0 %)', $text);
        self::assertStringContainsString('by samples', $text);
    }

    /** Hosts that sample by the CPU clock do not meet what waits. */
    public function testSamplesOfCpuTimeDoNotSayWhatWaited(): void
    {
        $this->init();
        $this->send([$this->window('a', 'web-1', 'cpu')]);
        $times = (new RoutesReport($this->client('reader'), new Selection('shop', route: self::CHECKOUT)))->times();

        self::assertSame(['cpu' => 15_000_000, 'unknown' => 35_000_000], $times?->ns);
        self::assertSame([RouteFigures::NO_WAITS], $times->notes);
        self::assertNull((new RoutesReport($this->client('reader'), new Selection('other')))->times());
    }

    /** A route that waits for SQL, one that sleeps, compiles and collects, and a loop between requests that sleeps. */
    private function window(string $key, string $host, string $clock = 'wall'): Shipment
    {
        $route = static fn (int $cpu): array => [
            'requests' => 5, 'samples' => 50, 'wall_us' => 50_000, 'cpu_us' => $cpu, 'max_us' => 15_000, 'wall' => [200, 5],
        ];
        $window = RequestWindow::fromMeta([
            'seconds' => 60, 'from' => time() - 60, 'to' => time(), 'requests' => 10, 'processes' => 1,
            'routes' => [
                self::CHECKOUT => $route(15_000), 'GET /' => $route(25_000),
                RequestWindow::BETWEEN => ['requests' => 0, 'samples' => 50, 'cpu_us' => 9_000],
            ],
        ]);
        self::assertNotNull($window);
        $nodes = [
            ['main()', 0, 0], [self::CHECKOUT, 1, 0], ['App\pay', 2, 20], ['PDOStatement::execute', 3, 30],
            ['GET /', 1, 0], ['App\show', 2, 36], ['usleep', 3, 10], ['load::app/view.php', 3, 1], ['gc_collect_cycles', 3, 1],
            ['usleep', 2, 2], [RequestWindow::BETWEEN, 1, 0], ['usleep', 2, 50],
        ];
        $names = array_values(array_unique(array_column($nodes, 0)));
        $tree = CallTree::fromArray([
            'names' => $names,
            'fn' => array_map(static fn (array $node): int => (int) array_search($node[0], $names, true), $nodes),
            'depth' => array_column($nodes, 1),
            'ct' => array_column($nodes, 2),
            'self' => [
                $clock === 'cpu' ? 'cpu' : 'wt' => array_map(static fn (array $node): int => $node[2] * 1_000_000, $nodes),
            ],
        ] + CodePlaces::fromPlaces(array_map(static fn (string $name): ?CodePlace => match (true) {
            str_starts_with($name, 'PDO') => new CodePlace('ext:PDO', 0),
            str_contains($name, '/view.php') => new CodePlace('/srv/app/view.php', 1),
            str_starts_with($name, 'App') => new CodePlace('/srv/src/app.php', 7),
            default => null,
        }, $names))->toArray());

        return SentWindow::shipment($key, "$key.auto", 'shop', 'prod', '1.0', $host, $window, $tree, 1000, []);
    }
}
