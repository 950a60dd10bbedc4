<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RouteFigures;
use XHProf\Stats\Buckets;
use XHProf\Tests\Soak\FiberOptions;
use XHProf\Tests\Soak\FiberReport;
use XHProf\Tests\Soak\FiberRoutes;
use XHProf\Tests\Soak\FiberSoak;

require_once __DIR__ . '/ServerTestCase.php';
require_once __DIR__ . '/../soak/autoload.php';

/** What make soak does with a server of fibers, in short, and what it calls a problem. */
final class FiberSoakTest extends ServerTestCase
{
    public function testEveryRequestOfAFiberIsItsRoutes(): void
    {
        self::needExtension();
        if (FiberSoak::missing() !== null) {
            self::markTestSkipped(FiberSoak::missing());
        }
        $options = new FiberOptions(requests: 300, each: 7, window: 1, growth: 1_000_000, times: false);
        $report = (new FiberSoak($options))->run();
        self::assertSame([], $report->problems(), $report->text());
        self::assertSame(array_fill_keys(array_keys(FiberRoutes::LOOPS), 60), self::sorted($report->served));
    }

    /**
     * @param array<string, int> $counts
     * @return array<string, int> in the order of the routes
     */
    private static function sorted(array $counts): array
    {
        return array_replace(array_fill_keys(array_keys(FiberRoutes::LOOPS), 0), $counts);
    }

    /** @return iterable<string, array{array<string, mixed>, string|null}> what differs from a good report, and the problem */
    public static function reports(): iterable
    {
        $figures = self::figures();
        yield 'good' => [[], null];
        yield 'not answered' => [
            ['answered' => ['GET /long' => 9] + self::counts()],
            '49 answers of 50 requests; GET /long: 9 answers, the server has counted 10, the windows 10',
        ];
        yield 'wrong answers' => [['failed' => ['GET /long: 500']], '1 answers are wrong: GET /long: 500'];
        yield 'lost in a window' => [
            ['figures' => ['GET /turns' => self::route('GET /turns', 9)] + $figures, 'cpu' => 6_520_000, 'samples' => 500],
            'GET /turns: 10 answers, the server has counted 10, the windows 9; GET /turns: 810000 us of CPU, its loops took 900000',
        ];
        yield 'work of another route' => [
            ['figures' => [
                'GET /turns' => self::route('GET /turns', cpu: 1_140_000), 'GET /long' => self::route('GET /long', cpu: 1_040_000),
            ] + $figures],
            'GET /turns: 1140000 us of CPU, its loops took 900000; GET /long: 1040000 us of CPU, its loops took 1200000',
        ];
        yield 'CPU time that is missing' => [['cpu' => 6_750_000], 'all routes have 6610000 us of CPU, the process 6750000'];
        yield 'CPU time that is counted twice' => [['cpu' => 6_470_000], 'all routes have 6610000 us of CPU, the process 6470000'];
        yield 'CPU time nearly as the process\'s' => [['cpu' => 6_700_000], null];
        yield 'samples of no route' => [['samples' => 511], 'all routes have 510 samples, the windows 511'];
        yield 'not suspended' => [
            ['figures' => ['GET /parts' => self::route('GET /parts', suspended: 8)] + $figures],
            'GET /parts: 8 requests were suspended, not 10',
        ];
        yield 'suspended without a wait' => [
            ['figures' => ['GET /long' => self::route('GET /long', suspended: 1)] + $figures],
            'GET /long: 1 requests were suspended, not 0; GET /long: suspended for 500 us of 9000000',
        ];
        yield 'damaged' => [['damaged' => 2], '2 records are damaged'];
        yield 'warning' => [['messages' => "PHP Warning:  Oops\nmore"], 'the server has written: PHP Warning:  Oops'];
        yield 'grown' => [
            ['memory' => [1, 1, 1, 100, 101, 100, 1, 1, 1, 614, 1, 1]],
            'the server has grown by 513 kB, more than 512',
        ];
        yield 'not grown' => [['memory' => [1, 1, 1, 100, 101, 100, 1, 1, 1, 613, 1, 1]], null];
    }

    /** @param array<string, mixed> $differs */
    #[DataProvider('reports')]
    public function testWhatIsAProblem(array $differs, ?string $problem): void
    {
        $values = $differs + [
            'answered' => self::counts(), 'served' => self::counts(), 'worked' => self::worked(), 'figures' => self::figures(),
            'cpu' => 6_610_000,
            'samples' => 510, 'damaged' => 0, 'failed' => [], 'messages' => '', 'memory' => [],
        ];
        $report = new FiberReport(new FiberOptions(requests: 50), ...$values);
        self::assertSame((string) $problem, implode('; ', $report->problems()));
        self::assertSame($problem === null, str_ends_with($report->text(), FiberReport::GOOD));
    }

    public function testOptions(): void
    {
        $options = FiberOptions::parse(['--requests=501', '--clients=200']);
        self::assertSame([501, 200, true], [$options->requests, $options->clients, $options->times]);
        $mistakes = ['--times=0' => 'unknown option --times=0', '--clients=201' => '--clients must be a number from 1 to 200'];
        foreach ($mistakes as $bad => $why) {
            try {
                FiberOptions::parse([$bad]);
                self::fail("$bad is accepted");
            } catch (\InvalidArgumentException $error) {
                self::assertStringContainsString($why, $error->getMessage());
            }
        }
    }

    /** @return array<string, int> */
    private static function counts(): array
    {
        return array_fill_keys(array_keys(FiberRoutes::LOOPS), 10);
    }

    /** @return array<string, int> 100 ns a loop */
    private static function worked(): array
    {
        return FiberRoutes::LOOPS; // of ten requests
    }

    /** @return array<string, RouteFigures> of 100 ns a loop */
    private static function figures(): array
    {
        $none = Buckets::none();
        $figures = [FiberReport::BETWEEN => new RouteFigures(0, 0, 0, 10, 0, 10_000, 0, $none, $none, $none)];
        foreach (array_keys(FiberRoutes::LOOPS) as $route) {
            $figures[$route] = self::route($route);
        }

        return $figures;
    }

    private static function route(string $route, int $requests = 10, ?int $cpu = null, ?int $suspended = null): RouteFigures
    {
        $cpu ??= intdiv($requests * FiberRoutes::LOOPS[$route], 10);
        $suspended ??= in_array($route, FiberRoutes::BUSY, true) ? 0 : $requests;
        $none = Buckets::none();

        return new RouteFigures(
            $requests,
            0,
            0,
            10 * $requests,
            9_000_000,
            $cpu,
            0,
            $none,
            $none,
            $none,
            suspended: $suspended,
            suspendedTime: 500 * $suspended,
        );
    }
}
