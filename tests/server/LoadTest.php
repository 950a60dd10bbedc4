<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Response;
use XHProf\Tools\Servers\Site;

require_once __DIR__ . '/ServerTestCase.php';

/** nginx and PHP-FPM under load, with every way of being profiled: the answers are those of a PHP without the extension. */
final class LoadTest extends ServerTestCase
{
    private const REQUESTS = 240;
    private const CONCURRENCY = 4;

    /** @var list<Response>|null without the extension */
    private static ?array $answers = null;

    protected function setUp(): void
    {
        self::needServers();
    }

    public static function tearDownAfterClass(): void
    {
        self::$answers = null;
    }

    public function testWithoutTheExtension(): void
    {
        $server = new PhpFpm([]);
        $workers = $server->workers();
        foreach ($server->client->load(Site::requests(self::REQUESTS), self::CONCURRENCY) as $response) {
            self::assertSame(['', 200], [$response->error, $response->status], $response->request->path);
            self::assertContains($response->worker(), $workers);
        }
        self::assertWorkersLive($workers, $server);
        self::assertQuiet($server);
    }

    /** @return iterable<string, array{list<string>, string}> settings, and the mode of the runs; "" for none */
    public static function ways(): iterable
    {
        yield 'idle' => [['xhprof.start_with_request=no'], ''];
        $all = ['xhprof.start_with_request=sampled', 'xhprof.sample_rate=1.0'];
        yield 'exact' => [[...$all, 'xhprof.mode=exact', 'xhprof.flags=cpu,memory'], 'exact'];
        yield 'sample' => [[...$all, 'xhprof.mode=sample', 'xhprof.sampling_interval=1000'], 'sample'];
        yield 'sample, CPU clock, hooks off' => [
            [...$all, 'xhprof.mode=sample', 'xhprof.sampling_interval=1000', 'xhprof.sampling_clock=cpu', 'xhprof.hooks=off'],
            'sample',
        ];
        yield 'alloc' => [[...$all, 'xhprof.mode=alloc'], 'alloc'];
        yield 'every request' => [['xhprof.start_with_request=yes'], 'exact'];
    }

    /** @param list<string> $settings */
    #[DataProvider('ways')]
    public function testAnswersAndRuns(array $settings, string $mode): void
    {
        $expected = $this->answers();
        $server = new PhpFpm(self::loaded($settings));
        $workers = $server->workers();
        self::assertSameAnswers($expected, $server->client->load(Site::requests(self::REQUESTS), self::CONCURRENCY));
        self::assertWorkersLive($workers, $server);
        $server->stop();
        self::assertQuiet($server);

        $runs = self::wholeRuns($server->runs());
        $requests = $mode === '' ? [] : $expected;
        self::assertCount(count($requests), $runs);
        self::assertFalse(self::isInFiles($server->runs(), 'hunter2'), 'a secret is on the disk');
        $wanted = array_map(static fn(Response $response): string => self::page($response->request->path), $requests);
        $found = array_map(static fn(RunMeta $run): string => self::page((string) $run->origin->url), $runs);
        sort($wanted);
        sort($found);
        self::assertSame($wanted, $found);
        foreach ($runs as $run) {
            self::assertSame($mode, $run->recording->mode);
            self::assertSame('fpm-fcgi', $run->origin->sapi);
            self::assertSame(200, $run->origin->status);
            self::assertContains((int) $run->origin->pid, $workers);
        }
    }

    /** The part of a URL that is never hidden. */
    private static function page(string $url): string
    {
        return (string) preg_replace('/token=.*/', '', $url);
    }

    /** @return iterable<string, array{string}> modes */
    public static function modes(): iterable
    {
        yield 'exact' => ['exact'];
        yield 'sample' => ['sample'];
    }

    #[DataProvider('modes')]
    public function testOneOfAHundred(string $mode): void
    {
        $settings = ['xhprof.start_with_request=sampled', 'xhprof.sample_rate=0.01', "xhprof.mode=$mode"];
        $server = new PhpFpm(self::loaded($settings));
        $workers = $server->workers();
        foreach ($server->client->load(self::pings(2000), self::CONCURRENCY) as $response) {
            self::assertSame(['', 200, 'pong'], [$response->error, $response->status, $response->body]);
        }
        self::assertWorkersLive($workers, $server);
        $server->stop();
        // Once in a million times it would be fewer or more.
        $count = count(self::wholeRuns($server->runs()));
        self::assertGreaterThanOrEqual(3, $count);
        self::assertLessThanOrEqual(46, $count);
    }

    public function testOnlyThoseWhoAsk(): void
    {
        $expected = $this->answers();
        $settings = ['xhprof.start_with_request=trigger', 'xhprof.trigger_value=open-sesame'];
        $server = new PhpFpm(self::loaded($settings));
        $ids = [];
        foreach (['' => false, 'XHPROF_TRIGGER=open' => false, 'XHPROF_TRIGGER=open-sesame' => true] as $cookies => $asks) {
            $responses = $server->client->load(Site::requests(60, (string) $cookies), self::CONCURRENCY);
            self::assertSameAnswers(array_slice($expected, 0, 60), $responses);
            foreach ($responses as $response) {
                self::assertSame($asks, $response->run() !== null, "$cookies {$response->request->path}");
                if ($asks) {
                    $ids[] = $response->run();
                }
            }
        }
        self::assertMatchesRegularExpression('/^[0-9a-f]{32}$/', (string) $ids[0]);
        $response = $server->client->get('/products/7?XHPROF_TRIGGER=open-sesame');
        $ids[] = $response->run();
        $file = RunFiles::path($server->runs(), "{$response->run()}.auto");
        self::eventually(static fn(): bool => is_file($file), 'there is no run of the id that the header names');
        $server->stop();
        $runs = self::wholeRuns($server->runs());
        self::assertEqualsCanonicalizing($ids, array_map(static fn(RunMeta $run): ?string => $run->id, $runs));
        foreach ($runs as $run) {
            self::assertSame(['trigger', 'exact'], [$run->recording->start, $run->recording->mode]);
        }
        self::assertFalse(self::isInFiles($server->runs(), 'open-sesame'), 'the secret is on the disk');
        self::assertFalse(self::isInFiles($server->runs(), 'hunter2'), 'a secret is on the disk');
    }

    /** Monitoring asks for them every few seconds. */
    public function testPhpFpmsOwnPagesLeaveNoRuns(): void
    {
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes']));
        self::assertSame('pong', $server->client->get('/fpm-ping')->body);
        self::assertIsArray(json_decode($server->client->get('/fpm-status?json')->body, true));
        self::assertSame(404, $server->client->get('/fpm-missing.php')->status);
        self::assertSame('pong', $server->client->get('/ping')->body);
        $server->stop();
        $runs = self::wholeRuns($server->runs());
        self::assertSame(['/ping'], array_map(static fn(RunMeta $run): ?string => $run->origin->url, $runs));
    }

    public function testTheFolderStaysWithinItsBound(): void
    {
        $settings = ['xhprof.start_with_request=yes', 'xhprof.max_runs=40'];
        $server = new PhpFpm(self::loaded($settings));
        $most = 0;
        $responses = $server->client->load(
            self::pings(400),
            self::CONCURRENCY,
            static function () use ($server, &$most): void {
                $most = max($most, self::countRuns($server->runs()));
            },
        );
        self::assertCount(400, $responses);
        foreach ($responses as $response) {
            self::assertSame(['', 200], [$response->error, $response->status]);
        }
        // While one worker deletes old runs, others save, and more of them where the machine lets it wait (83 were seen). Without
        // it there would be 400.
        self::assertLessThan(200, $most);
        $server->stop();
        $runs = self::wholeRuns($server->runs());
        self::assertLessThanOrEqual(42, count($runs));
        self::assertGreaterThanOrEqual(30, count($runs));
        self::assertQuiet($server);
    }

    /** @return list<Response> of the requests, without the extension */
    private function answers(): array
    {
        return self::$answers ??= self::plainAnswers(Site::requests(self::REQUESTS));
    }
}
