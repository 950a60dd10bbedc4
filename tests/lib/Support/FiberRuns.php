<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Stats\Buckets;

require_once __DIR__ . '/RunFiles.php';

/** Runs of a program with many fibers at once, made by hand: spans that were suspended, a window of them, and older ones. */
final class FiberRuns
{
    public const START = 1763680000;
    public const SOURCE = 'async';

    /** An exact one: 21 ms of its own within 54 ms. */
    public const EXACT = 'fb000000000000000000000000000001';
    /** One that hardly ran within 9 s. */
    public const LONG = 'fb000000000000000000000000000002';
    /** Samples of wall time: CPU time is not known. */
    public const SAMPLED = 'fb000000000000000000000000000003';
    /** Of an older version: the span of another fiber has cut it, and others ran within it. */
    public const CUT = 'fb000000000000000000000000000004';
    /** A window, and one of an older version. */
    public const WINDOW = 'fb000000000000000000000000000005';
    public const OLDER = 'fb000000000000000000000000000006';

    public static function build(string $folder): void
    {
        $exact = [
            'mode' => 'exact', 'duration_us' => 21_000, 'elapsed_us' => 54_200, 'suspended_us' => 33_000,
            'totals' => ['wt' => 21_000, 'cpu' => 12_000],
        ];
        $tree = self::tree(['wt' => [1_000_000, 9_000_000, 11_000_000], 'cpu' => [500_000, 9_000_000, 2_500_000]], [1, 1, 3]);
        self::write($folder, self::EXACT, 1, $exact + ['name' => 'GET /cart'], $tree);
        self::write($folder, self::LONG, 2, [
            'name' => 'GET /cart', 'elapsed_us' => 9_021_300, 'suspended_us' => 9_000_000,
        ] + $exact, $tree);
        self::write($folder, self::SAMPLED, 3, [
            'mode' => 'sample', 'name' => 'GET /feed', 'duration_us' => 12_500, 'elapsed_us' => 40_000, 'suspended_us' => 27_500,
            'cpu_us' => 3_600, ...self::samples(12, 1000),
        ], self::tree(['wt' => [0, 4_000_000, 8_000_000]], [0, 4, 8]));
        $cut = ['name' => 'GET /old', 'ended_by' => 'span of another fiber', 'other_fibers' => 3, 'suspended_us' => null];
        self::write($folder, self::CUT, 4, $cut + $exact, self::tree(['wt' => [1_000_000, 9_000_000, 11_000_000]], [1, 1, 3]));
        self::windows($folder);
        foreach (RunFiles::runs($folder) as $i => $run) {
            touch("$folder/$run.xhprof", self::START - 60 * $i);
        }
    }

    private static function windows(string $folder): void
    {
        $cart = self::route(40, 54_000, 84) + ['suspended' => ['requests' => 38, 'us' => 1_320_000]];
        $feed = self::route(200, 6_000, 30);
        $between = [
            'requests' => 0, 'failed' => 0, 'aborted' => 0, 'samples' => 300, 'wall_us' => 0, 'cpu_us' => 90_000, 'max_us' => 0,
            'wall' => [], 'cpu' => [], 'peak' => [], 'waits' => ['sleep' => 290],
        ];
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /cart', 'GET /feed', RequestWindow::BETWEEN, 'App\Kernel::handle', 'stream_select'],
            'fn' => [0, 1, 4, 2, 4, 3, 5], 'depth' => [0, 1, 2, 1, 2, 1, 2], 'ct' => [0, 4, 80, 0, 30, 10, 290],
            'self' => ['wt' => array_map(static fn (int $n): int => $n * 10_000_000, [0, 4, 80, 0, 30, 10, 290])],
        ]);
        $routes = ['GET /cart' => $cart, 'GET /feed' => $feed, RequestWindow::BETWEEN => $between];
        self::window($folder, self::WINDOW, 0, $routes, $tree);
        $old = ['GET /cart' => self::route(40, 54_000, 84) + ['cut' => 7, 'mixed' => 30]];
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /cart', 'App\Kernel::handle'], 'fn' => [0, 1, 2], 'depth' => [0, 1, 2], 'ct' => [0, 4, 80],
            'self' => ['wt' => [0, 40_000_000, 800_000_000]],
        ]);
        self::window($folder, self::OLDER, 1, $old, $tree);
    }

    /** @param array<string, array<string, mixed>> $routes */
    private static function window(string $folder, string $id, int $number, array $routes, CallTree $tree): void
    {
        $from = self::START - 120 - 60 * $number;
        self::write($folder, $id, 0, [
            'ts' => (float) $from, 'start' => 'aggregate', 'mode' => 'aggregate', 'duration_us' => 60_000_000,
            ...self::samples(array_sum($tree->ct), 10_000),
            'aggregate' => [
                'seconds' => 60, 'from' => $from, 'to' => $from + 60, 'requests' => array_sum(array_column($routes, 'requests')),
                'processes' => 2, 'damaged' => 0, 'routes' => $routes,
            ],
        ], $tree);
    }

    /** @return array<string, mixed> */
    private static function route(int $requests, int $wall, int $samples): array
    {
        return [
            'requests' => $requests, 'failed' => 0, 'aborted' => 0, 'samples' => $samples, 'wall_us' => $requests * $wall,
            'cpu_us' => $requests * intdiv($wall, 4), 'max_us' => 2 * $wall,
            'wall' => Buckets::fromValues(array_fill(0, $requests, $wall))->toSteps(),
            'cpu' => Buckets::fromValues(array_fill(0, $requests, intdiv($wall, 4)))->toSteps(),
            'peak' => Buckets::fromValues(array_fill(0, $requests, 2 << 20))->toSteps(),
        ];
    }

    /** @return array<string, mixed> */
    private static function samples(int $samples, int $interval): array
    {
        return [
            'samples' => $samples, 'sample_interval_us' => $interval, 'totals' => ['wt' => $samples * $interval],
            'sampling' => ['clock' => 'wall', 'taken' => $samples, 'overruns' => 0, 'delayed' => 0, 'dropped' => 0],
        ];
    }

    /**
     * @param array<string, list<int>> $self
     * @param list<int> $ct
     */
    private static function tree(array $self, array $ct): CallTree
    {
        return CallTree::fromArray([
            'names' => ['main()', 'App\Kernel::handle', 'PDOStatement::execute'],
            'fn' => [0, 1, 2],
            'depth' => [0, 1, 2],
            'ct' => $ct,
            'self' => $self,
        ]);
    }

    /** @param array<string, mixed> $meta */
    private static function write(string $folder, string $id, int $minutes, array $meta, CallTree $tree): void
    {
        RunFiles::write($folder, $id . '.' . self::SOURCE, ['meta' => array_filter($meta + [
            'v' => 1, 'id' => $id, 'source' => self::SOURCE, 'ts' => self::START - 60.0 * $minutes, 'sapi' => 'cli',
            'command' => 'php server.php', 'host' => 'web-1', 'start' => 'span', 'peak_memory' => 4 << 20,
        ], static fn (mixed $value): bool => $value !== null), 'tree' => $tree->toArray()]);
    }
}
