<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Request;
use XHProf\Tools\Servers\Response;

require_once __DIR__ . '/ServerTestCase.php';

/** However a request ends, its run is saved, and its worker goes on. */
final class EndingsTest extends ServerTestCase
{
    /** Those that end in an error come first. */
    private const PATHS = ['/error', '/memory', '/time', '/exit?at=1', '/finish', '/slow?ms=20', '/stream?lines=20', '/nowhere'];

    /** @var array{list<Response>, list<string>}|null without the extension: answers, and the errors in PHP's log */
    private static ?array $plain = null;

    protected function setUp(): void
    {
        self::needServers();
    }

    public static function tearDownAfterClass(): void
    {
        self::$plain = null;
    }

    /** @return iterable<string, array{list<string>}> settings */
    public static function modes(): iterable
    {
        yield 'exact' => [['xhprof.mode=exact', 'xhprof.flags=cpu,memory']];
        yield 'sample' => [['xhprof.mode=sample', 'xhprof.sampling_interval=1000']];
        yield 'alloc' => [['xhprof.mode=alloc']];
    }

    /** @param list<string> $settings */
    #[DataProvider('modes')]
    public function testEveryEndIsSaved(array $settings): void
    {
        $requests = array_map(static fn(string $path): Request => new Request($path), self::PATHS);
        [$expected, $errors] = self::$plain ??= self::withoutTheExtension($requests);
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...$settings]));
        $workers = $server->workers();
        self::assertSameAnswers($expected, $server->client->load($requests, 2));
        $path = $server->folder->path;
        self::eventually(
            static fn(): bool => self::countRuns($server->runs()) === count(self::PATHS),
            'there are runs of ' . self::countRuns($server->runs()) . ' requests only',
        );
        // Afterwards the workers still serve requests as before.
        self::assertSameAnswers(array_slice($expected, 3), $server->client->load(array_slice($requests, 3), 2));
        self::assertWorkersLive($workers, $server);
        $server->stop();
        self::assertCount(2, file("$path/data/finished") ?: []);

        self::assertCount(3, $errors);
        self::assertEqualsCanonicalizing($errors, self::errors($server));

        $statuses = array_map(static fn(Response $response): array => [$response->request->path, $response->status], $expected);
        $runs = self::wholeRuns($server->runs());
        $found = array_map(static fn(RunMeta $run): array => [$run->origin->url, $run->origin->status], $runs);
        self::assertEqualsCanonicalizing([...$statuses, ...array_slice($statuses, 3)], $found);
    }

    /**
     * @param list<Request> $requests
     * @return array{list<Response>, list<string>} answers, and the errors in PHP's log
     */
    private static function withoutTheExtension(array $requests): array
    {
        $server = new PhpFpm([]);
        $responses = $server->client->load($requests, 2);

        return [$responses, self::errors($server)];
    }

    /** @return list<string> the log's messages, without dates and lines: the line in which the time is over is random */
    private static function errors(PhpFpm $server): array
    {
        preg_match_all('/^\[[^]]+\] (.*?)(?: on line \d+)?$/m', $server->errors(), $matches);

        return $matches[1];
    }

    /** @return iterable<string, array{list<string>, string}> settings, path */
    public static function timeouts(): iterable
    {
        foreach (self::modes() as $name => [$settings]) {
            yield "$name, asleep" => [$settings, '/slow?ms=60000'];
            yield "$name, at work" => [$settings, '/busy?ms=60000'];
        }
    }

    /**
     * Requests that take too long matter most. PHP-FPM sends SIGTERM, repeatedly.
     *
     * @param list<string> $settings
     */
    #[DataProvider('timeouts')]
    public function testRequestTerminateTimeout(array $settings, string $path): void
    {
        $loaded = self::loaded(['xhprof.start_with_request=yes', 'xhprof.save_slower_than_ms=500', ...$settings]);
        $server = new PhpFpm($loaded, 1, more: "request_terminate_timeout = 1s\nrequest_slowlog_timeout = 0");
        self::assertSame('pong', $server->client->get('/ping')->body);
        self::assertGreaterThanOrEqual(500, $server->client->get($path)->status);
        self::eventually(static fn(): bool => self::countRuns($server->runs()) === 1, 'there is no run');
        self::assertSame('pong', $server->client->get('/ping')->body);
        $server->stop();
        [$run] = self::wholeRuns($server->runs());
        self::assertSame([$path, 'SIGTERM', null], [$run->origin->url, $run->recording->endedBy, $run->origin->status]);
        self::assertStringContainsString('on signal 15 (SIGTERM', $server->log());
    }

    /** @return iterable<string, array{string}> */
    public static function sampled(): iterable
    {
        yield 'sample' => ['sample'];
        yield 'aggregate' => ['aggregate'];
    }

    /** A sampled request puts handlers on when the sampler's thread looks at it; one that ends before that puts none on. */
    #[DataProvider('sampled')]
    public function testSignalsAreLeftAloneUntilTheFirstLook(string $mode): void
    {
        if (!is_file(ini_get('extension_dir') . '/ffi.so')) {
            self::markTestSkipped('this PHP has no FFI');
        }
        $settings = ['xhprof.start_with_request=yes', "xhprof.mode=$mode", 'xhprof.sampling_interval=100000'];
        $settings = [...$settings, 'extension=ffi', 'ffi.enable=1'];
        $server = new PhpFpm(self::loaded($settings), 1, script: __DIR__ . '/endings/handlers.php');
        $answer = static fn(): string => $server->client->get('/')->body;
        self::assertSame('xhprof.so xhprof.so', $answer(), "the process's first request, at once");
        // The look may come before the script has begun: an interval ends at any moment.
        for ($try = 0, $seen = ''; $try < 30 && preg_match('/^(none|php-fpm.*) xhprof\.so$/', $seen) !== 1; $try++) {
            $seen = $answer();
        }
        self::assertMatchesRegularExpression('/^(none|php-fpm.*) xhprof\.so$/', $seen);
        $server->stop();
    }

    /** The profile includes code that runs after the answer was sent. */
    public function testWorkAfterTheAnswer(): void
    {
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes']));
        self::assertSame('accepted', $server->client->get('/finish')->body);
        self::eventually(static fn(): bool => self::countRuns($server->runs()) === 1, 'there is no run');
        [$run] = self::wholeRuns($server->runs());
        $id = RunId::fromStrings((string) $run->id, self::SOURCE);
        $symbols = (new RunFolder($server->runs()))->open($id)->profile()->symbols();
        self::assertContains('fastcgi_finish_request', $symbols);
        self::assertContains('Shop\Endings::work', $symbols);
    }

    /** @param list<string> $settings */
    #[DataProvider('modes')]
    public function testClientsThatHangUp(array $settings): void
    {
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes', ...$settings]));
        $workers = $server->workers();
        $requests = array_fill(0, 8, new Request('/stream?lines=4000', abortAfter: 20_000));
        foreach ($server->client->load($requests, 4) as $response) {
            self::assertNotSame('', $response->error);
        }
        self::eventually(static fn(): bool => self::countRuns($server->runs()) === 8, 'there are not eight runs');
        self::assertSame('pong', $server->client->get('/ping')->body);
        self::assertWorkersLive($workers, $server);
        $server->stop();
        self::assertCount(9, self::wholeRuns($server->runs()));
    }

    /** The program's own profile is separate, and the part before it is not lost. */
    public function testAProgramThatProfilesItself(): void
    {
        $server = new PhpFpm(self::loaded(['xhprof.start_with_request=yes']));
        foreach ($server->client->load(array_fill(0, 6, new Request('/own')), 2) as $response) {
            self::assertMatchesRegularExpression('/^profiled [0-9a-f]{32}$/', $response->body);
        }
        $server->stop();
        self::assertCount(6, self::wholeRuns($server->runs(), 'own'));
        $parts = self::wholeRuns($server->runs());
        self::assertCount(6, $parts);
        foreach ($parts as $part) {
            self::assertSame('xhprof_enable', $part->recording->endedBy);
        }
    }
}
