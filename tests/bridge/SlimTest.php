<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\Run;

require_once __DIR__ . '/SiteTestCase.php';

/** XHProf\Bridge\Psr15 in Slim itself, with messages of slim/psr7 and of nyholm/psr7. */
final class SlimTest extends SiteTestCase
{
    private const SITE = __DIR__ . '/slim/index.php';

    private const OPEN = ['XHPROF_TEST_GATE' => 'open'];

    protected function setUp(): void
    {
        $this->need('slim/slim');
    }

    /** @return iterable<string, array{string}> */
    public static function packages(): iterable
    {
        yield 'slim/psr7' => ['slim'];
        yield 'nyholm/psr7' => ['nyholm'];
    }

    public function testAClickProfilesTheNextRequestAndItsRunIsOnThePages(): void
    {
        $server = $this->serve(self::SITE, self::OPEN, workers: 4);
        self::visit($server->client->base, '/_xhprof/', '/orders/1', 'GET /orders/{id}', 'shop_total');
        $server->stop();
        self::assertCount(1, self::runs($server->runs()));
        self::assertSame('', $server->errors());
    }

    #[DataProvider('packages')]
    public function testOnlyTheRequestThatWasAskedForIsRecorded(string $package): void
    {
        $server = $this->serve(self::SITE, self::OPEN + ['XHPROF_TEST_PSR7' => $package]);
        $visitor = new Visitor($server->client->base);
        self::assertNull($visitor->get('/orders/1')->header('x-xhprof-run'));
        self::ask($visitor, '/orders/2');
        $id = $visitor->get('/orders/2')->header('x-xhprof-run');
        self::assertStringContainsString('order 2', $visitor->body);
        self::assertNull($visitor->get('/orders/3')->header('x-xhprof-run'));
        $runs = self::runs($server->runs());
        self::assertCount(1, $runs);
        $origin = $runs[0]->meta()->origin;
        self::assertSame([$id, 'GET /orders/{id}', '/orders/2'], [$runs[0]->meta()->id, $origin->route, $origin->url]);
        self::assertSame(200, self::calls($runs[0])['shop_price']);
        self::assertSame('', $server->errors());
    }

    #[DataProvider('packages')]
    public function testThePagesHaveFormsUploadsStreamsAndHeads(string $package): void
    {
        $server = $this->serve(self::SITE, self::OPEN + ['XHPROF_TEST_PSR7' => $package]);
        $visitor = new Visitor($server->client->base);
        self::assertSame(302, $visitor->get('/_xhprof')->status);
        self::assertSame(200, $visitor->get('/_xhprof/')->status);
        self::assertSame(404, $visitor->get('/_xhprofs')->status, 'another path of the site');
        $import = '/_xhprof/index?view=import';
        $csrf = $visitor->get($import)->field('csrf');
        $file = $this->folder->path . '/folded.txt';
        file_put_contents($file, "main;one;two 5\nmain;three 3\n");
        $upload = ['file' => new \CURLFile($file, 'text/plain', 'folded.txt')];
        self::assertSame(403, $visitor->post($import, $upload)->status, 'without a token');
        self::assertSame(303, $visitor->post($import, ['csrf' => $csrf] + $upload)->status, $visitor->body);
        $runs = self::runs($server->runs());
        self::assertCount(1, $runs);
        self::assertArrayHasKey('two', self::calls($runs[0]));
        $run = "run={$runs[0]->meta()->id}&source=imported";
        self::assertSame([200, ''], [$visitor->head("/_xhprof/index?$run")->status, $visitor->body]);
        // A form that no middleware has parsed.
        $fields = ['csrf' => $csrf, 'do' => 'delete', 'pick' => ["{$runs[0]->meta()->id}.imported"]];
        self::assertContains($visitor->post('/_xhprof/index', $fields)->status, [200, 303], $visitor->body);
        self::assertSame(200, $visitor->get("/_xhprof/api?get=functions&$run")->status);
        $whole = $visitor->body;
        $visitor->get("/_xhprof/api?get=functions&$run", ['Accept-Encoding: gzip', 'X-Forwarded-For: 192.0.2.1']);
        self::assertSame('gzip', $visitor->header('content-encoding'));
        self::assertSame($whole, gzdecode($visitor->body));
        self::assertSame([], glob(sys_get_temp_dir() . '/xhprof-upload-*'), 'uploaded files are gone');
        self::assertSame('', $server->errors());
    }

    public function testTheGateDecidesAndWithoutItThePagesAreClosed(): void
    {
        foreach (['closed' => 'You may not see these pages', '' => 'These pages are closed'] as $gate => $sentence) {
            $server = $this->serve(self::SITE, ['XHPROF_TEST_GATE' => $gate]);
            $visitor = new Visitor($server->client->base);
            foreach (['', '/', '/index', '/api?get=runs', '/assets/app.css', '/bridge/next', '/bridge/summary'] as $page) {
                self::assertSame(403, $visitor->get("/_xhprof$page")->status, $page);
                self::assertStringContainsString($sentence, $visitor->body);
            }
            self::assertSame(403, $visitor->post('/_xhprof/bridge/next', [])->status);
            self::assertSame(200, $visitor->get('/')->status);
        }
    }

    public function testNothingIsLoadedWhereNothingIsAskedFor(): void
    {
        $server = $this->serve(self::SITE, self::OPEN);
        $loaded = json_decode((new Visitor($server->client->base))->get('/loaded')->body, true);
        self::assertIsArray($loaded);
        sort($loaded);
        $room = 'XHProf\Bridge\Psr15';
        self::assertSame([
            'XHProf\Bridge\NextRequest', "$room\\NameRoute", "$room\\PagesMiddleware", "$room\\RecordMiddleware",
            'XHProf\Bridge\Recorder',
        ], array_values(array_unique([$loaded[0] ?? '', ...array_slice($loaded, 1)])));
    }

    public function testWithoutTheExtensionTheSiteWorksAndThePagesSayWhy(): void
    {
        $server = $this->serve(self::SITE, self::OPEN, isLoaded: false);
        $visitor = new Visitor($server->client->base);
        self::assertSame(200, $visitor->get('/orders/1')->status);
        self::assertStringContainsString('extension xhprof is not loaded', $visitor->get('/_xhprof/bridge/next')->body);
        self::assertSame('', $server->errors());
    }

    public function testRequestsOfOneWorkerShareNothing(): void
    {
        $paths = [
            ['/', false], ['/orders/1', true], ['/', false], ['/broken', true], ['/', false], ['/nested', true], ['/nowhere', true],
            ['/', false], ['/orders/2', true],
        ];
        $environment = self::OPEN + ['XHPROF_TEST_ERRORS' => 'thrown'];
        $command = [__DIR__ . '/slim/loop.php', (string) json_encode($paths)];
        [$status, $output] = $this->command($command, $environment);
        self::assertSame(0, $status, $output);
        $seen = array_map(static fn(string $line): mixed => json_decode($line, true), explode("\n", trim($output)));
        self::assertSame(
            [200, 200, 200, 'broken ' . self::total(3), 200, 200, 'Not found.', 200, 200],
            array_column($seen, 1),
            'exceptions reach the program',
        );
        $asked = array_map(static fn(array $one): bool => $one[2] !== '', $seen);
        self::assertSame([false, true, false, false, false, true, false, false, true], $asked);
        self::assertSame($asked, array_column($seen, 3), 'the cookie is taken away with each');
        $runs = array_map(static fn(Run $run): array => [
            $run->meta()->origin->route, self::calls($run)['shop_price'] ?? 0,
        ], self::runs($this->folder->path . '/runs'));
        self::assertEqualsCanonicalizing([
            ['GET /orders/{id}', 200], ['GET /broken', 3], ['GET /', 50], ['GET (no route)', 0], ['GET /orders/{id}', 200],
        ], $runs, 'a run has its own calls alone; the nested request is a part of the outer one and names it last');
    }

    public function testACookieThatAnExceptionHasLeftRecordsNoOtherRequest(): void
    {
        $paths = [['/broken', true], ['/orders/1', 'again'], ['/', 'again'], ['/orders/2', true]];
        $command = [__DIR__ . '/slim/loop.php', (string) json_encode($paths)];
        [$status, $output] = $this->command($command, self::OPEN + ['XHPROF_TEST_ERRORS' => 'thrown']);
        self::assertSame(0, $status, $output);
        $runs = array_map(static fn(Run $run): ?string => $run->meta()->origin->route, self::runs($this->folder->path . '/runs'));
        self::assertEqualsCanonicalizing(['GET /broken', 'GET /orders/{id}'], $runs);
    }

    public function testARunFolderThatIsMissingFailsNoRequest(): void
    {
        $server = $this->serve(self::SITE, self::OPEN, ['xhprof.output_dir=/proc/no/folder']);
        $visitor = new Visitor($server->client->base);
        self::ask($visitor);
        self::assertStringContainsString('order 1', $visitor->get('/orders/1')->body);
        self::assertNull($visitor->header('x-xhprof-run'));
        self::assertStringContainsString('XHProf: This request was not recorded', $server->errors());
    }

    /** The sum of prices, as the application has it. */
    private static function total(int $count): int
    {
        return array_sum(array_map(static fn(int $number): int => crc32("price $number") % 100, range(0, $count - 1)));
    }
}
