<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\PlantedTimes;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/PlantedTimes.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Where the time of windows and of their routes was: each case plants what requests did. */
final class WindowTimesTest extends TestCase
{
    use PlantedTimes;
    use TemporaryFolder;

    /** Of one request of a route. */
    private const SUSPENDED = ['requests' => 1, 'us' => 10_000];

    public function testAWindowOfTwoRoutes(): void
    {
        $nodes = [
            ['main()', 0, 0, 0], ['GET /a', 1, 1, 1], ['PDO::query', 2, 30, 2], ['GET /b', 1, 5, 2], ['usleep', 2, 4, 0],
        ];
        $times = self::made(self::tree($nodes), RunMeta::ofSamples('wall', 40, 1000))->times();

        self::assertSame(['cpu' => 3, 'sql' => 28], self::ms($times->ofFunction('GET /a')));
        self::assertSame(['cpu' => 2, 'sleep' => 4, 'not_running' => 3], self::ms($times->ofFunction('GET /b')));
    }

    /** @return iterable<string, array{array<string, mixed>, array<string, int|float>}> a route, and ms of its parts */
    public static function routes(): iterable
    {
        $all = ['requests' => 9, 'wall_us' => 100_000];
        yield 'it computed, and waited for the database' => [
            $all + ['cpu_us' => 30_000, 'samples' => 200, 'waits' => ['sql' => 100, 'gc' => 10, 'output' => 20]],
            ['cpu' => 26.25, 'gc' => 3.75, 'sql' => 50, 'output' => 10, 'not_running' => 10],
        ];
        yield 'its fibers were suspended' => [
            $all + ['cpu_us' => 10_000, 'samples' => 50, 'waits' => ['http' => 25]]
                + ['suspended' => ['requests' => 9, 'us' => 60_000]],
            ['cpu' => 10, 'http' => 20, 'not_running' => 10, 'suspended' => 60],
        ];
        yield 'no sample waited' => [
            $all + ['cpu_us' => 30_000, 'samples' => 99, 'waits' => []], ['cpu' => 30, 'not_running' => 70],
        ];
        yield 'samples of which it is not known' => [$all + ['cpu_us' => 30_000, 'samples' => 99], ['cpu' => 30, 'unknown' => 70]];
        yield 'windows of which some know it' => [
            $all + ['cpu_us' => 30_000, 'samples' => 99, 'waits' => ['sql' => 5], 'met' => 10],
            ['cpu' => 30, 'sql' => 50, 'not_running' => 20],
        ];
        yield 'older windows' => [$all, ['unknown' => 100]];
        yield 'more samples of waiting than there are' => [
            $all + ['cpu_us' => 30_000, 'samples' => 1, 'waits' => ['sql' => 5]], ['cpu' => 30, 'sql' => 70],
        ];
        yield 'a database within the process computes' => [
            $all + ['cpu_us' => 95_000, 'samples' => 100, 'waits' => ['sql' => 60, 'file' => 20]],
            ['cpu' => 95, 'sql' => 3.75, 'file' => 1.25],
        ];
        yield 'work after the answer takes CPU time too' => [
            $all + ['cpu_us' => 400_000, 'samples' => 10, 'waits' => ['sql' => 1], 'early' => 9, 'after_us' => 390_000],
            ['cpu' => 90, 'sql' => 10],
        ];
        yield 'kinds of later versions' => [
            $all + ['cpu_us' => 30_000, 'samples' => 10, 'waits' => ['sql' => 1, 'quantum' => 3]],
            ['cpu' => 30, 'sql' => 10, 'not_running' => 60],
        ];
    }

    /**
     * @param array<string, mixed> $route
     * @param array<string, int|float> $expected
     */
    #[DataProvider('routes')]
    public function testARouteOfWindows(array $route, array $expected): void
    {
        $times = RouteFigures::fromMeta($route)->times();
        self::assertSame($expected, self::ms($times));
        self::assertSame(100_000_000, $times?->total());
        self::assertSame(isset($expected['unknown']) ? [RouteFigures::NO_WAITS] : [], $times->notes);
    }

    public function testWhatSamplesMeetIsKeptInSums(): void
    {
        $known = ['requests' => 1, 'wall_us' => 1000, 'samples' => 10, 'waits' => ['sql' => 5]];
        $older = RouteFigures::fromMeta(['waits' => null] + $known);
        $none = RouteFigures::fromMeta(['waits' => []] + $known);
        $sum = RouteFigures::sum([RouteFigures::fromMeta($known), $none, $older]);
        self::assertSame([20, ['sql' => 5]], [$sum->met, $sum->waits]);
        foreach ([$sum, $older, $none] as $figures) {
            self::assertEquals($figures, RouteFigures::fromMeta($figures->toArray()));
        }
    }

    public function testSamplesByACpuClockMeetNothingThatWaits(): void
    {
        $route = ['requests' => 1, 'wall_us' => 1000, 'cpu_us' => 400, 'samples' => 10, 'waits' => ['sql' => 5]];
        $of = static fn (string $clock): ?RouteFigures => RunMeta::fromArray([
            'sampled' => ['interval_us' => 1000, 'clock' => $clock],
            'aggregate' => ['seconds' => 60, 'requests' => 1, 'routes' => ['GET /' => $route]],
        ])->window?->routeStats('GET /');
        self::assertSame(['cpu' => 0.4, 'unknown' => 0.6], self::ms($of('cpu')?->times()));
        self::assertSame(['cpu' => 0.4, 'sql' => 0.5, 'not_running' => 0.1], self::ms($of('wall')?->times()));
    }

    public function testARouteWithoutRequestsHasNoTimes(): void
    {
        self::assertNull(RouteFigures::none()->times());
    }

    /** Samples of a window have no CPU time, its requests have. */
    public function testAWindowWithMeasuredCpuTime(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /a', 'PDO::query', 'GET /b', 'work'],
            'fn' => [0, 1, 2, 3, 4],
            'depth' => [0, 1, 2, 1, 2],
            'ct' => [1, 10, 60, 20, 10],
            'self' => ['wt' => array_map(static fn (int $ms): int => $ms * 1_000_000, [0, 10, 60, 20, 10])],
        ]);
        $routes = [
            'GET /a' => ['requests' => 1, 'wall_us' => 50_000, 'cpu_us' => 5_000],
            'GET /b' => ['requests' => 1, 'wall_us' => 30_000, 'cpu_us' => 15_000, 'suspended' => self::SUSPENDED],
        ];
        $meta = RunMeta::ofSamples('wall', 100, 1000) + ['aggregate' => ['requests' => 2, 'routes' => $routes]];
        $times = self::made($tree, $meta)->times();

        self::assertEqualsWithDelta(['cpu' => 28.571, 'sql' => 60, 'not_running' => 11.429], self::ms($times->whole()), 0.001);
        self::assertSame(100_000_000, $times->whole()?->total());
        self::assertSame([], $times->whole()->notes);
        self::assertSame(['cpu' => 7, 'sql' => 60, 'not_running' => 3], self::ms($times->ofFunction('GET /a')));
        self::assertSame(['cpu' => 22.5, 'not_running' => 7.5], self::ms($times->ofFunction('GET /b')));
        self::assertSame(['unknown' => 10], self::ms($times->ofFunction('work')), 'only routes are measured');
        $between = [RequestWindow::BETWEEN => ['requests' => 0, 'samples' => 9, 'cpu_us' => 40_000]];
        $meta['aggregate']['routes'] += $between;
        $times = self::made($tree, $meta)->times();
        self::assertSame(['sql' => 60, 'unknown' => 40], self::ms($times->whole()), 'an event loop is no request');
        self::assertSame(['cpu' => 7, 'sql' => 60, 'not_running' => 3], self::ms($times->ofFunction('GET /a')));
    }
}
