<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use PHPUnit\Framework\TestCase;
use XHProf\Functions\FlatReport;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\Response;

require_once __DIR__ . '/WordPressSite.php';

/** The must-use plug-in in Debian's WordPress, with a database and a browser. */
final class WordPressTest extends TestCase
{
    private static ?WordPressSite $site = null;

    protected function setUp(): void
    {
        if (WordPressSite::missing() !== null) {
            self::markTestSkipped(WordPressSite::missing());
        }
        if (!is_file(Programs::extension())) {
            self::markTestSkipped('extension/modules/xhprof.so is not built (make build)');
        }
    }

    public static function tearDownAfterClass(): void
    {
        self::$site = null;
    }

    public function testAnAdministratorProfilesAPageAndReadsItsRun(): void
    {
        $site = self::site();
        $facts = self::journey($site->url());
        self::assertSame('XHProf', $facts['before']);
        self::assertSame(['Profile the next request', 'All runs'], $facts['itemsBefore']);
        // The page that was open is open again, with its figures: total, two kinds of time, findings.
        self::assertSame($site->url(), $facts['page']);
        $figures = '/^XHProf [\d.]+ m?s( · [A-Z][\w ]+ [\d.]+ %){2} · (no|\d)( first)? findings?$/';
        self::assertMatchesRegularExpression($figures, $facts['after']);
        self::assertSame("This page's run", $facts['itemsAfter'][0]);
        self::assertSame(['Profile the next request', 'All runs'], array_slice($facts['itemsAfter'], -2));
        self::assertSame('The run before this page', $facts['itemsLater'][0]);
        self::assertSame([], $facts['cookies'], 'one request is recorded');
        self::assertSame([200, 200], $facts['probes']);
        self::assertFalse($facts['unreachable']);
        self::assertSame(['XHProf', 'GET /'], [$facts['tools'], $facts['toolsRun']]);
        self::assertSame('GET / · XHProf', $facts['title']);
        self::assertMatchesRegularExpression('~^_xhprof/\w*\?run=[0-9a-f]{32}&source=web$~', $facts['run']);
        self::assertSame($facts['run'] . '&view=calltree', $facts['treeUrl']);
        self::assertGreaterThan(5, $facts['tree']);
        self::assertSame([[], [], []], [$facts['axeBar'], $facts['axeTools'], $facts['complaints']]);
        self::assertSame([390, 390, true], [$facts['widthNarrow'], $facts['toolsNarrow'], $facts['barNarrow']]);
        // The run is of that page alone, with its queries, and WordPress' kind of page as its route.
        $runs = glob($site->server->runs() . '/*.run') ?: [];
        self::assertCount(1, $runs);
        $run = (new RunFolder($site->server->runs()))->open(RunId::fromText(basename($runs[0], '.run')));
        self::assertSame('GET wordpress:home', $run->meta()->origin->route);
        self::assertGreaterThan(10, FlatReport::compute($run->profile(), true)->rows()['mysqli_query']['ct'] ?? 0);
    }

    public function testOthersSeeNothing(): void
    {
        $site = self::site();
        foreach (['editor' => $site->login('editor'), 'visitor' => ''] as $who => $cookies) {
            self::assertStringNotContainsString('xhprof', strtolower($site->get('', $cookies)->body), $who);
            foreach (['_xhprof', '_xhprof/', 'index.php/_xhprof/api.php?get=runs', '_xhprof/assets/app.css'] as $path) {
                $answer = $site->get($path, $cookies);
                self::assertSame(403, $answer->status, "$who $path");
                self::assertStringContainsString('Only administrators see these pages.', $answer->body);
                self::assertSame($who === 'visitor', str_contains($answer->body, 'Log in'));
                self::assertStringContainsString('no-cache', $answer->headers['cache-control']);
            }
            $answer = $site->get('wp-admin/admin-post.php?action=xhprof_next', $cookies);
            self::assertArrayNotHasKey('set-cookie', $answer->headers, $who);
            self::assertContains($site->get('wp-admin/admin-ajax.php?action=xhprof_run&run=x', $cookies)->status, [400, 403]);
        }
        self::assertSame(403, $site->get('wp-admin/tools.php?page=xhprof', $site->login('editor'))->status);
    }

    public function testOnlyTheSitesOwnCookieRecords(): void
    {
        $site = self::site();
        $admin = $site->login('bench');
        $before = count(glob($site->server->runs() . '/*') ?: []);
        $forged = (time() + 100) . '.0123456789abcdef.' . str_repeat('a', 64);
        $answer = $site->get('', "$admin; xhprof_next=$forged");
        self::assertSame(200, $answer->status);
        self::assertArrayNotHasKey('set-cookie', $answer->headers);
        // Another site may not make its visitors ask: the link has a nonce.
        self::assertSame(403, $site->get('wp-admin/admin-post.php?action=xhprof_next', $admin)->status);
        // What pages ask for by themselves is not the next request.
        $cookie = self::ask($site, $admin);
        $site->get('wp-admin/admin-ajax.php?action=heartbeat', "$admin; $cookie");
        $site->get('_xhprof/', "$admin; $cookie");
        $site->get('wp-cron.php', $cookie);
        self::assertCount($before, glob($site->server->runs() . '/*') ?: []);
        // A request of the REST API is, and its answer is the same as ever.
        $plain = $site->get('?rest_route=/wp/v2/posts');
        $recorded = $site->get('?rest_route=/wp/v2/posts', "$cookie");
        self::assertSame($plain->body, $recorded->body);
        self::assertStringContainsString('xhprof_next=;', $recorded->headers['set-cookie']);
        self::assertCount($before + 1, glob($site->server->runs() . '/*') ?: []);
    }

    public function testAnswersHaveNothingMore(): void
    {
        $site = self::site();
        $ajax = 'wp-admin/admin-ajax.php?action=heartbeat';
        $paths = ['', '?rest_route=/', 'wp-cron.php', $ajax, 'feed/', 'wp-login.php', 'nothing/'];
        $with = array_map(static fn (string $path): Response => $site->get($path), $paths);
        $plugin = $site->site() . '/wp-content/mu-plugins/xhprof.php';
        rename($plugin, "$plugin.off");
        $without = array_map(static fn (string $path): Response => $site->get($path), $paths);
        rename("$plugin.off", $plugin);
        $answer = static fn (Response $response): array => [
            $response->status, (string) preg_replace('/"server_time":\d+/', '', $response->body),
        ];
        foreach ($paths as $at => $path) {
            self::assertSame($answer($without[$at]), $answer($with[$at]), $path);
        }
    }

    public function testWhatIsLoadedWhereNothingIsAskedFor(): void
    {
        $site = self::site();
        $site->plugin('mu-plugins/loaded.php', __DIR__ . '/wordpress/loaded.php');
        $package = dirname(__DIR__, 2) . '/bridge/';
        $loaded = static function (string $cookies) use ($site, $package): array {
            preg_match('/<!-- loaded (.*) -->/', $site->get('', $cookies)->body, $match);
            $files = (array) json_decode($match[1] ?? '[]', true);
            $parts = str_replace([$package, $site->site()], '', array_map(strval(...), $files));

            return array_values(preg_grep('~xhprof|src/WordPress|^/work.*(vendor|xhprof_lib)|^src/~', $parts) ?: []);
        };
        $least = ['/wp-content/mu-plugins/xhprof.php', 'src/WordPress/Plugin.php'];
        self::assertSame($least, $loaded(''), 'a visitor');
        // The bar of an administrator needs nothing of the library either.
        self::assertSame([
            ...$least, 'src/WordPress/AdminBar.php', 'src/WordPress/Administrator.php', 'src/WordPress/Address.php',
            'src/WordPress/Recording.php', 'src/Extension.php',
        ], $loaded($site->login('bench')), 'an administrator');
        unlink($site->site() . '/wp-content/mu-plugins/loaded.php');
    }

    public function testRoutesAreThoseOfTheExtension(): void
    {
        $site = self::site();
        $admin = $site->login('bench');
        foreach (['', '?p=9', 'feed/', 'nothing/', '?s=a', 'category/uncategorized/'] as $path) {
            $asked = self::routes($site, $path, self::ask($site, $admin));
            $triggered = self::routes($site, $path, 'XHPROF_TRIGGER=secret');
            self::assertCount(1, $asked, $path);
            self::assertSame($triggered, $asked, $path);
            self::assertStringStartsWith('GET ', (string) $asked[0]);
        }
        // Where settings record the request, nothing else does.
        self::assertCount(1, self::routes($site, 'feed/', 'XHPROF_TRIGGER=secret; ' . self::ask($site, $admin)));
    }

    public function testASiteInAFolderWithPlainPermalinks(): void
    {
        $site = new WordPressSite('/blog/', '', ['extension=' . Programs::extension()]);
        $admin = $site->login('bench');
        $body = $site->get('', $admin)->body;
        self::assertStringContainsString($site->url() . 'index.php/_xhprof/', $body);
        foreach (['', 'api?get=runs', 'assets/app.css'] as $page) {
            self::assertSame(200, $site->get("index.php/_xhprof/$page", $admin)->status, $page);
            self::assertSame(403, $site->get("index.php/_xhprof/$page")->status, $page);
        }
        $site->get('', "$admin; " . self::ask($site, $admin));
        self::assertCount(1, glob($site->server->runs() . '/*.run') ?: []);
    }

    public function testOfANetworkThoseWhoManageIt(): void
    {
        $site = new WordPressSite(network: true, settings: ['extension=' . Programs::extension()]);
        $admin = $site->login('bench');
        // The administrator of a site of the network is no administrator of the network.
        $owner = $site->login('owner');
        $pages = 'index.php/_xhprof/';
        self::assertSame([200, 403], [$site->get($pages, $admin)->status, $site->get($pages, $owner)->status]);
        foreach (['wp-admin/', 'two/wp-admin/'] as $page) {
            self::assertStringContainsString($site->url() . 'index.php/_xhprof/', $site->get($page, $admin)->body, $page);
            self::assertStringNotContainsString('xhprof', $site->get($page, $owner)->body, $page);
        }
    }

    public function testWithoutTheExtension(): void
    {
        $site = new WordPressSite(settings: ['opcache.revalidate_freq=0']);
        $admin = $site->login('bench');
        $sentence = 'The PHP extension xhprof is not loaded in this PHP';
        self::assertStringContainsString($sentence, $site->get('wp-admin/', $admin)->body);
        self::assertStringNotContainsString($sentence, $site->get('wp-admin/', $admin)->body, 'once');
        self::assertStringContainsString($sentence, $site->get('wp-admin/tools.php?page=xhprof', $admin)->body);
        self::assertStringContainsString('Nothing can be recorded: why', $site->get('', $admin)->body);
        self::assertStringNotContainsString('Profile the next request', $site->get('', $admin)->body);
        self::assertSame(200, $site->get('_xhprof/', $admin)->status);
        self::assertSame(200, $site->get('', "$admin; xhprof_next=1.2.3")->status);
        // Nor without the package.
        file_put_contents($site->site() . '/wp-config.php', str_replace(
            "define('XHPROF_BRIDGE', getenv('SITE_BRIDGE'))",
            "define('XHPROF_BRIDGE', '/nowhere')",
            (string) file_get_contents($site->site() . '/wp-config.php'),
        ));
        $dashboard = $site->get('wp-admin/', $admin)->body;
        self::assertStringContainsString('does not find the package xhprof/bridge in /nowhere', $dashboard);
        self::assertStringNotContainsString('nowhere', $site->get('')->body);
    }

    public function testDamagedAndMissingRunsAreSentences(): void
    {
        $site = self::site();
        $admin = $site->login('bench');
        $before = glob($site->server->runs() . '/*.run') ?: [];
        $site->get('', "$admin; " . self::ask($site, $admin));
        $file = array_values(array_diff(glob($site->server->runs() . '/*.run') ?: [], $before))[0];
        $run = basename($file, '.run');
        $ask = static fn (string $run): array => (array) json_decode(
            $site->get("wp-admin/admin-ajax.php?action=xhprof_run&run=$run", $admin)->body,
            true,
        );
        self::assertSame('saved', $ask($run)['state']);
        file_put_contents($file, substr((string) file_get_contents($file), 0, 300));
        self::assertSame('problem', $ask($run)['state']);
        self::assertMatchesRegularExpression('/^[A-Z].+\.$/', (string) $ask($run)['text']);
        $tools = $site->get('wp-admin/tools.php?page=xhprof', $admin);
        self::assertSame(200, $tools->status);
        self::assertStringContainsString('class="xhprof-problem"', $tools->body);
        self::assertSame(200, $site->get('', $admin)->status);
        unlink($file);
        self::assertSame('problem', $ask($run)['state']);
        self::assertSame('problem', $ask('../../etc/passwd.web')['state']);
        self::assertSame(['state' => 'none', 'text' => '', 'url' => '', 'findings' => []], $ask(''));
    }

    public function testThePanelInQueryMonitor(): void
    {
        $site = self::site();
        $site->plugin('mu-plugins/query-monitor.php', __DIR__ . '/wordpress/query-monitor.php');
        $admin = $site->login('bench');
        $recorded = $site->get('', "$admin; " . self::ask($site, $admin))->body;
        $after = $site->get('', $admin)->body;
        $editor = $site->get('', $site->login('editor'))->body;
        unlink($site->site() . '/wp-content/mu-plugins/query-monitor.php');
        self::assertStringContainsString('This request is being recorded.', $recorded);
        self::assertStringContainsString('id="qm-xhprof"', $after);
        self::assertStringContainsString('qm-xhprof', explode('</nav>', explode('id="qm-menu">', $after)[1])[0]);
        $panel = explode('id="qm-xhprof"', $after)[1];
        self::assertStringContainsString('The run before this page', $panel);
        self::assertStringContainsString('First functions', $panel);
        self::assertStringNotContainsString('This request is being recorded.', $panel);
        self::assertStringNotContainsString('xhprof', $editor);
    }

    /** @return list<string|null> of the runs that a request leaves */
    private static function routes(WordPressSite $site, string $path, string $cookies): array
    {
        $before = glob($site->server->runs() . '/*.run') ?: [];
        $site->get($path, $cookies);
        $runs = array_values(array_diff(glob($site->server->runs() . '/*.run') ?: [], $before));
        $store = new RunFolder($site->server->runs());

        return array_map(static function (string $run) use ($store): ?string {
            return $store->open(RunId::fromText(basename($run, '.run')))->meta()->origin->route;
        }, $runs);
    }

    /** A site of the tests that need no other one. */
    private static function site(): WordPressSite
    {
        return self::$site ??= new WordPressSite(settings: [
            'extension=' . Programs::extension(), 'xhprof.start_with_request=trigger', 'xhprof.trigger_value=secret',
        ]);
    }

    /** @return string the cookie that asks for the next request, as the link of the admin bar has given it */
    private static function ask(WordPressSite $site, string $cookies): string
    {
        preg_match('~href=.([^"\']*admin-post[^"\']*xhprof_next[^"\']*)~', $site->get('', $cookies)->body, $match);
        $link = html_entity_decode($match[1] ?? self::fail('the bar has no such link'));
        $answer = $site->client->get(substr($link, strlen($site->client->base)), $cookies);
        self::assertSame(302, $answer->status);
        preg_match('/^(xhprof_next=[^;]+);/', $answer->headers['set-cookie'] ?? '', $cookie);

        return $cookie[1] ?? self::fail('no cookie');
    }

    /** @return array<string, mixed> what journey.mjs has seen */
    private static function journey(string $url): array
    {
        $command = sprintf('node %s %s 2>&1', escapeshellarg(__DIR__ . '/wordpress/journey.mjs'), escapeshellarg($url));
        exec($command, $output, $code);
        self::assertSame(0, $code, implode("\n", $output));

        return (array) json_decode((string) end($output), true, flags: JSON_THROW_ON_ERROR);
    }
}
