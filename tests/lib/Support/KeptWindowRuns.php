<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

require_once __DIR__ . '/RunFiles.php';

/**
 * Windows of a worker whose blocks were followed, as the extension saves them: one job leaks, another fills a table and has a cache
 * with a bound, and the names of a third attack who reads them. A sample stands for 64 KB.
 */
final class KeptWindowRuns
{
    public const WINDOWS = 10;
    public const START = 1763680000;
    public const SAMPLE = 65536;
    public const EVIL = "<b>evil</b>\u{202E}\x1b[31m";

    /** Bytes of a job that leaks. */
    public const LEAK = 40 * self::SAMPLE;

    public static function id(int $number): string
    {
        return sprintf('b1%030x', $number);
    }

    /** @param int $start seconds since 1970: when the first one begins */
    public static function build(string $folder, int $start = self::START): void
    {
        for ($number = 0; $number < self::WINDOWS; $number++) {
            self::write($folder, $number, $start + 60 * $number);
        }
    }

    private static function write(string $folder, int $number, int $from): void
    {
        // Samples that were kept and released: of the path whose end it is.
        $nodes = [
            ['main()', 0, 0, 0],
            ['App\Job\SendInvoice', 1, 0, 0],
            ['App\Worker::handle', 2, 0, 0],
            ['App\Mailer::send', 3, 1, 0],
            ['App\Log::add', 4, 40, 0],
            ['App\Job\Resize', 1, 0, 0],
            ['App\Worker::handle', 2, 0, 0],
            ['App\Fonts::load', 3, $number < 2 ? 60 : 0, 0],
            ['App\Cache::put', 3, 50, $number < 1 ? 0 : 50],
            [self::EVIL, 1, 0, 0],
            [self::EVIL, 2, 12, 0],
        ];
        $names = array_values(array_unique(array_column($nodes, 0)));
        $index = array_flip($names);
        $zeros = array_fill(0, count($nodes), 0);
        $sum = static fn (int $column, int $from, int $to): int
            => self::SAMPLE * (int) array_sum(array_column(array_slice($nodes, $from, $to - $from + 1), $column));
        $kept = static fn (int $requests, int $from, int $to): array => [
            'requests' => $requests, 'failed' => 0, 'aborted' => 0, 'samples' => 0, 'wall_us' => $requests * 5000,
            'cpu_us' => $requests * 4000, 'max_us' => 20000,
            'allocations' => [
                'requests' => $requests,
                'allocated_bytes' => $requests << 20,
                'peak_bytes' => $requests << 18,
                'kept' => [
                    'requests' => $requests, 'bytes' => $sum(2, $from, $to), 'blocks' => intdiv($sum(2, $from, $to), 1000),
                    'released_bytes' => $sum(3, $from, $to), 'released_blocks' => intdiv($sum(3, $from, $to), 1000),
                ],
            ],
        ];
        $bytes = static fn (int $column): array
            => array_map(static fn (array $node): int => self::SAMPLE * (int) $node[$column], $nodes);
        $blocks = static fn (int $column): array => array_map(static fn (int $value): int => intdiv($value, 1000), $bytes($column));
        $id = self::id($number);
        RunFiles::write($folder, "$id.worker", [
            'meta' => [
                'v' => 1, 'id' => $id, 'source' => 'worker', 'ts' => $from, 'sapi' => 'cli', 'start' => 'aggregate',
                'mode' => 'aggregate', 'host' => 'worker-1', 'duration_us' => 60_000_000, 'samples' => 0,
                'sample_interval_us' => 10000, 'totals' => ['wt' => 0],
                'aggregate' => [
                    'seconds' => 60, 'from' => $from, 'to' => $from + 60, 'requests' => 3000, 'processes' => 2, 'damaged' => 0,
                    'allocations' => ['sample_bytes' => self::SAMPLE, 'dropped' => 0, 'unfollowed' => $number === 4 ? 3 : 0],
                    'routes' => [
                        'App\Job\SendInvoice' => $kept(1000, 1, 4),
                        'App\Job\Resize' => $kept(1900, 5, 8),
                        self::EVIL => $kept(100, 9, 10),
                    ],
                ],
            ],
            'tree' => [
                'names' => $names,
                'fn' => array_map(static fn (array $node): int => $index[$node[0]], $nodes),
                'depth' => array_column($nodes, 1),
                'ct' => $zeros,
                'self' => [
                    'wt' => $zeros, 'allocated_bytes' => $zeros, 'allocated_blocks' => $zeros, 'peak_bytes' => $zeros,
                    'kept_bytes' => $bytes(2), 'kept_blocks' => $blocks(2), 'released_bytes' => $bytes(3),
                    'released_blocks' => $blocks(3),
                ],
            ],
        ]);
    }
}
