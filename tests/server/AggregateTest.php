<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RouteFigures;
use XHProf\Run\RunMeta;
use XHProf\Store\WaitingRequests;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Request;
use XHProf\Tools\Servers\Site;

require_once __DIR__ . '/ServerTestCase.php';

/** One run for all workers and requests of a window of time. */
final class AggregateTest extends ServerTestCase
{
    private const SETTINGS = ['xhprof.mode=aggregate', 'xhprof.sampling_interval=1000', 'xhprof.flush_seconds=2'];
    private const SECONDS = 2;

    protected function setUp(): void
    {
        self::needServers();
    }

    public function testOneRunAWindow(): void
    {
        $requests = Site::requests(300);
        $expected = self::plainAnswers($requests);
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...self::SETTINGS]), 3);
        $workers = $server->workers();
        $began = intdiv(time(), self::SECONDS);
        $sent = 0;
        for ($until = microtime(true) + 2.5 * self::SECONDS; microtime(true) < $until;) {
            self::assertSameAnswers($expected, $server->client->load($requests, 4));
            $sent += count($requests);
            // Sessions count their visits.
            array_map(unlink(...), glob("{$server->folder->path}/sessions/sess_*") ?: []);
        }
        self::assertWorkersLive($workers, $server);
        $server->stop();
        $windows = intdiv(time(), self::SECONDS) - $began + 1;
        self::assertQuiet($server);

        $runs = self::wholeRuns($server->runs());
        self::assertGreaterThanOrEqual(2, count($runs));
        // Late records have a run of their own.
        self::assertLessThanOrEqual(2 * $windows, count($runs));
        $served = 0;
        $routes = [];
        foreach ($runs as $run) {
            self::assertSame('aggregate', $run->recording->mode);
            $window = $run->window;
            self::assertNotNull($window);
            self::assertSame(0, $window->damaged);
            $served += $window->requests;
            foreach ($window->routes() as $route) {
                $routes[$route] = ($routes[$route] ?? 0) + ($window->routeStats($route)->requests ?? 0);
            }
        }
        self::assertSame($sent, $served);
        self::assertSame($sent, array_sum($routes));
        self::assertSame($sent / 10 * 3, $routes['GET /products/{id}'] ?? null, (string) json_encode($routes));
        self::assertSame($sent / 10, $routes['POST /comments'] ?? null);
        self::assertFalse(self::isInFiles($server->runs(), 'hunter2'), 'a secret is on the disk');
    }

    public function testAShareOfTheRequests(): void
    {
        $settings = ['xhprof.start_with_request=sampled', 'xhprof.sample_rate=0.1', ...self::SETTINGS];
        $server = new PhpFpm(self::loaded($settings));
        $server->client->load(self::pings(1000), 4);
        $server->stop();
        self::nextProcess($server->folder, self::SECONDS);
        $runs = self::wholeRuns($server->runs());
        $served = array_sum(array_map(static fn(RunMeta $run): int => $run->window->requests ?? 0, $runs));
        // Once in a million times it would be fewer or more.
        self::assertGreaterThan(55, $served);
        self::assertLessThan(155, $served);
    }

    public function testWhoAsksHasARunOfItsOwn(): void
    {
        $settings = ['xhprof.start_with_request=yes', 'xhprof.trigger_value=open-sesame', ...self::SETTINGS];
        $server = new PhpFpm(self::loaded($settings));
        $server->client->load(self::pings(20), 2);
        $id = $server->client->send(new Request('/products/3', cookies: 'XHPROF_TRIGGER=open-sesame'))->run();
        self::assertNotNull($id);
        $server->stop();
        $modes = [];
        foreach (self::wholeRuns($server->runs()) as $run) {
            $modes[(string) $run->recording->mode][] = $run->id;
        }
        self::assertSame([$id], $modes['exact'] ?? null);
        self::assertNotEmpty($modes['aggregate'] ?? []);
    }

    /** PHP keeps the type of its last error, and servers set a status, for longer than a request. */
    public function testRequestsAfterOneThatFailedHaveNotFailed(): void
    {
        $settings = ['xhprof.start_with_request=yes', 'xhprof.save_if=failed@1000', ...self::SETTINGS];
        $server = new PhpFpm(self::loaded($settings), 1);
        $workers = $server->workers();
        foreach (['/ping', '/error', '/ping', '/memory', '/ping', '/ping'] as $path) {
            $server->client->get($path);
        }
        self::assertWorkersLive($workers, $server);
        $server->stop();
        self::nextProcess($server->folder, self::SECONDS);
        $failed = $saved = [];
        foreach (self::wholeRuns($server->runs()) as $run) {
            if ($run->window === null) {
                $saved[] = (string) $run->origin->route;
                continue;
            }
            foreach ($run->window->routes() as $route) {
                $stats = $run->window->routeStats($route);
                $failed[$route][] = [$stats->requests ?? 0, $stats->failed ?? 0];
            }
        }
        $sum = static fn(array $of, int $column): int => (int) array_sum(array_column($of, $column));
        $sums = array_map(static fn(array $of): array => [$sum($of, 0), $sum($of, 1)], $failed);
        $expected = ['GET /error' => [1, 1], 'GET /memory' => [1, 1], 'GET /ping' => [4, 0]];
        self::assertEquals($expected, array_intersect_key($sums, $expected), (string) json_encode($sums));
        self::assertEqualsCanonicalizing(['GET /error', 'GET /memory'], $saved);
    }

    /** The same of a client that goes, of an answer that ends early, and of output that has begun. */
    public function testWhatOneRequestLeavesInItsWorkerIsNotTheNextOnes(): void
    {
        $more = "request_terminate_timeout = 1s\nrequest_slowlog_timeout = 0";
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...self::SETTINGS]), 1, more: $more);
        $gone = new Request('/stream?lines=4000', abortAfter: 20_000);
        foreach ([$gone, '/finish?ms=1', $gone, '/finish?ms=1', '/busy?ms=60000'] as $leaves) {
            $request = is_string($leaves) ? new Request($leaves) : $leaves;
            $server->client->load([$request], 1);
            self::assertSame('pong', $server->client->get('/ping')->body);
        }
        $server->stop();
        self::nextProcess($server->folder, self::SECONDS);
        $routes = [];
        foreach (self::wholeRuns($server->runs()) as $run) {
            foreach ($run->window?->routes() ?? [] as $route) {
                $figures = $run->window?->routeStats($route) ?? RouteFigures::none();
                $routes[$route] = ($routes[$route] ?? RouteFigures::none())->plus($figures);
            }
        }
        ksort($routes);
        $figures = static fn(RouteFigures $of): array => [$of->requests, $of->failed, $of->aborted, $of->early];
        $expected = [
            'GET /busy' => [1, 1, 0, 0], 'GET /finish' => [2, 0, 0, 2], 'GET /ping' => [5, 0, 0, 0], 'GET /stream' => [2, 0, 2, 0],
        ];
        self::assertSame($expected, array_map($figures, array_intersect_key($routes, $expected)));
    }

    /** Monitoring asks for them every few seconds. */
    public function testPhpFpmsOwnPagesDoNotCount(): void
    {
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...self::SETTINGS]));
        self::assertSame('pong', $server->client->get('/fpm-ping')->body);
        self::assertIsArray(json_decode($server->client->get('/fpm-status?json')->body, true));
        self::assertSame(404, $server->client->get('/fpm-missing.php')->status);
        self::assertSame('pong', $server->client->get('/ping')->body);
        $server->stop();
        self::nextProcess($server->folder, self::SECONDS);
        $routes = [];
        foreach (self::wholeRuns($server->runs()) as $run) {
            $routes = [...$routes, ...($run->window?->routes() ?? [])];
        }
        self::assertSame(['GET /ping'], array_values(array_filter($routes, static fn(string $name): bool => $name[0] === 'G')));
    }

    /** What a worker does when its client has the answer is not slowness of the route. */
    public function testWorkAfterTheAnswerIsAFigureOfItsOwn(): void
    {
        for ($attempt = 1; $attempt <= 5; $attempt++) {
            [$saved, $routes] = $this->answersBeforeTheWork();
            $finished = $routes['GET /finish'];
            if ($finished->max < 1_500_000) {
                break; // no answer had to wait for the machine
            }
        }
        self::assertSame(['GET /slow', 'GET /slow'], $saved);
        self::assertSame([3, 3, 3], [$finished->requests, $finished->early, $finished->walls->count()]);
        self::assertGreaterThanOrEqual(3 * 1_600_000, $finished->after);
        self::assertLessThan($finished->after, $finished->wall);
        $slow = $routes['GET /slow'];
        self::assertSame([2, 0, 0], [$slow->requests, $slow->early, $slow->after]);
        self::assertGreaterThanOrEqual(2 * 1_500_000, $slow->wall);
    }

    /**
     * Three requests that work after their answer, and two before it, on a new server that saves those of 1.5 s and more.
     *
     * @return array{list<string|null>, array<string, RouteFigures>} the routes that were saved, and the figures of all
     */
    private function answersBeforeTheWork(): array
    {
        $conditions = 'xhprof.save_if=route=GET /finish&slower=1500, route=GET /slow&slower=1500';
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...self::SETTINGS, $conditions]));
        $answers = $server->client->load([
            ...array_fill(0, 3, new Request('/finish?ms=1600')),
            ...array_fill(0, 2, new Request('/slow?ms=1600')),
        ], 2);
        self::assertSame(['accepted', 'accepted', 'accepted', 'after 1600 ms', 'after 1600 ms'], array_column($answers, 'body'));
        $server->stop();
        self::nextProcess($server->folder, self::SECONDS);
        $saved = $routes = [];
        foreach (self::wholeRuns($server->runs()) as $run) {
            if ($run->recording->mode !== 'aggregate') {
                $saved[] = $run->origin->route;
            }
            foreach ($run->window?->routes() ?? [] as $route) {
                $routes[$route] = ($routes[$route] ?? RouteFigures::none())
                    ->plus($run->window?->routeStats($route) ?? RouteFigures::none());
            }
        }

        return [$saved, $routes];
    }

    /** Short-lived processes share a run: the next one finds the data that they have left. */
    public function testReloadAndStopKeepWhatWasCounted(): void
    {
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...self::SETTINGS]));
        $server->client->load(
            self::pings(600),
            4,
            static function (int $answered) use ($server): void {
                if ($answered === 200 || $answered === 400) {
                    $server->reload();
                }
            },
        );
        $server->stop();
        self::nextProcess($server->folder, self::SECONDS);
        $runs = self::wholeRuns($server->runs());
        $served = array_sum(array_map(static fn(RunMeta $run): int => $run->window->requests ?? 0, $runs));
        // The next one's own data may be left for the one after it.
        self::assertContains($served, [600, 601]);
    }

    /** @return iterable<string, array{\Closure(PhpFpm): void}> */
    public static function suddenEnds(): iterable
    {
        yield 'SIGTERM' => [static fn(PhpFpm $server) => $server->terminate()];
        yield 'SIGQUIT' => [static fn(PhpFpm $server) => $server->stopFpm()];
        yield 'kill -9 of the workers' => [
            static function (PhpFpm $server): void {
                foreach ($server->workers() as $worker) {
                    posix_kill($worker, SIGKILL);
                }
                $server->terminate();
            },
        ];
    }

    /**
     * With PHP-FPM's default settings SIGTERM follows a reload and a stop at once.
     *
     * @param \Closure(PhpFpm): void $end
     */
    #[DataProvider('suddenEnds')]
    public function testWhatWasCountedSurvivesASuddenEnd(\Closure $end): void
    {
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...self::SETTINGS]), 3, patience: 0);
        $server->client->load(self::pings(30), 3);
        $workers = $server->workers();
        $server->reload();
        $server->awaitWorkers($workers);
        self::eventually(static fn(): bool => $server->client->get('/fpm-ping')->status === 200, 'PHP-FPM does not answer');
        $server->client->load(self::pings(30), 3);
        $end($server);
        self::nextProcess($server->folder, self::SECONDS);
        $runs = self::wholeRuns($server->runs());
        $served = array_sum(array_map(static fn(RunMeta $run): int => $run->window->requests ?? 0, $runs));
        self::assertContains($served, [60, 61]);
        self::assertSame([], glob($server->runs() . '/.xhprof-aggregate.*.journal'));
    }

    /** @return iterable<string, array{\Closure(string): bool, bool}> */
    public static function whatOthersDo(): iterable
    {
        $ways = [
            'empties' => static fn(string $journal): bool => ftruncate(self::opened($journal), 0),
            'shortens' => static fn(string $journal): bool => ftruncate(self::opened($journal), 100),
            'removes' => static fn(string $journal): bool => unlink($journal),
            'replaces' => static fn(string $journal): bool => touch("$journal.new") && rename("$journal.new", $journal),
            'moves' => static fn(string $journal): bool => rename($journal, "$journal.1"),
        ];
        foreach ($ways as $name => $way) {
            yield "PHP-FPM, somebody $name it" => [$way, true];
            yield "php -S, somebody $name it" => [$way, false];
        }
    }

    /**
     * The same user's other programs reach the files of a pool: what they do to them costs neither an answer nor a process, and
     * after kill -9 no request that was counted later is missing.
     *
     * @param \Closure(string): bool $way
     */
    #[DataProvider('whatOthersDo')]
    public function testWhatOthersDoToAJournalHurtsNobody(\Closure $way, bool $fpm): void
    {
        $settings = self::loaded(['xhprof.start_with_request=yes', ...self::SETTINGS]);
        $server = $fpm ? new PhpFpm($settings, 2) : new DevServer($settings);
        $runs = $server->runs();
        $journals = static fn(): array => glob("$runs/.xhprof-aggregate.*.journal") ?: [];
        $workers = $server instanceof PhpFpm ? $server->workers() : [$server->pid()];
        $ask = static function (int $count) use ($server): void {
            for ($i = 0; $i < $count; $i++) {
                self::assertSame(200, $server->client->get('/ping')->status);
            }
        };
        // A request is counted after its answer.
        $requestsOf = static fn(array $saved): int => array_sum(array_map(
            static fn(RunMeta $run): int => $run->window->requests ?? 0,
            $saved,
        ));
        $isCounted = static fn(int $requests): \Closure
            => static fn(): bool => WaitingRequests::in($runs)->requests + $requestsOf(self::completeRuns($runs)) >= $requests;
        $ask(30);
        self::eventually($isCounted(30), 'not all requests are counted');
        self::assertNotSame([], $journals());
        array_map($way, $journals());
        $ask(30);
        self::eventually($isCounted(60), 'not all requests are counted');
        foreach ($workers as $worker) {
            self::assertTrue(posix_kill($worker, 0));
            self::assertSame(0, preg_match('/ [r-][w-][x-]s .*\.journal/', (string) file_get_contents("/proc/$worker/maps")));
            posix_kill($worker, SIGKILL);
        }
        $server instanceof PhpFpm ? $server->terminate() : $server->stop();
        self::nextProcess($server->folder, self::SECONDS);
        // The next process may be counted as well.
        self::assertContains($requestsOf(self::wholeRuns($runs)), [60, 61]);
    }

    /** @return resource */
    private static function opened(string $file)
    {
        $stream = fopen($file, 'r+');
        self::assertIsResource($stream);

        return $stream;
    }
}
