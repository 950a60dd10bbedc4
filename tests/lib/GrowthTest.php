<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Random\Engine\Mt19937;
use Random\Randomizer;
use XHProf\Memory\GrowthReport;
use XHProf\Memory\KeptPath;
use XHProf\Memory\KeptPaths;
use XHProf\Stats\Growth;
use XHProf\Stats\GrowthKind;

/**
 * Memory that grows is found, and caches are not called that: programs of known behaviour, whose blocks are sampled as the
 * extension samples them.
 */
final class GrowthTest extends TestCase
{
    private const SAMPLED = 65536;

    /**
     * @return iterable<string, array{GrowthKind, \Closure(int, int): array{int, int}, 2?: int}> bytes kept and released by the
     *     requests of a window, by its number and its requests; then the number of windows
     */
    public static function programs(): iterable
    {
        $mb = 1 << 20;
        yield 'a leak of 2 KB per request' => [
            GrowthKind::Grows,
            static fn (int $window, int $requests): array => [2048 * $requests, 0],
        ];
        yield 'a small leak, of 20 samples in all' => [GrowthKind::Grows, static fn (): array => [140_000, 0], 12];
        yield 'a leak that gets faster' => [GrowthKind::Grows, static fn (int $window): array => [($window + 1) * 2 * $mb, 0]];
        yield 'a leak beside a full cache' => [GrowthKind::Grows, static fn (): array => [12 * $mb, 8 * $mb]];
        yield 'a leak that began late' => [GrowthKind::Grows, static fn (int $window): array => [$window < 10 ? 0 : 5 * $mb, 0]];
        yield 'a cache that lets go as much as it takes' => [GrowthKind::LetGo, static fn (): array => [10 * $mb, 10 * $mb]];
        yield 'a cache that fills, and is full then' => [
            GrowthKind::Filled,
            static fn (int $window): array => $window < 5 ? [10 * $mb, 0] : [10 * $mb, 10 * $mb],
        ];
        yield 'a table that is loaded once' => [
            GrowthKind::Filled,
            static fn (int $window): array => [$window === 0 ? 50 * $mb : 0, 0],
        ];
        yield 'a table that is loaded in some windows' => [
            GrowthKind::Filled,
            static fn (int $window): array => [$window < 4 ? (40 - 10 * $window) * $mb : 0, 0],
        ];
        yield 'an import on an afternoon' => [
            GrowthKind::Once,
            static fn (int $window): array => [$window === 13 ? 50 * $mb : 0, 0],
        ];
        yield 'a cache of which popular entries come first' => [
            GrowthKind::Slows,
            static fn (int $window): array => [(int) (60 * $mb / (1 + $window)), 0],
        ];
        yield 'a cache that is emptied every six windows' => [
            GrowthKind::LetGo,
            static fn (int $window): array => [5 * $mb, $window % 6 === 5 ? 30 * $mb : 0],
        ];
        yield 'memory that is given back' => [GrowthKind::LetGo, static fn (): array => [2 * $mb, 4 * $mb]];
        yield 'three samples' => [GrowthKind::Few, static fn (int $window): array => [$window % 8 === 0 ? 65536 : 0, 0]];
        yield 'nothing' => [GrowthKind::Few, static fn (): array => [0, 0]];
        yield 'a leak in three windows' => [GrowthKind::Short, static fn (): array => [20 * $mb, 0], 3];
    }

    /** @param \Closure(int, int): array{int, int} $program */
    #[DataProvider('programs')]
    public function testKind(GrowthKind $kind, \Closure $program, int $windows = 20): void
    {
        $found = [];
        for ($seed = 0; $seed < 40; $seed++) {
            $found[] = $this->path($program, $windows, $seed)->growth->kind->value;
        }
        $counts = array_count_values($found);
        // Each is a verdict on other samples of the same program; of 100 that chance decides some may be others.
        self::assertGreaterThanOrEqual(36, $counts[$kind->value] ?? 0, (string) json_encode($counts));
        if ($kind !== GrowthKind::Grows) {
            self::assertLessThanOrEqual(1, $counts[GrowthKind::Grows->value] ?? 0, (string) json_encode($counts));
        }
    }

    public function testBytesPerRequestAreNearTheTruth(): void
    {
        $inside = 0;
        for ($seed = 0; $seed < 100; $seed++) {
            $growth = $this->path(static fn (int $window, int $requests): array => [2048 * $requests, 0], 20, $seed)->growth;
            $inside += (int) (abs($growth->perRequest - 2048) <= $growth->error);
            self::assertEqualsWithDelta(2048, $growth->perRequest, 2048 * 0.25);
        }
        self::assertGreaterThan(85, $inside);
    }

    public function testTrend(): void
    {
        $mb = 1 << 20;
        $trend = fn (\Closure $program): string => $this->path($program, 16, 1)->growth->trend();
        self::assertSame('steady', $trend(static fn (): array => [20 * $mb, 0]));
        self::assertSame('faster and faster', $trend(static fn (int $window): array => [(1 + $window) * 10 * $mb, 0]));
        self::assertSame('slower and slower', $trend(static fn (int $window): array => [(40 - 2 * $window) * 10 * $mb, 0]));
        self::assertSame('let go', $trend(static fn (): array => [$mb, $mb]));
    }

    /** Ten samples in each window: chance alone makes the one or the other of 16 in 100 half as large or half as small. */
    public function testFewSamplesOfASteadyLeakAreSteady(): void
    {
        $trends = [];
        for ($seed = 0; $seed < 200; $seed++) {
            $trends[] = $this->path(static fn (): array => [10 * self::SAMPLED, 0], 8, $seed)->growth->trend();
        }
        $of = array_count_values($trends);
        self::assertGreaterThan(150, $of['steady']);
        self::assertLessThan(4, ($of['faster and faster'] ?? 0) + ($of['slower and slower'] ?? 0));
    }

    public function testWindowsAreCutIntoStretchesWithAsManyRequests(): void
    {
        self::assertSame([0, 1, 2], Growth::cut([5, 100, 1]));
        self::assertSame([0, 0, 0, 1, 1], Growth::cut([5, 0, 0, 100, 0]));
        self::assertSame([0, 0], Growth::cut([0, 0]));
        $cut = Growth::cut(array_fill(0, 80, 10));
        self::assertSame(array_fill(0, 8, 10), array_values(array_count_values($cut)));
        self::assertSame([3, ...array_fill(0, 10, 7)], Growth::cut([1000, ...array_fill(0, 10, 1)]));
    }

    public function testALeakInOneRouteOfTwoIsThatRoutes(): void
    {
        $paths = new KeptPaths();
        for ($window = 0; $window < 10; $window++) {
            $from = $window * 60;
            $paths->addWindow($from, $from + 60, 4096);
            $paths->addRequests($from, 'leaks', 100);
            $paths->addRequests($from, 'caches', 100);
            $block = ['kept' => 500_000, 'released' => 0, 'blocks' => 100];
            $paths->add($from, 'leaks', ['App\Handler', 'App\Log::add'], $block);
            $paths->add($from, 'caches', ['App\Handler', 'App\Log::add'], ['released' => 500_000, 'blocks' => 200] + $block);
            // Too little to be a path of its own: its caller's.
            $paths->add($from, 'leaks', ['App\Handler', "rare$window"], ['kept' => 4096, 'released' => 0, 'blocks' => 1]);
        }
        self::assertSame([
            ['grows', 'leaks', 'App\Handler>App\Log::add', 5000],
            ['grows', 'leaks', 'App\Handler', 41],
            ['let go', 'caches', 'App\Handler>App\Log::add', 0],
        ], array_map(static fn (KeptPath $path): array => [
            $path->growth->kind->value, $path->route, implode('>', $path->frames), (int) round($path->growth->perRequest),
        ], $paths->paths()));
        self::assertCount(1, $paths->paths('caches'));
        self::assertSame([], $paths->paths('other'));
        self::assertSame(5_040_960, $paths->whole('leaks')?->growth->net);
        $report = GrowthReport::of($paths);
        self::assertCount(2, $report->findings());
        $facts = $report->findings()[0]->json();
        self::assertSame(['growing-memory', 'App\Log::add', 'leaks', 5000, 'steady'], [
            $facts['rule'], $facts['function'], $facts['route'], $facts['bytes_per_request'], $facts['trend'],
        ]);
        self::assertSame([], GrowthReport::of($paths, 'caches')->findings());
        self::assertTrue(GrowthReport::of(new KeptPaths())->isEmpty());
    }

    public function testHostsOfOneTimeAreAddedUp(): void
    {
        $paths = new KeptPaths();
        for ($window = 0; $window < 5; $window++) {
            foreach ([1, 2] as $host) {
                $paths->addWindow($window * 60, $window * 60 + 60, 4096, $host);
                $paths->addRequests($window * 60, 'job', 10);
                $paths->add($window * 60, 'job', ['f'], ['kept' => 50_000 * $host, 'released' => 0, 'blocks' => 12 * $host]);
            }
        }
        [$path] = $paths->paths();
        self::assertSame([GrowthKind::Grows, 7500.0, 100], [$path->growth->kind, $path->growth->perRequest, $path->requests]);
        self::assertSame([5, 100, 15, ['from' => 0, 'to' => 300]], [
            $paths->windows(), $paths->requests(), $paths->unfollowed(), $paths->covered(),
        ]);
    }

    /** @param \Closure(int, int): array{int, int} $program */
    private function path(\Closure $program, int $windows, int $seed): KeptPath
    {
        $random = new Randomizer(new Mt19937($seed));
        $paths = new KeptPaths();
        for ($window = 0; $window < $windows; $window++) {
            $requests = $random->getInt(900, 1100);
            [$kept, $released] = $program($window, $requests);
            $from = 1_700_000_000 + 60 * $window;
            [$in, $out] = [self::samples($random, $kept), self::samples($random, $released)];
            $paths->addWindow($from, $from + 60, self::SAMPLED);
            $paths->addRequests($from, 'job', $requests);
            $paths->add($from, 'job', [], [
                'kept' => $in * self::SAMPLED, 'released' => $out * self::SAMPLED, 'blocks' => ($in + $out) * 100,
            ]);
        }

        return $paths->whole('job') ?? self::fail('no path');
    }

    /** A number of samples of so many bytes, as chance has it. */
    private static function samples(Randomizer $random, int $bytes): int
    {
        $left = $bytes / self::SAMPLED;
        $count = -1;
        do {
            $left += log(($random->getInt(0, (1 << 30) - 1) + 1) / (1 << 30));
            $count++;
        } while ($left >= 0);

        return $count;
    }
}
