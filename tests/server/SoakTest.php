<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Soak\Options;
use XHProf\Tests\Soak\OwnMemory;
use XHProf\Tests\Soak\Report;
use XHProf\Tests\Soak\Routes;
use XHProf\Tests\Soak\Soak;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\ServerFailure;
use XHProf\Tools\Servers\SmallDisk;

require_once __DIR__ . '/ServerTestCase.php';
require_once __DIR__ . '/../soak/autoload.php';

/** What make soak does, in short, and what it calls a problem. */
final class SoakTest extends ServerTestCase
{
    public function testEveryRequestOfNginxsLogIsInAWindow(): void
    {
        self::needServers();
        $options = new Options(requests: 500, window: 2, reloads: 1, maxRequests: 60, kills: 0);
        $report = (new Soak($options))->run();
        self::assertSame([], $report->problems(), $report->text());
        self::assertSame($report->logged, $report->counted);
        self::assertSame([500, 2], [array_sum($report->logged), $report->logged['GET (404)']]);
        self::assertSame([[], []], [$report->failed, $report->interrupted]);
        self::assertStringContainsString('1 reloads, workers replaced after 60 requests', $report->text());
    }

    public function testKilledWorkersLoseTheRequestsThatNginxCallsInterrupted(): void
    {
        self::needServers();
        $report = (new Soak(new Options(requests: 300, window: 2, reloads: 0, maxRequests: 0, kills: 4)))->run();
        self::assertSame([], $report->problems(), $report->text());
        self::assertSame(300, array_sum($report->logged));
        self::assertSame(4, $report->killed);
    }

    /** @return iterable<string, array{array<string, mixed>, string|null}> what differs from a good report, and the problem */
    public static function reports(): iterable
    {
        $interrupted = ['interrupted' => ['GET /' => 1], 'failed' => ['/: 502 '], 'killed' => 1, 'died' => 1];
        $lost = ['messages' => ['xhprof: a window for /runs is lost: 3 requests']];
        yield 'good' => [[], null];
        yield 'lost' => [['counted' => ['GET /' => 9, 'POST /a' => 5]], "GET /: 10 in nginx's log, 9 in all windows"];
        yield 'a route lost' => [['counted' => ['GET /' => 10]], "POST /a: 5 in nginx's log, 0 in all windows"];
        yield 'counted twice' => [['counted' => ['GET /' => 11, 'POST /a' => 5]], "GET /: 10 in nginx's log, 11 in all windows"];
        yield 'interrupted' => [['counted' => ['GET /' => 9, 'POST /a' => 5]] + $interrupted, null];
        yield 'interrupted, but counted' => [$interrupted, null];
        yield 'interrupted, another lost' => [
            ['counted' => ['GET /' => 10, 'POST /a' => 4]] + $interrupted,
            "POST /a: 5 in nginx's log, 4 in all windows",
        ];
        yield 'interrupted without a kill' => [
            ['killed' => 0, 'died' => 0] + $interrupted,
            '1 requests were interrupted, but 0 workers were killed',
        ];
        yield 'more interrupted than killed' => [
            ['interrupted' => ['GET /' => 2]] + $interrupted,
            '2 requests were interrupted, but 1 workers were killed',
        ];
        yield 'failed' => [['failed' => ['/a: 500 ']], '1 requests failed, 0 of them were interrupted: /a: 500 '];
        yield 'died' => [['died' => 1], '1 workers died of a signal, but 0 were killed'];
        yield 'not logged' => [['sent' => 16], 'nginx has logged 15 requests of 16'];
        yield 'damaged' => [['damaged' => 1], '1 records are damaged'];
        yield 'left' => [['left' => ['.xhprof-aggregate.1.journal']], '.xhprof-aggregate.1.journal was left'];
        yield 'grown' => [['growth' => 513], 'a worker has grown by 513 kB, more than 512'];
        yield 'not grown' => [['growth' => 512], null];
        yield 'warning' => [['messages' => ['PHP Warning:  Oops']], "PHP's log: PHP Warning:  Oops"];
        yield 'a warning on a full disk' => [['full' => true, 'messages' => ['Oops']], "PHP's log: Oops"];
        yield 'a full disk' => [['full' => true, 'messages' => ['cannot write a run to /runs: No space left on device']], null];
        yield 'lost on a full disk' => [['full' => true, 'counted' => ['GET /' => 8, 'POST /a' => 4]] + $lost, null];
        yield 'lost more than the log says' => [
            ['full' => true, 'counted' => ['GET /' => 7, 'POST /a' => 4]] + $lost,
            "PHP's log calls 3 requests lost, 4 to 4 are missing",
        ];
        yield 'lost less than the log says' => [
            ['full' => true, 'counted' => ['GET /' => 9, 'POST /a' => 4]] + $lost,
            "PHP's log calls 3 requests lost, 2 to 2 are missing",
        ];
    }

    /** @param array<string, mixed> $differs */
    #[DataProvider('reports')]
    public function testWhatIsAProblem(array $differs, ?string $problem): void
    {
        $values = $differs + [
            'full' => false, 'logged' => ['GET /' => 10, 'POST /a' => 5], 'counted' => ['GET /' => 10, 'POST /a' => 5],
            'interrupted' => [], 'sent' => 15, 'failed' => [], 'damaged' => 0, 'killed' => 0, 'died' => 0, 'messages' => [],
            'left' => [], 'growth' => 0, 'notes' => [],
        ];
        $options = new Options(full: (bool) $values['full'], growth: 512);
        unset($values['full']);
        $report = new Report($options, ...$values);
        self::assertSame($problem === null ? [] : [$problem], $report->problems());
        $end = $problem === null ? Report::GOOD : "PROBLEM: $problem\n";
        self::assertStringEndsWith($end, $report->text());
    }

    public function testNginxSaysWhichRequestsWereInterrupted(): void
    {
        $log = '2026/11/27 18:22:34 [error] 7#7: *9 upstream prematurely closed connection while reading response header from '
            . 'upstream, client: unix:, server: , request: "GET /products/7?a=1 HTTP/1.1", upstream: "fastcgi://unix:/x", host: "h"'
            . "\n" . '2026/11/27 18:22:34 [error] 7#7: *8 recv() failed (104: Connection reset by peer) while reading upstream, '
            . 'client: unix:, server: , request: "POST /comments HTTP/1.1", upstream: "fastcgi://unix:/x", host: "h"' . "\n"
            . '2026/11/27 18:22:35 [warn] 7#7: *5 a client request body is buffered, request: "POST /upload HTTP/1.1"' . "\n";
        self::assertSame(['GET /products/{id}' => 1, 'POST /comments' => 1], Routes::interrupted($log));
    }

    public function testGrowthIsThatOfTheLastThirdOfALife(): void
    {
        $memory = new OwnMemory();
        self::assertNull($memory->growth());
        foreach ([100, 900, 900, 900, 910, 920, 905, 900, 921, 922, 930, 900] as $i => $kilobytes) {
            self::assertNull($memory->growth(), "$i readings are too few");
            $memory->add([1 => $kilobytes]);
        }
        self::assertSame(10, $memory->growth());
        foreach (range(1, 12) as $i) {
            $memory->add([2 => 1000 + 10 * $i]);
        }
        self::assertSame(40, $memory->growth());
    }

    public function testMemoryThatIsNotKnownIsNotNone(): void
    {
        self::assertSame(7256, PhpFpm::ownMemory("VmSize:\t   99 kB\nRssAnon:\t    7256 kB\nRssFile:\t    1 kB\n"));
        self::assertNull(PhpFpm::ownMemory(''));
        self::assertNull(PhpFpm::ownMemory("State:\tZ (zombie)\nPPid:\t1\n"));
        $this->expectException(ServerFailure::class);
        PhpFpm::ownMemory("VmSize:\t   99 kB\nVmRSS:\t   98 kB\n");
    }

    public function testASmallDiskIsFullAndFree(): void
    {
        $disk = SmallDisk::mount();
        if (is_string($disk)) {
            self::markTestSkipped($disk);
        }
        $path = $disk->path;
        $disk->fill();
        self::assertTrue($disk->isFull());
        self::assertNotSame(5, @file_put_contents("$path/file", 'bytes'));
        $disk->free();
        self::assertSame(5, file_put_contents("$path/file", 'bytes'));
        unset($disk);
        self::assertDirectoryDoesNotExist($path);
        self::assertStringNotContainsString($path, (string) file_get_contents('/proc/mounts'));
    }

    public function testOptions(): void
    {
        $options = Options::parse(['--requests=501', '--max-requests=0', '--full']);
        self::assertSame([501, 0, true, 3], [$options->requests, $options->maxRequests, $options->full, $options->steps()]);
        self::assertSame([250, 250, 1], array_map($options->size(...), [0, 1, 2]));
        $mistakes = [
            '--fast' => 'unknown option --fast', 'requests=5' => 'unknown option requests=5',
            '--requests=0' => '--requests must be a number from 1 to 10000000, not "0"',
            '--kills=x' => '--kills must be a number from 0 to 10000, not "x"', '--full=1' => 'unknown option --full=1',
        ];
        foreach ($mistakes as $mistake => $message) {
            try {
                Options::parse([$mistake]);
                self::fail("$mistake is accepted");
            } catch (\InvalidArgumentException $error) {
                self::assertStringContainsString($message, $error->getMessage());
            }
        }
    }
}
