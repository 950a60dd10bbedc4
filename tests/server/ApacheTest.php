<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use XHProf\Run\RunMeta;
use XHProf\Tools\Servers\Apache;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\Request;
use XHProf\Tools\Servers\Site;

require_once __DIR__ . '/ServerTestCase.php';

/** Apache loads PHP and its extensions twice, and starts its workers from a process of root. */
final class ApacheTest extends ServerTestCase
{
    private const AGGREGATE = [
        'xhprof.start_with_request=yes', 'xhprof.mode=aggregate', 'xhprof.sampling_interval=1000', 'xhprof.flush_seconds=2',
    ];
    private const SECONDS = 2;

    protected function setUp(): void
    {
        if (Programs::missingApache() !== null) {
            self::markTestSkipped(Programs::missingApache());
        }
        self::needExtension();
    }

    public function testTheTriggerChoosesRequests(): void
    {
        $requests = Site::requests(60);
        $plain = new Apache([]);
        $expected = $plain->client->load($requests, 2);
        $plain->stop();
        $server = new Apache(self::loaded(['xhprof.start_with_request=trigger', 'xhprof.trigger_value=open-sesame']));
        self::assertSameAnswers($expected, $server->client->load($requests, 2));
        self::assertSame(0, self::countRuns($server->runs()));

        $asked = $server->client->load(Site::requests(20, 'XHPROF_TRIGGER=open-sesame'), 2);
        $server->client->get('/ping', 'XHPROF_TRIGGER=guessed');
        $server->stop();

        $runs = self::wholeRuns($server->runs());
        self::assertEqualsCanonicalizing(
            array_map(static fn(Request $request): string => strtok($request->path, '?') ?: '', Site::requests(20)),
            array_map(static fn(RunMeta $run): string => strtok((string) $run->origin->url, '?') ?: '', $runs),
        );
        self::assertNotContains(null, array_map(static fn($response): ?string => $response->run(), $asked));
        self::assertQuietApache($server);
    }

    /** Each worker ends after a few connections, of a few requests each. */
    public function testAWindowOfWorkersThatEnd(): void
    {
        $server = new Apache(self::loaded(self::AGGREGATE), 3, connections: 2);
        $workers = $server->workers();
        foreach ($server->client->load(self::pings(150), 3) as $response) {
            self::assertSame('pong', $response->body);
        }
        self::assertSame([], array_intersect($workers, $server->workers()), 'no worker has ended');
        self::assertContains(self::served($server), [150, 151]);
        self::assertQuietApache($server);
    }

    public function testAGracefulRestartLosesNothing(): void
    {
        $server = new Apache(self::loaded(self::AGGREGATE), 3);
        $workers = $server->workers();
        $responses = $server->client->load(
            self::pings(150),
            3,
            static function (int $answered) use ($server): void {
                if ($answered === 50 || $answered === 100) {
                    $server->reload();
                }
            },
        );
        foreach ($responses as $response) {
            self::assertSame(['', 'pong'], [$response->error, $response->body]);
        }
        self::eventually(
            static fn(): bool => array_intersect($workers, $server->workers()) === [],
            'the workers are those from before the restart',
        );
        self::assertContains(self::served($server), [150, 151]);
        self::assertQuietApache($server);
    }

    /** The extension runs as root before the workers give up their rights, and again at each restart. */
    public function testRightsStayAsApacheSetsThem(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('only root can start workers of another user');
        }
        $plain = new Apache([]);
        $expected = self::rights($plain->pid());
        [$worker] = $plain->workers();
        $user = posix_getpwnam('www-data')['uid'] ?? -1;
        // Apache gives up the groups before the user, so the user is what a worker changes last.
        self::eventually(
            static fn(): bool => in_array("Uid:\t$user\t$user\t$user\t$user", self::rights($worker), true),
            'a worker keeps the rights of root',
        );
        self::assertSame('pong', $plain->client->get('/ping')->body);
        $ofWorkers = self::rights($worker);
        self::assertNotSame($expected, $ofWorkers);
        $plain->stop();
        $server = new Apache(self::loaded(['xhprof.start_with_request=yes']));
        for ($round = 0; $round < 2; $round++) {
            $workers = $server->workers();
            self::assertSame('pong', $server->client->get('/ping')->body);
            self::assertSame($expected, self::rights($server->pid()));
            foreach ($workers as $worker) {
                self::eventually(static fn(): bool => self::rights($worker) === $ofWorkers, 'a worker has other rights');
            }
            $server->reload();
            self::eventually(
                static fn(): bool => array_intersect($workers, $server->workers()) === []
                    && count($server->workers()) === $server->workers,
                'there are no new workers',
            );
        }
        $server->stop();
        foreach (glob($server->runs() . '/{,.}[!.]*', GLOB_BRACE) ?: [] as $file) {
            self::assertSame([$user, 0], [fileowner($file), fileperms($file) & 0o7], $file);
        }
        self::assertCount(2, self::wholeRuns($server->runs()));
    }

    /** @return list<string> users, groups and capabilities of a process */
    private static function rights(int $pid): array
    {
        $status = (string) file_get_contents("/proc/$pid/status");
        preg_match_all('/^(?:Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp):.*$/m', $status, $lines);

        return $lines[0];
    }

    /** Stops the server after a request of the next window, and counts the requests of all runs. */
    private static function served(Apache $server): int
    {
        sleep(self::SECONDS);
        self::assertSame('pong', $server->client->get('/ping')->body);
        $server->stop();
        self::assertSame([], glob($server->runs() . '/.xhprof-aggregate.*.journal') ?: []);
        $runs = self::wholeRuns($server->runs());

        return array_sum(array_map(static fn(RunMeta $run): int => $run->window->requests ?? 0, $runs));
    }

    /** Neither PHP nor Apache has logged an error. */
    private static function assertQuietApache(Apache $server): void
    {
        self::assertSame('', $server->errors());
        // AH00161 is logged when all workers are busy, as they should be here.
        $lines = preg_grep('/AH00161/', explode("\n", $server->log()), PREG_GREP_INVERT) ?: [];
        self::assertSame([], array_values(preg_grep('/exit signal|\[\w+:(?:error|crit|alert|emerg)\]/', $lines) ?: []));
    }
}
