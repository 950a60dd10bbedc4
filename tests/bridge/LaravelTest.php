<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use XHProf\Run\Run;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tools\Servers\DevServer;

require_once __DIR__ . '/SiteTestCase.php';

/** XHProf\Bridge\Laravel in Laravel itself, found by its package discovery. */
final class LaravelTest extends SiteTestCase
{
    private const SITE = __DIR__ . '/laravel/index.php';

    private const LOCAL = ['APP_ENV' => 'local'];

    protected function setUp(): void
    {
        $this->need('laravel/framework');
    }

    public function testAClickProfilesTheNextRequestAndItsRunIsOnThePages(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL, workers: 4);
        self::visit($server->client->base, '/_xhprof/', '/orders/1', 'GET /orders/{id}', 'shop_total');
        $server->stop();
        self::assertCount(1, self::runs($server->runs()));
        $this->assertQuiet($server);
    }

    public function testOnlyTheRequestThatWasAskedForIsRecorded(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL);
        $visitor = new Visitor($server->client->base);
        self::assertSame(200, $visitor->get('/orders/1')->status);
        self::ask($visitor, '/orders/2');
        self::assertSame('/orders/2', $visitor->header('location'));
        // The pages' own requests leave the cookie where it is.
        $visitor->get('/_xhprof/index');
        $answer = $visitor->get('/orders/2');
        self::assertStringContainsString('order 2', $answer->body);
        $id = $answer->header('x-xhprof-run');
        self::assertNull($visitor->get('/orders/3')->header('x-xhprof-run'));
        self::assertArrayNotHasKey('xhprof_next', $visitor->cookies());
        $runs = self::runs($server->runs());
        self::assertCount(1, $runs);
        $meta = $runs[0]->meta();
        self::assertSame($id, $meta->id);
        $origin = $meta->origin;
        self::assertSame(['GET /orders/{id}', '/orders/2', 'GET', 200], [
            $origin->route, $origin->url, $origin->method, $origin->status,
        ]);
        self::assertSame(200, self::calls($runs[0])['shop_price']);
        $this->assertQuiet($server);
    }

    public function testAForgedCookieAsksForNothing(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL);
        $forged = '1999999999.' . str_repeat('a', 16) . '.' . str_repeat('b', 64);
        $answer = (new Visitor($server->client->base))->get('/orders/1', ["Cookie: xhprof_next=$forged"]);
        self::assertSame([200, null], [$answer->status, $answer->header('x-xhprof-run')]);
        self::assertSame([], self::runs($server->runs()));
    }

    public function testARequestThatFailsOrMakesAnotherOrEndsEarlyIsOneRun(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL);
        $visitor = new Visitor($server->client->base);
        $expected = [
            '/broken' => [500, 'GET /broken', 0], '/nested' => [200, 'GET /nested', 50], '/exit' => [200, null, 10],
            '/nowhere' => [404, 'GET (404)', 0], '/streamed' => [200, 'GET /streamed', 10],
        ];
        foreach ($expected as $path => [$status]) {
            self::ask($visitor);
            self::assertSame($status, $visitor->get($path)->status, $path);
            $hasId = in_array($path, ['/exit', '/streamed'], true);
            self::assertSame($hasId, $visitor->header('x-xhprof-run') === null, $path);
            // exit() leaves no answer that would take the cookie away: it asks for no other request all the same.
            self::assertNull($visitor->get('/orders/9')->header('x-xhprof-run'));
            self::assertSame($path === '/exit', isset($visitor->cookies()['xhprof_next']), $path);
        }
        $runs = self::runs($server->runs());
        $seen = array_map(static fn(Run $run): array => [$run->meta()->origin->route, self::calls($run)['shop_price'] ?? 0], $runs);
        $expected = array_map(static fn(array $one): array => [$one[1], $one[2]], array_values($expected));
        self::assertEqualsCanonicalizing($expected, $seen);
    }

    public function testWhatRunsAfterTheAnswerIsAPartWhereThatIsSet(): void
    {
        foreach (['answer' => false, 'terminate' => true] as $until => $isPart) {
            $server = $this->serve(self::SITE, self::LOCAL + ['XHPROF_TEST_CONFIG' => (string) json_encode(['until' => $until])]);
            $visitor = new Visitor($server->client->base);
            self::ask($visitor);
            self::assertSame('later', $visitor->get('/later')->body);
            self::assertSame($isPart, $visitor->header('x-xhprof-run') === null);
            $visitor->get('/');
            $runs = self::runs($server->runs());
            self::assertCount(1, $runs);
            self::assertSame($isPart, isset(self::calls($runs[0])['shop_mail']), $until);
        }
    }

    public function testNothingIsLoadedWhereNothingIsAskedFor(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL);
        $loaded = json_decode((new Visitor($server->client->base))->get('/loaded')->body, true);
        self::assertIsArray($loaded);
        sort($loaded);
        self::assertSame([
            'XHProf\Bridge\Laravel\RecordRequest', 'XHProf\Bridge\Laravel\Settings', 'XHProf\Bridge\Laravel\ShouldProfile',
            'XHProf\Bridge\Laravel\XHProfServiceProvider', 'XHProf\Bridge\NextRequest',
        ], $loaded, 'ShouldProfile is that of a job of the application');
        $off = $this->serve(self::SITE, self::LOCAL + ['XHPROF_ENABLED' => 'false']);
        $visitor = new Visitor($off->client->base);
        self::assertNotContains('XHProf\Bridge\NextRequest', json_decode($visitor->get('/loaded')->body, true));
        self::assertSame(404, $visitor->get('/_xhprof/index')->status);
    }

    public function testWithoutTheExtensionTheSiteWorksAndThePagesSayWhy(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL, isLoaded: false);
        $visitor = new Visitor($server->client->base);
        self::assertStringContainsString('order 1', $visitor->get('/orders/1')->body);
        self::assertStringContainsString('extension xhprof is not loaded', $visitor->get('/_xhprof/bridge/next')->body);
        self::assertSame(200, $visitor->get('/_xhprof/index')->status);
        $this->assertQuiet($server);
        [$status, $output] = $this->artisan(['xhprof:status'], isLoaded: false);
        self::assertSame([1, 1], [$status, substr_count($output, 'The PHP extension xhprof is not loaded')], $output);
        [$status, $output] = $this->artisan(['xhprof:run', 'shop:total', '4'], isLoaded: false);
        self::assertSame(0, $status, $output);
        self::assertStringContainsString('total ', $output);
        self::assertStringContainsString('extension xhprof is not loaded', $output);
    }

    public function testARunFolderThatIsMissingOrADamagedRunFailsNoRequest(): void
    {
        $config = (string) json_encode(['folder' => '/proc/no/folder']);
        $server = $this->serve(self::SITE, self::LOCAL + ['XHPROF_TEST_CONFIG' => $config]);
        $visitor = new Visitor($server->client->base);
        self::ask($visitor);
        self::assertStringContainsString('order 1', $visitor->get('/orders/1')->body);
        self::assertNull($visitor->header('x-xhprof-run'));
        self::assertStringContainsString('XHProf: This request was not recorded', $this->log());
        self::assertContains($visitor->get('/_xhprof/index')->status, [200, 500]);
        self::assertStringContainsString('XHProf', $visitor->body);

        $whole = $this->serve(self::SITE, self::LOCAL + ['XHPROF_TEST_CONFIG' => '[]']);
        $id = str_repeat('a', 32);
        file_put_contents(RunFiles::path($whole->runs(), "$id.web"), 'no run');
        $visitor = new Visitor($whole->client->base);
        self::assertStringContainsString('xhprof-problem', $visitor->get("/_xhprof/bridge/summary?run=$id&source=web")->body);
        self::assertSame(200, $visitor->status);
    }

    public function testTheGateDecidesByTheSitesOwnLogin(): void
    {
        $environment = ['APP_ENV' => 'production', 'XHPROF_TEST_GATE' => 'user 1'];
        $server = $this->serve(self::SITE, $environment);
        $visitor = new Visitor($server->client->base);
        self::assertSame(403, $visitor->get('/_xhprof/index')->status);
        $visitor->get('/login/2');
        foreach (['index', 'api?get=functions', 'bridge/next', 'bridge/summary'] as $page) {
            self::assertSame(403, $visitor->get("/_xhprof/$page")->status, $page);
        }
        self::assertSame(403, $visitor->post('/_xhprof/bridge/next', [])->status);
        $visitor->get('/login/1');
        self::assertSame(200, $visitor->get('/_xhprof/index')->status);
        self::ask($visitor);
        self::assertNotNull($visitor->get('/')->header('x-xhprof-run'));
    }

    public function testWithoutAGateThePagesAreClosedElsewhereThanInLocal(): void
    {
        $server = $this->serve(self::SITE, ['APP_ENV' => 'production']);
        $visitor = new Visitor($server->client->base);
        self::assertSame(403, $visitor->get('/_xhprof/index')->status);
        self::assertSame(404, $visitor->get('/_xhprof/assets/app.css')->status);
        self::assertSame(404, $visitor->get('/_xhprof/bridge/summary.css')->status);
    }

    public function testFormsOfThePagesHaveTheirOwnTokensUnderLaravelsMiddlewares(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL);
        $visitor = new Visitor($server->client->base);
        self::assertSame(419, $visitor->post('/form', [])->status, 'Laravel checks those of the site');
        $file = $this->folder->path . '/folded.txt';
        file_put_contents($file, "main;one;two 5\nmain;three 3\n");
        $upload = ['file' => new \CURLFile($file, 'text/plain', 'folded.txt')];
        $import = '/_xhprof/index?view=import';
        self::assertSame(403, $visitor->post($import, $upload)->status, 'without a token');
        $csrf = $visitor->get($import)->field('csrf');
        $ofPages = preg_grep('/\Axhprof_csrf=/', $visitor->headers['set-cookie'] ?? []) ?: [];
        self::assertCount(1, $ofPages);
        self::assertMatchesRegularExpression('~; path=/_xhprof/(;|\z)~i', implode($ofPages), 'a cookie of the pages alone');
        self::assertSame($csrf, $visitor->cookies()['xhprof_csrf'] ?? null, 'the cookie is not encrypted');
        self::assertSame(403, $visitor->post($import, ['csrf' => $csrf] + $upload, ['Sec-Fetch-Site: cross-site'])->status);
        self::assertSame(303, $visitor->post($import, ['csrf' => $csrf] + $upload)->status, $visitor->body);
        self::assertSame(200, $visitor->get('/_xhprof/' . $visitor->header('location'))->status);
        $run = (string) self::runs($server->runs())[0]->meta()->id;
        // Laravel would have made null of the empty text.
        $fields = ['csrf' => $csrf, 'run' => $run, 'source' => 'imported', 'label' => 'first', 'note' => ''];
        $edit = $visitor->get("/_xhprof/index?do=label&run=$run&source=imported")->status;
        self::assertContains($edit, [200, 404]);
        self::assertNotSame(419, $visitor->post('/_xhprof/index', $fields)->status);
    }

    public function testAssetsStartNoSession(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL);
        $visitor = new Visitor($server->client->base);
        foreach (['assets/app.css', 'assets/js/app.js', 'bridge/summary.css'] as $file) {
            $visitor->get("/_xhprof/$file");
            self::assertSame([200, null], [$visitor->status, $visitor->header('set-cookie')], $file);
        }
        $tag = (string) $visitor->get('/_xhprof/assets/app.css')->header('etag');
        self::assertSame(304, $visitor->get('/_xhprof/assets/app.css', ["If-None-Match: $tag"])->status);
        self::assertSame([200, ''], [$visitor->head('/_xhprof/assets/app.css')->status, $visitor->body]);
        foreach (['assets/../templates/base.html.twig', 'assets/%2e%2e/index.php', 'templates/base.html.twig'] as $path) {
            self::assertSame(404, $visitor->get("/_xhprof/$path")->status, $path);
        }
        self::assertSame([], glob($this->folder->path . '/data/storage/framework/sessions/*'));
        $visitor->get('/_xhprof?run=x');
        self::assertSame([302, '/_xhprof/index?run=x'], [$visitor->status, $visitor->header('location')]);
    }

    public function testRequestsOfThePagesAreInNoProfileOfSettings(): void
    {
        $server = $this->serve(self::SITE, self::LOCAL, ['xhprof.start_with_request=yes']);
        $visitor = new Visitor($server->client->base);
        foreach (['_xhprof/index', '_xhprof/assets/app.css', '_xhprof', '_xhprof/bridge/next', 'up'] as $path) {
            $visitor->get("/$path");
        }
        self::ask($visitor);
        $id = $visitor->get('/orders/1')->header('x-xhprof-run');
        $server->stop();
        $runs = self::runs($server->runs());
        self::assertSame([[$id, 'auto', 'GET /orders/{id}']], array_map(static fn(Run $run): array => [
            $run->meta()->id, $run->meta()->source, $run->meta()->origin->route,
        ], $runs), 'the settings record it, and nothing twice');
    }

    public function testJobsThatAskForItHaveRuns(): void
    {
        $this->artisan(['shop:jobs']);
        [$status, $output] = $this->artisan(['queue:work', 'database', '--stop-when-empty', '--tries=1', '--sleep=0']);
        self::assertSame(0, $status, $output);
        $this->assertJobs(['Charge' => [1, true], 'SendMail' => [1, false]]);
    }

    public function testOneJobInManyHasARun(): void
    {
        $this->artisan(['shop:jobs']);
        $this->artisan(['queue:work', 'database', '--stop-when-empty', '--tries=1', '--sleep=0'], ['XHPROF_JOBS_ONE_IN' => '1']);
        $this->assertJobs(['Charge' => [1, true], 'SendMail' => [7, false]]);
    }

    public function testJobsThatSettingsRecordAreNotRecordedTwice(): void
    {
        $this->artisan(['shop:jobs']);
        $work = ['queue:work', 'database', '--stop-when-empty', '--tries=1', '--sleep=0'];
        $settings = ['xhprof.start_with_request=yes', 'xhprof.mode=exact'];
        $this->artisan($work, ['XHPROF_JOBS_ONE_IN' => '1'], settings: $settings);
        $sources = array_count_values(array_map(static fn(Run $run): string => (string) $run->meta()->source, $this->allRuns()));
        self::assertSame(['auto'], array_keys($sources));
    }

    public function testEachJobHasOneRunWhicheverTheSettingsChoose(): void
    {
        $this->artisan(['shop:jobs']);
        $work = ['queue:work', 'database', '--stop-when-empty', '--tries=1', '--sleep=0'];
        $this->artisan($work, ['XHPROF_JOBS_ONE_IN' => '1'], settings: [
            'xhprof.start_with_request=sampled', 'xhprof.sample_rate=0.5', 'xhprof.mode=exact',
        ]);
        $routes = array_map(static fn(Run $run): string => (string) $run->meta()->origin->route, $this->allRuns());
        $isJob = static fn(string $route): bool => in_array($route, ['Charge', 'SendMail'], true);
        $jobs = array_count_values(array_filter($routes, $isJob));
        ksort($jobs);
        self::assertSame(['Charge' => 1, 'SendMail' => 7], $jobs, implode(', ', $routes));
    }

    public function testAWorkerOfOctaneCarriesNothingIntoTheNextRequest(): void
    {
        [$status, $output] = $this->command([__DIR__ . '/laravel/octane.php'], self::LOCAL);
        self::assertSame([0, "/streamed 200\n/ 200\n/orders/1 200 run\n/nowhere 404 run\n"], [$status, $output]);
        $runs = array_map(static fn(Run $run): array => [
            $run->meta()->origin->route, self::calls($run)['shop_price'] ?? 0,
        ], $this->allRuns());
        self::assertEqualsCanonicalizing([['GET /orders/{id}', 200], ['GET (404)', 0]], $runs, 'what was left open is dropped');
    }

    public function testTheDebugbarHasATabWithTheRun(): void
    {
        if (!is_dir(self::VENDOR . '/../debugbar/vendor/maximebf/debugbar')) {
            self::markTestSkipped('maximebf/debugbar is not installed (make frameworks)');
        }
        $server = $this->serve(self::SITE, self::LOCAL);
        $visitor = new Visitor($server->client->base);
        $bar = static fn(): mixed => json_decode($visitor->get('/bar')->body, true);
        self::assertSame('This request was not recorded.', $bar()['collected']['rows']['Run'] ?? null, $visitor->body);
        self::ask($visitor);
        $rows = $bar()['collected']['rows'];
        $id = $visitor->header('x-xhprof-run');
        self::assertStringContainsString("/_xhprof/./index?run=$id&source=web", $rows['Run']);
        self::assertSame(200, $visitor->get("/_xhprof/index?run=$id&source=web")->status);
        self::assertArrayHasKey('Wall time', $rows);
        self::assertArrayHasKey('Function 5', $rows);
        $runs = self::runs($server->runs());
        self::assertSame([$id, 1], [$runs[0]->meta()->id, self::calls($runs[0])['shop_price']], 'it ends when the bar collects');
        self::assertCount(1, $runs);
    }

    public function testArtisanRunRecordsAnotherCommandWithItsOptionsAndStatus(): void
    {
        [$status, $output] = $this->artisan(['xhprof:run', 'shop:total', '30', '--twice']);
        self::assertSame(0, $status, $output);
        self::assertStringContainsString('Flame graph', $output);
        $runs = $this->allRuns();
        self::assertCount(1, $runs);
        self::assertSame(['shop:total', 60], [$runs[0]->meta()->origin->route, self::calls($runs[0])['shop_price']]);
        self::assertStringContainsString((string) $runs[0]->meta()->id, $output);
        self::assertSame(3, $this->artisan(['xhprof:run', 'shop:total', '0'])[0], 'the status is that of the command');
        [$status, $output] = $this->artisan(['xhprof:run', 'shop:totl']);
        self::assertSame(2, $status);
        self::assertStringContainsString('shop:total', $output, 'the nearest name');
        self::assertSame(2, $this->artisan(['xhprof:run'])[0]);
    }

    public function testArtisanNextPrintsACommandLineThatWorks(): void
    {
        [$status, $output] = $this->artisan(['xhprof:next', 'orders/7']);
        self::assertSame(0, $status, $output);
        self::assertStringContainsString('/_xhprof/bridge/next?back=%2Forders%2F7', $output);
        self::assertSame(1, preg_match("/-b '(xhprof_next=[^']+)' '[^']*\/orders\/7'/", $output, $match), $output);
        $server = $this->serve(self::SITE, self::LOCAL);
        $answer = (new Visitor($server->client->base))->get('/orders/7', ['Cookie: ' . ($match[1] ?? '')]);
        self::assertNotNull($answer->header('x-xhprof-run'));
    }

    /**
     * @param array<string, array{int, bool}> $expected display name => runs, whether it failed
     */
    private function assertJobs(array $expected): void
    {
        $seen = [];
        foreach ($this->allRuns() as $run) {
            $meta = $run->meta();
            $documents = RunFiles::documents($this->folder->path . '/runs', "{$meta->id}.queue");
            $job = $documents['meta']['meta']['job'] ?? [];
            self::assertIsArray($job);
            self::assertSame(['database', 'default', 1], [$job['connection'] ?? '', $job['queue'] ?? '', $job['attempt'] ?? 0]);
            $name = (string) $meta->origin->route;
            $seen[$name] = [($seen[$name][0] ?? 0) + 1, $job['failed'] ?? null];
        }
        ksort($seen);
        self::assertSame($expected, $seen);
    }

    /** @return list<Run> of commands */
    private function allRuns(): array
    {
        return self::runs($this->folder->path . '/runs');
    }

    /**
     * @param list<string> $words
     * @param array<string, string> $environment
     * @param list<string> $settings
     * @return array{int, string} exit code and output
     */
    private function artisan(array $words, array $environment = [], array $settings = [], bool $isLoaded = true): array
    {
        return $this->command([__DIR__ . '/laravel/artisan.php', ...$words], $environment + self::LOCAL, $settings, $isLoaded);
    }

    private function log(): string
    {
        return (string) @file_get_contents($this->folder->path . '/data/storage/logs/laravel.log');
    }

    private function assertQuiet(DevServer $server): void
    {
        self::assertSame('', $server->errors() . $this->log());
    }
}
