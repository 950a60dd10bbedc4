<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use PHPUnit\Framework\TestCase;
use XHProf\Demo\Fleet\RealProfile;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Demo\Fleet\XhprofCommand;
use XHProf\Fleet\ClickHouse\ClickHouseOutput;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Tools\Servers\ClickHouse;

require_once __DIR__ . '/../../demo/fleet/autoload.php';
require_once __DIR__ . '/Sums.php';

/** A store for the tests of a class, each with a database of its own, and a profile of the demo that is recorded once. */
abstract class FleetTestCase extends TestCase
{
    /** Tables with a sum of samples, wall time and requests. */
    protected const SAMPLED = ['samples', 'samples_10m', 'samples_1h', 'samples_1d'];
    protected const COUNTED = ['requests_10m', 'requests_1h', 'requests_1d'];
    protected const FUNCTIONS = ['functions_10m', 'functions_all_10m', 'functions_1h'];

    /** Folders of the server's data: parts of tables, and those that a merge is making. */
    protected const PARTS = 'store/*/*/*_*_*_*';
    protected const MERGES = 'store/*/*/tmp_merge_*';

    protected static ?ClickHouse $server = null;

    private static ?RealProfile $real = null;

    private static int $databases = 0;

    protected string $database;

    public static function tearDownAfterClass(): void
    {
        self::$server = null;
    }

    protected function setUp(): void
    {
        if (ClickHouse::missing() !== null) {
            self::markTestSkipped(ClickHouse::missing());
        }
        self::$server ??= new ClickHouse();
        $this->database = 'fleet' . ++self::$databases;
    }

    protected static function server(): ClickHouse
    {
        self::assertNotNull(self::$server);

        return self::$server;
    }

    /** @param key-of<ClickHouse::USERS> $user */
    protected function client(string $user, ?string $password = null): Client
    {
        $url = self::server()->url($this->database);

        return Client::fromDestination(new Destination($url, $user, $password ?? ClickHouse::USERS[$user]));
    }

    protected function init(): Client
    {
        $client = $this->client('admin');
        (new Migrations($client, new Ddl()))->init();

        return $client;
    }

    protected function store(): ClickHouseOutput
    {
        return new ClickHouseOutput($this->client('writer'));
    }

    /** @param list<Shipment> $runs */
    protected function send(array $runs): void
    {
        self::sendBy($this->store(), $runs);
    }

    /** @param list<Shipment> $runs */
    protected static function sendBy(ClickHouseOutput $output, array $runs): void
    {
        if ($runs === []) {
            self::fail('there are no runs to send');
        }
        $output->send($runs);
    }

    protected static function real(): RealProfile
    {
        return self::$real ??= RealProfile::read(__DIR__ . '/recorded') ?? self::fail('there is no recorded window');
    }

    /**
     * @param iterable<Shipment> $runs
     *
     * @return list<Shipment>
     */
    protected static function listed(iterable $runs): array
    {
        $list = [];
        foreach ($runs as $run) {
            $list[] = $run;
        }

        return $list;
    }

    /**
     * @param list<string> $arguments
     *
     * @return array<string, mixed>
     */
    protected function json(array $arguments, int $code = 0): array
    {
        $data = json_decode($this->ask([...$arguments, '--json'], $code), true);
        self::assertIsArray($data);

        return $data;
    }

    /** @param list<string> $arguments */
    protected function ask(array $arguments, int $code = 0): string
    {
        return $this->fleet('reader', [...$arguments, '--to=' . self::server()->url($this->database)], $code);
    }

    /**
     * @param key-of<ClickHouse::USERS> $user
     * @param list<string>              $arguments
     */
    protected function fleet(string $user, array $arguments, int $code = 0): string
    {
        return $this->xhprof(['fleet', ...$arguments], $code, $user);
    }

    /**
     * @param list<string>                   $arguments
     * @param key-of<ClickHouse::USERS>|null $user
     * @param array<string, string>          $environment
     */
    protected function xhprof(array $arguments, int $code = 0, ?string $user = null, array $environment = []): string
    {
        $command = XhprofCommand::run($arguments, $user, $environment);
        $text = $command->out . $command->err;
        self::assertSame($code, $command->exitCode, $text);

        return $text;
    }

    protected function assertSums(Sums $sums): void
    {
        $reader = $this->client('reader');
        foreach (self::SAMPLED as $table) {
            $rows = $reader->rows("SELECT sum(samples), sum(wall_ns) FROM $table");
            self::assertSame([[$sums->samples, $sums->wall]], $rows, $table);
        }
        foreach (self::FUNCTIONS as $table) {
            $rows = $reader->rows("SELECT sum(samples), sum(self_ns) FROM $table");
            self::assertSame([[$sums->samples, array_sum($sums->self)]], $rows, $table);
        }
        foreach (self::COUNTED as $table) {
            $rows = $reader->rows("SELECT sum(requests), sum(wall_us), arraySum(mapValues(sumMap(walls))) FROM $table");
            self::assertSame([[$sums->requests, $sums->requestWall, $sums->walls->count()]], $rows, $table);
        }
    }

    /** @param float|null $end of its window of a minute, seconds since 1970; null: now */
    protected static function run1(
        string $key,
        string $service,
        string $route,
        string $function,
        string $host,
        ?float $end = null,
        string $id = 'id',
    ): Shipment {
        $now = $end ?? (float) time();
        $window = RequestWindow::fromMeta([
            'seconds' => 60, 'from' => $now - 60, 'to' => $now, 'requests' => 4, 'processes' => 1,
            'routes' => [$route => ['requests' => 4, 'samples' => 3, 'wall_us' => 40, 'max_us' => 15, 'wall' => [10, 4]]],
        ]);
        $tree = CallTree::fromArray([
            'names' => ['main()', $route, $function], 'fn' => [0, 1, 2, 2], 'depth' => [0, 1, 2, 3], 'ct' => [0, 0, 1, 2],
            'self' => ['wt' => [0, 0, 10000, 20000]],
        ]);

        self::assertNotNull($window);

        $labels = ['label' => $service];

        return SentWindow::shipment($key, "$id.auto", $service, $service, $service, $host, $window, $tree, 10, $labels);
    }

    /**
     * Kills the server when it has so many more folders of a kind than now: while it inserts, or merges.
     *
     * @return resource
     */
    protected static function killer(ClickHouse $server, int $folders, string $kind = self::PARTS)
    {
        $command = [PHP_BINARY, __DIR__ . '/kill-at.php', (string) $server->pid(), "{$server->data()}/$kind", (string) $folders];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        self::assertSame("watching\n", fgets($pipes[1]));

        return $process;
    }
}
