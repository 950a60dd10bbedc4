<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use PHPUnit\Framework\TestCase;
use XHProf\Demo\Fleet\RealProfile;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\ClickHouseOutput;
use XHProf\Fleet\ClickHouse\Ddl;
use XHProf\Fleet\ClickHouse\Migrations;
use XHProf\Fleet\Destination;
use XHProf\Fleet\ShippedRun;
use XHProf\Tools\Servers\ClickHouse;
use XHProf\Tools\Servers\Programs;

require_once __DIR__ . '/../../demo/fleet/autoload.php';

/** A store for the tests of a class, each with a database of its own, and a profile of the demo that is recorded once. */
abstract class FleetTestCase extends TestCase
{
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
        return Client::of(new Destination(self::server()->url($this->database), $user, $password ?? ClickHouse::USERS[$user]));
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

    /** @param list<ShippedRun> $runs */
    protected function send(array $runs): void
    {
        self::sendBy($this->store(), $runs);
    }

    /** @param list<ShippedRun> $runs */
    protected static function sendBy(ClickHouseOutput $output, array $runs): void
    {
        if ($runs === []) {
            self::fail('there are no runs to send');
        }
        $output->send($runs);
    }

    protected static function real(): RealProfile
    {
        if (!is_file(Programs::extension()) || !extension_loaded('curl')) {
            self::markTestSkipped('the extension is not built, or this PHP has no curl');
        }

        return self::$real ??= RealProfile::record(600);
    }

    /**
     * @param iterable<ShippedRun> $runs
     *
     * @return list<ShippedRun>
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
        $as = ['XHPROF_SHIP_USER' => $user, 'XHPROF_SHIP_PASSWORD' => ClickHouse::USERS[$user]];

        return $this->xhprof(['fleet', ...$arguments], $code, $as);
    }

    /**
     * @param list<string>          $arguments
     * @param array<string, string> $environment
     */
    protected function xhprof(array $arguments, int $code = 0, array $environment = []): string
    {
        $out = (string) tempnam(sys_get_temp_dir(), 'xhf');
        $command = [PHP_BINARY, dirname(__DIR__, 2) . '/bin/xhprof', ...$arguments];
        $streams = [['file', '/dev/null', 'r'], ['file', $out, 'a'], ['file', $out, 'a']];
        $process = proc_open($command, $streams, $pipes, null, $environment + getenv());
        self::assertIsResource($process);
        $ended = proc_close($process);
        $text = (string) file_get_contents($out);
        unlink($out);
        self::assertSame($code, $ended, $text);

        return $text;
    }
}
