<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Bench\MediaWiki;
use XHProf\Bench\WordPress;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Folder;

require_once __DIR__ . '/ServerTestCase.php';
require_once __DIR__ . '/../../benchmarks/src/autoload.php';

/** Routes that frameworks find: Symfony, Slim, Laravel, WordPress and MediaWiki themselves, by their own front controllers. */
final class FrameworkRoutesTest extends ServerTestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const FRAMEWORKS = self::ROOT . '/build/frameworks';

    /** @return iterable<string, array{string, string, string, list<string>}> */
    public static function applications(): iterable
    {
        $project = getenv('XHPROF_TEST_AUTOLOAD') ?: self::ROOT . '/vendor/autoload.php';
        $patterns = ['GET (404)', 'GET /', 'GET /users/{name}'];
        yield 'Symfony' => ['symfony', $project, 'symfony/http-kernel', ['GET (404)', 'GET home', 'GET user_show']];
        yield 'Slim' => ['slim', $project, 'slim/slim', $patterns];
        yield 'Laravel' => ['laravel', self::FRAMEWORKS . '/vendor/autoload.php', 'laravel/framework', $patterns];
    }

    /** @param list<string> $routes */
    #[DataProvider('applications')]
    public function testTheRouteIsTheRoutersOwn(string $application, string $autoload, string $package, array $routes): void
    {
        self::needExtension();
        if (!file_exists(dirname($autoload) . "/$package")) {
            self::markTestSkipped("$package is not installed (make frameworks)");
        }
        $folder = new Folder();
        foreach (['exact', 'aggregate'] as $mode) {
            $server = new DevServer(
                self::loaded(self::settings($mode)),
                environment: ['XHPROF_TEST_AUTOLOAD' => $autoload, 'XHPROF_TEST_FOLDER' => $folder->path],
                script: __DIR__ . "/frameworks/$application.php",
            );
            self::assertSame('home', $server->client->get('/')->body, $server->errors());
            self::assertSame('user ann', $server->client->get('/users/ann')->body);
            self::assertSame('user bob', $server->client->get('/users/bob')->body);
            self::assertSame(404, $server->client->get('/wp-login.php')->status);
            $server->stop();
            self::assertSame(array_combine($routes, [1, 1, 2]), self::counts($server), $mode);
        }
    }

    public function testRoutesOfWordPressAreWhatItShows(): void
    {
        self::needExtension();
        if (WordPress::missing() !== null) {
            self::markTestSkipped(WordPress::missing());
        }
        $wordpress = new WordPress();
        $pages = [
            '/' => 'wordpress:home', '/?p=10' => 'wordpress:single', '/?p=11' => 'wordpress:single',
            '/?page_id=2' => 'wordpress:page', '/?cat=2' => 'wordpress:category', '/?author=1' => 'wordpress:author',
            '/?product=blue-hat' => 'wordpress:single:product', '/?post_type=product' => 'wordpress:post_type_archive',
            '/?s=word' => 'wordpress:search', '/?feed=rss2' => 'wordpress:feed', '/?p=99999' => '(404)',
        ];
        self::assertRoutes($pages, __DIR__ . '/frameworks/wordpress.php', $wordpress->settings(), $wordpress->environment());
        self::assertHooksHaveLabels($wordpress);
    }

    public function testRoutesOfMediaWikiAreItsActionsAndSpecialPages(): void
    {
        self::needExtension();
        if (MediaWiki::missing() !== null) {
            self::markTestSkipped(MediaWiki::missing());
        }
        $pages = [
            '/index.php?title=Main_Page' => 'mediawiki:view', '/index.php?title=Main_Page&action=history' => 'mediawiki:history',
            '/index.php?title=Main_Page&action=raw' => 'mediawiki:raw', '/index.php?title=Nowhere' => '(404)',
            '/index.php?title=Special:Version' => 'mediawiki:Special:Version',
            '/index.php?title=Special:RecentChanges/5' => 'mediawiki:Special:RecentChanges',
            '/api.php?action=query&format=json' => '/api.php?action=query',
        ];
        $mediawiki = new MediaWiki();
        self::assertRoutes($pages, $mediawiki->script(), $mediawiki->settings(), $mediawiki->environment());
    }

    /**
     * Each page has its route, in samples of each request and in a window of all.
     *
     * @param array<string, string> $pages path and query => route, without the method
     * @param list<string> $settings
     * @param array<string, string> $environment
     */
    private static function assertRoutes(array $pages, string $script, array $settings, array $environment): void
    {
        foreach (['sample', 'aggregate'] as $mode) {
            $all = [...$settings, ...self::settings($mode), 'memory_limit=256M', 'error_reporting=0'];
            $server = new DevServer(self::loaded($all), environment: $environment, script: $script);
            $expected = [];
            foreach ($pages as $page => $route) {
                $answer = $server->client->get($page);
                self::assertSame($route === '(404)' ? 404 : 200, $answer->status, "$page: $answer->body" . $server->errors());
                $expected["GET $route"] = ($expected["GET $route"] ?? 0) + 1;
            }
            $server->stop();
            ksort($expected);
            self::assertSame($expected, self::counts($server), $mode);
        }
    }

    /** As docs/recipes.md has it: no hook is run by a call without its name. */
    private static function assertHooksHaveLabels(WordPress $wordpress): void
    {
        $settings = [
            ...$wordpress->settings(), ...self::settings('exact'), 'memory_limit=256M', 'error_reporting=0',
            'xhprof.label_calls=apply_filters:1 apply_filters_ref_array:1 do_action:1 do_action_ref_array:1',
        ];
        $server = new DevServer(
            self::loaded($settings),
            environment: $wordpress->environment(),
            script: __DIR__ . '/frameworks/wordpress.php',
        );
        self::assertSame(200, $server->client->get('/?p=10')->status);
        $server->stop();
        $runs = self::wholeRuns($server->runs());
        self::assertCount(1, $runs);
        $id = RunId::fromStrings((string) $runs[0]->id, self::SOURCE);
        $edges = (new RunFolder($server->runs()))->open($id)->profile()->edges();
        $functions = array_merge(...array_map(static fn(string $edge): array => explode('==>', $edge), array_keys($edges)));
        foreach (['apply_filters(the_content)', 'apply_filters(body_class)', 'do_action(wp_head)', 'do_action(init)'] as $name) {
            self::assertContains($name, $functions);
        }
        $hooks = preg_grep('/^(apply_filters|do_action)\b/', $functions) ?: [];
        self::assertSame([], array_values(preg_grep('/^\w+\([\w{}.\/:-]+\)(@\d+)?\z/', $hooks, PREG_GREP_INVERT) ?: []));
        self::assertGreaterThan(200, count(array_unique($hooks)));
    }

    /** @return list<string> */
    private static function settings(string $mode): array
    {
        return ['xhprof.start_with_request=yes', "xhprof.mode=$mode", 'xhprof.flush_seconds=86400'];
    }

    /** @return array<string, int> route => requests, of a server that has stopped */
    private static function counts(DevServer $server): array
    {
        $counts = [];
        foreach (self::wholeRuns($server->runs()) as $run) {
            foreach (self::routes($run) as $route => $requests) {
                $counts[$route] = ($counts[$route] ?? 0) + $requests;
            }
        }
        $isRequest = static fn(string $route): bool => str_starts_with($route, 'GET ');
        $counts = array_filter($counts, $isRequest, ARRAY_FILTER_USE_KEY);
        ksort($counts);

        return $counts;
    }

    /** @return array<string, int> route => requests */
    private static function routes(RunMeta $run): array
    {
        if ($run->window === null) {
            return [(string) $run->origin->route => 1];
        }
        $counts = [];
        foreach ($run->window->routes() as $route) {
            $counts[$route] = $run->window->routeStats($route)->requests ?? 0;
        }

        return $counts;
    }
}
