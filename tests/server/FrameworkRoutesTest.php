<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Store\RunMeta;
use XHProf\Tools\Servers\DevServer;

require_once __DIR__ . '/ServerTestCase.php';

/** Routes that frameworks find, with the routers of Symfony and Slim themselves. */
final class FrameworkRoutesTest extends ServerTestCase
{
    /** @return iterable<string, array{string, class-string, list<string>}> */
    public static function applications(): iterable
    {
        $named = ['GET (404)', 'GET home', 'GET user_show'];
        yield 'Symfony' => ['symfony', 'Symfony\Component\HttpKernel\HttpKernel', $named];
        yield 'Slim' => ['slim', 'Slim\App', ['GET (404)', 'GET /', 'GET /users/{name}']];
    }

    /** @param list<string> $routes */
    #[DataProvider('applications')]
    public function testTheRouteIsTheRoutersOwn(string $application, string $class, array $routes): void
    {
        self::needExtension();
        $autoload = getenv('XHPROF_TEST_AUTOLOAD') ?: dirname(__DIR__, 2) . '/vendor/autoload.php';
        if (!file_exists(dirname($autoload) . '/' . ['symfony' => 'symfony/http-kernel', 'slim' => 'slim/slim'][$application])) {
            self::markTestSkipped("$class is not installed");
        }
        foreach (['exact', 'aggregate'] as $mode) {
            $settings = ['xhprof.start_with_request=yes', "xhprof.mode=$mode", 'xhprof.flush_seconds=86400'];
            $server = new DevServer(
                self::loaded($settings),
                environment: ['XHPROF_TEST_AUTOLOAD' => $autoload],
                script: __DIR__ . "/frameworks/$application.php",
            );
            self::assertSame('home', $server->client->get('/')->body);
            self::assertSame('user ann', $server->client->get('/users/ann')->body);
            self::assertSame('user bob', $server->client->get('/users/bob')->body);
            self::assertSame(404, $server->client->get('/wp-login.php')->status);
            $server->stop();
            $counts = [];
            foreach (self::wholeRuns($server->runs()) as $run) {
                foreach (self::routes($run) as $route => $requests) {
                    $counts[$route] = ($counts[$route] ?? 0) + $requests;
                }
            }
            $isRequest = static fn(string $route): bool => str_starts_with($route, 'GET ');
            $counts = array_filter($counts, $isRequest, ARRAY_FILTER_USE_KEY);
            ksort($counts);
            self::assertSame(array_combine($routes, [1, 1, 2]), $counts, $mode);
        }
    }

    /** @return array<string, int> route => requests */
    private static function routes(RunMeta $run): array
    {
        if ($run->aggregate === null) {
            return [(string) $run->route => 1];
        }
        $counts = [];
        foreach ($run->aggregate->routes() as $route) {
            $counts[$route] = $run->aggregate->routeStats($route)->requests ?? 0;
        }

        return $counts;
    }
}
