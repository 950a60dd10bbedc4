<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Request;
use XHProf\Tools\Servers\Site;
use XHProf\Tools\Servers\SmallDisk;

require_once __DIR__ . '/ServerTestCase.php';

/** Servers that are reloaded and stopped at work, full disks, long-lived processes. */
final class LifecycleTest extends ServerTestCase
{
    private const CONCURRENCY = 4;

    protected function setUp(): void
    {
        self::needServers();
    }

    /** @return iterable<string, array{list<string>}> settings */
    public static function modes(): iterable
    {
        yield 'exact' => [['xhprof.mode=exact']];
        yield 'sample' => [['xhprof.mode=sample', 'xhprof.sampling_interval=1000']];
    }

    /** @param list<string> $settings */
    #[DataProvider('modes')]
    public function testReloadUnderLoad(array $settings): void
    {
        $requests = Site::requests(300);
        $expected = self::plainAnswers($requests);
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...$settings]));
        $before = $server->workers();
        $responses = $server->client->load(
            $requests,
            self::CONCURRENCY,
            static function (int $answered) use ($server): void {
                if ($answered === 60 || $answered === 180) {
                    $server->reload();
                }
            },
        );
        self::assertSameAnswers($expected, $responses);
        self::assertSame([], array_intersect($before, $server->workers()), 'nothing was reloaded');
        self::assertDoesNotMatchRegularExpression('/exited on signal|ERROR|ALERT/', $server->log());
        $server->stop();
        self::assertCount(300, self::wholeRuns($server->runs()));
        self::assertQuiet($server);
    }

    /** @param list<string> $settings */
    #[DataProvider('modes')]
    public function testStopUnderLoad(array $settings): void
    {
        $held = new Folder();
        $server = new PhpFpm(
            self::loaded(['xhprof.start_with_request=yes', ...$settings]),
            self::CONCURRENCY,
            ['HELD_FOLDER' => $held->path],
            __DIR__ . '/lifecycle/held.php',
        );
        $server->client->load(self::pings(40), self::CONCURRENCY);
        $pid = pcntl_fork();
        if ($pid === 0) {
            // PHP-FPM stops when each worker is within a request; these end when it is at stopping.
            self::within(fn(): bool => count(glob("$held->path/begun-*") ?: []) === self::CONCURRENCY);
            posix_kill((int) file_get_contents("{$server->folder->path}/fpm.pid"), SIGQUIT);
            self::within(fn(): bool => str_contains($server->log(), 'Finishing'));
            touch("$held->path/go");
            posix_kill((int) getmypid(), SIGKILL);
        }
        $responses = $server->client->load(array_fill(0, self::CONCURRENCY, new Request('/')), self::CONCURRENCY);
        pcntl_waitpid($pid, $status);
        foreach ($responses as $response) {
            self::assertSame(['', 200, 'held'], [$response->error, $response->status, $response->body]);
        }
        $server->stop();
        self::assertCount(40 + self::CONCURRENCY, self::wholeRuns($server->runs()));
        self::assertDoesNotMatchRegularExpression('/exited on signal|ERROR|ALERT/', $server->log());
    }

    public function testAFolderThatIsNotThere(): void
    {
        $requests = Site::requests(60);
        $expected = self::plainAnswers($requests);
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', 'xhprof.output_dir={folder}/nowhere']));
        $workers = $server->workers();
        self::assertSameAnswers($expected, $server->client->load($requests, 2));
        self::assertWorkersLive($workers, $server);
        $server->stop();
        self::assertReportedOnce($server);
    }

    public function testAFullDisk(): void
    {
        $disk = SmallDisk::mount();
        if (is_string($disk)) {
            self::markTestSkipped($disk);
        }
        $requests = Site::requests(60);
        $expected = self::plainAnswers($requests);
        $disk->fill();
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', "xhprof.output_dir=$disk->path"]));
        $workers = $server->workers();
        self::assertSameAnswers($expected, $server->client->load($requests, 2));
        self::assertReportedOnce($server);
        self::assertSame([SmallDisk::FILLER], array_values(array_filter(
            scandir($disk->path) ?: [],
            static fn(string $name): bool => !str_starts_with($name, '.'),
        )));
        $disk->free();
        foreach ($server->client->load(self::pings(10), 2) as $response) {
            self::assertSame('pong', $response->body);
        }
        self::assertWorkersLive($workers, $server);
        $server->stop();
        self::assertCount(10, self::wholeRuns($disk->path));
        self::assertReportedOnce($server);
    }

    /** @return iterable<string, array{list<string>}> settings */
    public static function alwaysOn(): iterable
    {
        yield 'idle' => [[]];
        yield 'exact' => [['xhprof.start_with_request=yes']];
        yield 'sample' => [['xhprof.start_with_request=yes', 'xhprof.mode=sample', 'xhprof.sampling_interval=1000']];
        yield 'aggregate' => [['xhprof.start_with_request=yes', 'xhprof.mode=aggregate', 'xhprof.sampling_interval=1000']];
    }

    /** @param list<string> $settings */
    #[DataProvider('alwaysOn')]
    public function testWorkersDoNotGrow(array $settings): void
    {
        $server = new PhpFpm(self::loaded([...$settings, 'xhprof.max_runs=100']));
        $workers = $server->workers();
        $server->client->load(Site::requests(300), self::CONCURRENCY);
        $before = $server->memory();
        $server->client->load(Site::requests(600), self::CONCURRENCY);
        $after = $server->memory();
        self::assertSame([$workers, $workers], [array_keys($before), array_keys($after)]);
        self::assertLessThan(1024, array_sum($after) - array_sum($before));
        self::assertWorkersLive($workers, $server);
    }

    /** Each worker has reported it, in one line. */
    private static function assertReportedOnce(PhpFpm $server): void
    {
        $lines = array_filter(explode("\n", trim($server->errors())));
        self::assertCount($server->workers, $lines, substr($server->errors(), 0, 1000));
        foreach ($lines as $line) {
            self::assertMatchesRegularExpression('/xhprof/i', $line);
        }
    }
}
