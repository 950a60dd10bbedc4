<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunId;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\Site;

require_once __DIR__ . '/ServerTestCase.php';

/** Requests and jobs of runtimes that begin and end them: by the packages themselves where Composer has them, else by stand-ins. */
final class WorkerRuntimesTest extends ServerTestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const FRAMEWORKS = self::ROOT . '/build/frameworks/vendor';

    private Folder $folder;

    protected function setUp(): void
    {
        self::needExtension();
        $this->folder = new Folder();
        mkdir("{$this->folder->path}/runs");
    }

    /**
     * Programs, the packages that they need, and what their routes are: requests, failed.
     *
     * @return iterable<string, array{string, list<string>, array<string, array{int, int}>}>
     */
    public static function programs(): iterable
    {
        yield 'Symfony Messenger' => ['messenger', ['symfony/messenger'], ['Charge' => [1, 1], 'SendMail' => [2, 0]]];
        yield 'queue of Laravel' => ['queue', ['laravel/framework'], ['Charge' => [1, 1], 'SendMail' => [2, 0]]];
        yield 'symfony/runtime' => ['runtime', ['symfony/runtime', 'symfony/routing'], [
            'GET (404)' => [1, 0], 'GET broken' => [1, 1], 'GET home' => [1, 0], 'GET user_show' => [2, 0],
        ]];
        yield 'PSR-15 by Slim' => ['slim', ['slim/slim'], [
            'GET (404)' => [1, 0], 'GET /' => [1, 0], 'GET /broken' => [1, 1], 'GET /users/{name}' => [3, 0],
        ]];
        yield 'Octane in RoadRunner' => ['octane', ['laravel/framework', 'nyholm/psr7', 'laminas/laminas-diactoros'], [
            'GET (404)' => [1, 0], 'GET /' => [1, 0], 'GET /broken' => [1, 1], 'GET /ignored' => [1, 0],
            'GET /users/{name}' => [3, 0],
        ]];
        yield 'amphp' => ['amp', ['amphp/amp', 'revolt/event-loop', 'league/uri'], [
            'GET /broken' => [1, 1], 'GET /users/{id}' => [3, 0], 'named by the program' => [1, 0],
        ]];
        yield 'ReactPHP' => ['react', ['react/socket', 'nyholm/psr7'], ['GET /broken' => [1, 1], 'GET /users/{id}' => [2, 0]]];
    }

    /**
     * @param list<string> $packages
     * @param array<string, array{int, int}> $expected
     */
    #[DataProvider('programs')]
    public function testEachRequestIsCountedByItsRoute(string $program, array $packages, array $expected): void
    {
        $this->runProgram($program, $packages, ['xhprof.mode=aggregate']);
        self::assertSame($expected, $this->counts());
    }

    /**
     * @param list<string> $packages
     * @param array<string, array{int, int}> $expected
     */
    #[DataProvider('programs')]
    public function testEachRequestIsARunOfItsOwn(string $program, array $packages, array $expected): void
    {
        $this->runProgram($program, $packages, ['xhprof.mode=exact', 'xhprof.hooks=walk']);
        self::assertSame($expected, $this->counts());
    }

    public function testOnlyATriggeredRequestIsProfiledAndHasWhatItWasGiven(): void
    {
        $settings = ['xhprof.mode=exact', 'xhprof.start_with_request=trigger', 'xhprof.trigger_value=open sesame'];
        $this->runProgram('octane', ['laravel/framework', 'nyholm/psr7', 'laminas/laminas-diactoros'], $settings);
        $runs = self::wholeRuns($this->folder->path . '/runs');
        self::assertCount(1, $runs);
        $run = $runs[0];
        self::assertSame('GET /users/{name}', $run->origin->route);
        $origin = $run->origin;
        $given = [$origin->method, $origin->url, $origin->host, $origin->status];
        self::assertSame(['GET', '/users/carl', 'octane.test', 200], $given);
        self::assertNull($run->origin->name);
        self::assertSame('0af7651916cd43dd8448eb211c80319c', $run->origin->traceId);
    }

    public function testNothingBeginsWhereItIsOff(): void
    {
        $this->runProgram('slim', ['slim/slim'], ['xhprof.mode=aggregate', 'xhprof.workers=off']);
        self::assertSame([], $this->counts());
    }

    /**
     * Runs a program to its end.
     *
     * @param list<string> $packages
     * @param list<string> $settings
     */
    private function runProgram(string $program, array $packages, array $settings): void
    {
        $slim = $program === 'slim' ? getenv('XHPROF_TEST_AUTOLOAD') ?: self::ROOT . '/vendor/autoload.php' : null;
        $autoload = $slim ?? self::FRAMEWORKS . '/autoload.php';
        foreach ($packages as $package) {
            if (!file_exists(dirname($autoload) . "/$package")) {
                self::markTestSkipped("$package is not installed (make frameworks)");
            }
        }
        $path = $this->folder->path;
        $all = ['memory_limit=256M', 'xhprof.start_with_request=yes', 'xhprof.flush_seconds=86400', ...$settings];
        file_put_contents("$path/program.ini", Site::ini($this->folder, self::loaded($all)));
        $command = [PHP_BINARY, '-c', "$path/program.ini", __DIR__ . "/workers/$program.php"];
        $environment = ['XHPROF_TEST_AUTOLOAD' => $autoload, 'XHPROF_TEST_FOLDER' => $path];
        $status = (new Daemon($command, "$path/program.out", $environment))->finish();
        self::assertSame([0, ''], [$status, (string) file_get_contents("$path/program.out")]);
    }

    /** @return array<string, array{int, int}> route => requests, failed; without the program as a whole */
    private function counts(): array
    {
        $counts = [];
        foreach (self::wholeRuns("{$this->folder->path}/runs") as $run) {
            foreach ($run->window?->routes() ?? [] as $route) {
                $stats = $run->window?->routeStats($route);
                $counts[$route] = [$stats->requests ?? 0, $stats->failed ?? 0];
            }
            if ($run->window === null && $run->recording->start === 'span') {
                $id = RunId::fromStrings((string) $run->id, self::SOURCE);
                $failed = RunFiles::documents("{$this->folder->path}/runs", $id)['meta']['failed'] ?? null;
                $before = $counts[(string) $run->origin->route] ?? [0, 0];
                $counts[(string) $run->origin->route] = [$before[0] + 1, $before[1] + (int) ($failed === true)];
            }
        }
        $isProgram = static fn(string $route): bool => str_starts_with($route, 'workers/');
        $counts = array_filter($counts, static fn(string $route): bool => !$isProgram($route), ARRAY_FILTER_USE_KEY);
        $counts = array_filter($counts, static fn(array $count): bool => $count[0] > 0); // samples before a new name
        ksort($counts);

        return $counts;
    }
}
