<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Profile\CallTree;
use XHProf\Run\RunId;
use XHProf\Stats\Buckets;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/RunFiles.php';

/**
 * Runs that were started by settings, made by hand in the shape in which the extension saves them: requests of a shop, triggered
 * ones, jobs of a worker, parts, samples with their log, and windows.
 */
final class AutomaticRuns
{
    public const START = 1763680000;
    public const SOURCE = 'live';

    /** A request that its cookie triggered; it failed. */
    public const TRIGGERED = 'a1000000000000000000000000000001';
    /** A request that called xhprof_enable() itself, after which another run continues. */
    public const PART = 'a1000000000000000000000000000002';
    /** A fork of PART. */
    public const FORK = 'a1000000000000000000000000000003';
    /** A job of a worker. */
    public const SPAN = 'a1000000000000000000000000000004';
    /** Sampled by wall clock, with lines and a log. */
    public const SAMPLED = 'a1000000000000000000000000000005';
    /** Sampled by the CPU clock: there are no wall times. */
    public const CPU = 'a1000000000000000000000000000006';
    public const HOSTILE = 'a1000000000000000000000000000007';

    /** Windows, the oldest first. */
    public const WINDOWS = 12;

    public const ROUTES = [
        'GET /orders/{id}' => [420, 38000],
        'GET /' => [900, 11000],
        'POST /cart' => [130, 64000],
        'GET /search' => [75, 180000],
        'GET /api/products/{id}' => [610, 7000],
    ];

    /** Bytes that a request leaves in its process; of the other routes that is not known. */
    public const KEPT = ['GET /search' => 48 << 10, 'POST /cart' => -512, 'GET /' => 0];

    /** Windows from this one on have sampled allocations. */
    public const ALLOCATING = 8;

    /** Bytes that a request allocates, and holds at the peak; of the other routes that is not known. */
    public const ALLOCATED = ['GET /search' => [40 << 20, 12 << 20], 'GET /' => [3 << 20, 1 << 20], 'POST /cart' => [5 << 20, 0]];

    public static function window(int $number): string
    {
        return sprintf('a2%030x', $number);
    }

    public static function build(string $folder): void
    {
        $store = new RunFolder($folder);
        self::requests($store);
        self::special($store);
        self::sampled($folder, self::SAMPLED, 'wall');
        self::sampled($folder, self::CPU, 'cpu');
        foreach (range(1, self::WINDOWS) as $number) {
            self::writeWindow($folder, $number);
        }
        self::hostile($folder);
    }

    private static function requests(RunFolder $store): void
    {
        $routes = array_keys(self::ROUTES);
        for ($i = 0; $i < 60; $i++) {
            $route = $routes[$i * 7 % 5];
            [$method, $path] = explode(' ', $route);
            $wall = (int) (self::ROUTES[$route][1] * (0.6 + ($i * 37 % 41) / 20));
            $store->save(self::edges($wall), self::SOURCE, sprintf('a3%030x', $i), self::meta(-60 * $i - 100, [
                'start' => 'sampled',
                'sample_rate' => 0.01,
                'route' => $route,
                'method' => $method,
                'url' => str_replace('{id}', (string) (1000 + $i), $path) . ($i % 3 === 0 ? '?token=REDACTED&page=' . $i : ''),
                'status' => $i % 17 === 5 ? 500 : ($i % 13 === 4 ? 404 : 200),
                'host' => $i % 2 === 0 ? 'web-1.shop.example' : 'web-2.shop.example',
            ]));
        }
    }

    private static function special(RunFolder $store): void
    {
        $store->save(self::edges(812000), self::SOURCE, self::TRIGGERED, self::meta(-30, [
            'start' => 'trigger',
            'method' => 'POST',
            'url' => '/cart?session=REDACTED',
            'route' => 'POST /cart',
            'status' => 503,
        ]));
        $store->save(self::edges(21000), self::SOURCE, self::PART, self::meta(-40, [
            'start' => 'yes',
            'url' => '/report/yearly',
            'route' => 'GET /report/yearly',
            'ended_by' => 'xhprof_enable',
        ]));
        $store->save(self::edges(9000), self::SOURCE, self::FORK, self::meta(-39, [
            'start' => 'yes',
            'url' => '/report/yearly',
            'route' => 'GET /report/yearly',
            'parent' => self::PART,
        ]));
        $store->save(self::edges(340000), self::SOURCE, self::SPAN, self::meta(-50, [
            'start' => 'span',
            'name' => 'App\Job\SendInvoice',
            'sapi' => 'cli',
            'command' => 'php bin/console messenger:consume',
            'url' => null,
            'method' => null,
            'status' => null,
            'meta' => ['order' => 4711],
        ]));
    }

    /**
     * Writes a sampled run as the extension does.
     *
     * @param 'wall'|'cpu' $clock
     */
    public static function sampled(string $folder, string $id, string $clock): void
    {
        $names = ['main()', 'App\Kernel::handle', 'App\Twig\Engine::render', 'App\Db::query', 'PDOStatement::execute', 'strlen'];
        [$fn, $depth] = [[0, 1, 2, 5, 3, 4], [0, 1, 2, 3, 2, 3]];
        // node, line, how many in a row
        $log = [];
        foreach (range(0, 29) as $round) {
            array_push($log, [1, 31, 1], [2, 112 + $round % 4, 4 + $round % 3], [3, 118, 1]);
            array_push($log, [4, 57, 1], [5, 58, 6 + $round % 5]);
        }
        $log[] = [0, 9, 1];
        $ct = array_fill(0, 6, 0);
        $samples = ['t' => [], 'n' => [], 'node' => [], 'line' => []];
        $at = 0;
        foreach ($log as $i => [$node, $line, $count]) {
            // The process waited for the processor, and no sample was taken.
            $at += $i === 75 ? 20 : 0;
            $samples['t'][] = $at;
            $samples['n'][] = $count;
            $samples['node'][] = $node;
            $samples['line'][] = $line;
            $ct[$node] += $count;
            $at += $count;
        }
        $metric = $clock === 'cpu' ? 'cpu' : 'wt';
        $tree = CallTree::fromArray([
            'names' => $names,
            'fn' => $fn,
            'depth' => $depth,
            'ct' => $ct,
            'self' => [$metric => array_map(static fn (int $count): int => $count * 1000000, $ct)],
        ]);
        $taken = count($log);
        $total = array_sum($ct);
        $meta = self::meta($clock === 'cpu' ? -70 : -60, [
            'start' => 'trigger',
            'mode' => 'sample',
            'url' => $clock === 'cpu' ? '/orders/17' : '/orders/17?key=REDACTED',
            'route' => 'GET /orders/{id}',
            'duration_us' => $at * 1000,
            'samples' => $total,
            'sample_interval_us' => 1000,
            'sampling' => ['clock' => $clock, 'taken' => $taken, 'overruns' => $total - $taken, 'delayed' => 3, 'dropped' => 0],
            'totals' => [$metric => $total * 1000],
        ]);
        self::write($folder, $id, $meta, $tree, ['interval_us' => 1000, 'clock' => $clock], [
            'interval_us' => 1000,
            'clock' => $clock,
            'start_us' => (int) ($meta['ts'] * 1000000),
        ] + $samples);
    }

    private static function writeWindow(string $folder, int $number): void
    {
        $names = ['main()'];
        [$fn, $depth, $ct, $wall, $bytes, $peak] = [[0], [0], [0], [0], [0], [0]];
        $routes = [];
        foreach (self::ROUTES as $route => [$requests, $mean]) {
            $mean = (int) ($mean * (0.8 + ($number * 13 % 9) / 20) * ($route === 'GET /search' && $number > 8 ? 3 : 1));
            $requests += $number * 7 % 30;
            $samples = intdiv($requests * $mean, 10000);
            $routes[$route] = ['requests' => $requests, 'samples' => $samples];
            $routes[$route] += ['wall_us' => $requests * $mean, 'max_us' => $mean * 4];
            // The oldest is of a version that kept no distributions.
            $routes[$route] += $number === 1 ? [] : [
                'failed' => $route === 'POST /cart' ? $number % 4 : 0,
                'aborted' => $route === 'GET /search' ? 2 : 0,
                'cpu_us' => intdiv($requests * $mean, 2),
                'wall' => self::walls($requests, $mean)->toSteps(),
                'cpu' => Buckets::fromValues(array_fill(0, $requests, intdiv($mean, 2)))->toSteps(),
                'peak' => Buckets::fromValues(array_fill(0, $requests, 4 << 20))->toSteps(),
                'waits' => ['sql' => (int) ($samples * 0.7)] + ($route === 'GET /search' ? ['gc' => 3, 'output' => 1] : []),
            ] + ($route === 'POST /cart' ? [
                'early' => 2 + $number % 4, 'after_us' => 250_000 * $number, 'cut' => 2, 'mixed' => 1,
                'unsampled' => ['requests' => 3, 'us' => 40_000 * $number],
            ] : []);
            if ($number > 1 && isset(self::KEPT[$route])) {
                $routes[$route]['kept'] = ['requests' => $requests - 1, 'bytes' => ($requests - 1) * self::KEPT[$route]];
            }
            [$allocated, $held] = $number < self::ALLOCATING ? [0, 0] : self::ALLOCATED[$route] ?? [0, 0];
            if ($allocated > 0) {
                $routes[$route]['allocations'] = [
                    'requests' => $requests, 'allocated_bytes' => $requests * $allocated, 'peak_bytes' => $requests * $held,
                ];
            }
            $names[] = $route;
            [$fn[], $depth[], $ct[], $wall[]] = [count($names) - 1, 1, 0, 0];
            [$bytes[], $peak[]] = [0, 0];
            foreach (['App\Kernel::handle' => 0.3, 'PDOStatement::execute' => 0.7] as $name => $share) {
                $at = array_search($name, $names, true);
                if ($at === false) {
                    $names[] = $name;
                    $at = count($names) - 1;
                }
                $own = (int) ($samples * $share);
                [$fn[], $depth[], $ct[], $wall[]] = [$at, $name === 'App\Kernel::handle' ? 2 : 3, $own, $own * 10000000];
                // All is allocated by the first, and a quarter of what is held is the second's.
                $bytes[] = $name === 'App\Kernel::handle' ? $requests * $allocated : 0;
                $peak[] = intdiv($requests * $held, 4) * ($name === 'App\Kernel::handle' ? 3 : 1);
            }
        }
        $from = self::START - 60 * (self::WINDOWS - $number + 1);
        $samples = (int) array_sum($ct);
        $self = ['wt' => $wall] + ($number < self::ALLOCATING ? [] : [
            'allocated_bytes' => $bytes,
            'allocated_blocks' => array_map(static fn (int $bytes): int => $bytes >> 10, $bytes),
            'peak_bytes' => $peak,
        ]);
        $tree = ['names' => $names, 'fn' => $fn, 'depth' => $depth, 'ct' => $ct, 'self' => $self];
        $requests = (int) array_sum(array_column($routes, 'requests'));
        self::write($folder, self::window($number), self::meta($from - self::START, [
            'ts' => (float) $from,
            'start' => 'aggregate',
            'mode' => 'aggregate',
            'url' => null,
            'method' => null,
            'status' => null,
            'duration_us' => 60000000,
            'samples' => $samples,
            'sample_interval_us' => 10000,
            'sampling' => ['clock' => 'wall', 'taken' => $samples, 'overruns' => 0, 'delayed' => 0, 'dropped' => 0],
            'totals' => ['wt' => $samples * 10000],
            'aggregate' => [
                'seconds' => 60,
                'from' => $from,
                'to' => $from + 60,
                'requests' => $requests,
                'processes' => 8,
                'damaged' => $number === 3 ? 1 : 0,
            ] + ($number < self::ALLOCATING ? [] : ['allocations' => ['sample_bytes' => 524288, 'dropped' => 0]]) + [
                'routes' => $routes,
            ],
        ]), CallTree::fromArray($tree), ['interval_us' => 10000, 'clock' => 'wall'], null, 'traffic');
        if ($number > 1) {
            $slowest = $routes['GET /search']['max_us'] ?? 0;
            $kept = static fn (string $kind, int $wall, array $ct): array => [
                'route' => 'GET /search',
                'kind' => $kind,
                'wall_us' => $wall,
                'cpu_us' => 1000,
                'peak' => 5 << 20,
                'ended' => $from + 30,
                'failed' => false,
                'samples' => array_sum($ct),
                'allocations' => $number >= self::ALLOCATING,
                'n' => 3,
            ];
            $fn = array_map(static fn (string $name): int => (int) array_search($name, $names, true), [
                'GET /search', 'App\Kernel::handle', 'PDOStatement::execute',
            ]);
            $exemplars = [
                'exemplars' => [$kept('slowest', $slowest, [0, 5, 95]), $kept('random', intdiv($slowest, 4), [0, 6, 19])],
                'fn' => [...$fn, ...$fn],
                'depth' => [0, 1, 2, 0, 1, 2],
                'ct' => [0, 5, 95, 0, 6, 19],
                'call_line' => [0, 12, 34, 0, 12, 34],
            ] + ($number < self::ALLOCATING ? [] : ['self' => [
                'allocated_bytes' => [1 << 20, 100 << 20, 2 << 20, 1 << 20, 25 << 20, 2 << 20],
                'allocated_blocks' => [1, 100, 2, 1, 25, 2],
                'peak_bytes' => [0, 7 << 20, 1 << 20, 0, 7 << 20, 1 << 20],
            ]]);
            RunFiles::put($folder, self::window($number) . '.traffic', ['exemplars' => $exemplars]);
        }
    }

    /** Most requests are near the median, one in fifty takes four times as long. */
    public static function walls(int $requests, int $mean): Buckets
    {
        $walls = [];
        for ($i = 0; $i < $requests; $i++) {
            $walls[] = $i % 50 === 49 ? $mean * 4 : (int) ($mean * (0.6 + ($i * 37 % 41) / 50));
        }

        return Buckets::fromValues($walls);
    }

    /** Metadata that attacks the pages. */
    private static function hostile(string $folder): void
    {
        $evil = "<img src=x onerror=alert(1)>\u{202E}\x07";
        $tree = CallTree::fromArray([
            'names' => ['main()', $evil],
            'fn' => [0, 1],
            'depth' => [0, 1],
            'ct' => [1, 2],
            'self' => ['wt' => [1000000, 2000000]],
        ]);
        self::write($folder, self::HOSTILE, self::meta(-35, [
            'start' => 'trigger',
            'name' => $evil,
            'route' => "GET /$evil",
            'url' => "/$evil",
            'method' => '<b>GET</b>',
            'ended_by' => '<b>ended</b>',
            'parent' => '../../etc/passwd',
            'sample_rate' => 1e300,
            'samples' => 3,
            'sample_interval_us' => 1000,
            'sampling' => ['clock' => [], 'taken' => -5, 'overruns' => 'x', 'delayed' => PHP_INT_MAX],
            'aggregate' => ['seconds' => -1, 'from' => 1e308, 'to' => [], 'requests' => PHP_INT_MAX, 'routes' => [
                $evil => [
                    'requests' => -1, 'samples' => 1 << 52, 'wall_us' => 'x', 'max_us' => null, 'kept' => 7, 'allocations' => '<b>',
                ],
                '12' => [
                    'requests' => 3, 'samples' => 2, 'wall_us' => 3000, 'max_us' => 2000, 'wall' => [1600, 1], 'cpu' => [5, -1],
                    'peak' => 'x', 'kept' => ['requests' => 2, 'bytes' => '<b>'],
                ],
                'odd' => 7,
            ]],
        ]), $tree, ['interval_us' => 1000, 'clock' => 'wall'], [
            'interval_us' => 1000, 'clock' => 'wall', 'start_us' => 1,
            't' => [0, 1], 'n' => [1, 2], 'node' => [0, 1], 'line' => [0, 2000000000],
        ]);
    }

    /**
     * @param array<string, mixed>      $meta
     * @param array<string, mixed>      $sampled the tree's facts about its samples
     * @param array<string, mixed>|null $samples the log
     */
    public static function write(
        string $folder,
        string $id,
        array $meta,
        CallTree $tree,
        array $sampled,
        ?array $samples,
        string $source = self::SOURCE,
    ): void {
        RunFiles::write($folder, RunId::fromStrings($id, $source), [
            'meta' => ['v' => 1, 'id' => $id, 'source' => $source] + $meta,
            'tree' => ['sampled' => $sampled] + $tree->toArray(),
        ] + ($samples === null ? [] : ['samples' => $samples]));
    }

    /** @return array<string, array<string, int>> */
    private static function edges(int $wall): array
    {
        $figures = static fn (int $calls, float $share): array
            => ['ct' => $calls, 'wt' => (int) ($wall * $share), 'cpu' => (int) ($wall * $share * 0.7)];

        return [
            'App\Db::query==>PDOStatement::execute' => $figures(12, 0.5),
            'App\Kernel::handle==>App\Db::query' => $figures(12, 0.55),
            'App\Kernel::handle==>App\Twig\Engine::render' => $figures(3, 0.3),
            'main()==>App\Kernel::handle' => $figures(1, 0.95),
            'main()' => $figures(1, 1.0),
        ];
    }

    /**
     * @param int                  $offset seconds from START
     * @param array<string, mixed> $own
     *
     * @return array<string, mixed>
     */
    private static function meta(int $offset, array $own): array
    {
        return $own + [
            'ts' => self::START + $offset + 0.25,
            'sapi' => 'fpm-fcgi',
            'mode' => 'exact',
            'method' => 'GET',
            'host' => 'web-1.shop.example',
            'status' => 200,
            'php' => '8.2.35',
            'version' => '3.0.0',
            'pid' => 4242,
            'peak_memory' => 4194304,
        ];
    }
}
