<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Profile\CallTree;
use XHProf\Run\RunId;
use XHProf\Stats\Buckets;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/AutomaticRuns.php';

/** Windows of a given time, host and release, with planted requests: each takes 100 ms, of which samples see its function. */
final class PlantedWindows
{
    public const SOURCE = 'site';

    private static int $next = 0;

    /**
     * @param array<string, list<array{int, array<string, float>}>> $routes by route its requests: µs, and shares of functions
     * @param array<string, mixed> $meta
     * @param int $seconds length
     *
     * @return string id
     */
    public static function write(string $folder, int $from, array $routes, array $meta = [], int $seconds = 60): string
    {
        $names = ['main()'];
        [$fn, $depth, $ct] = [[0], [0], [0]];
        $figures = [];
        foreach ($routes as $route => $requests) {
            $names[] = $route;
            [$fn[], $depth[], $ct[]] = [count($names) - 1, 1, 0];
            $functions = [];
            foreach ($requests as [$wall, $shares]) {
                foreach ($shares as $name => $share) {
                    $functions[$name] = ($functions[$name] ?? 0) + (int) round($wall * $share / 10000);
                }
            }
            foreach ($functions as $name => $samples) {
                $at = array_search($name, $names, true);
                if ($at === false) {
                    $names[] = (string) $name;
                    $at = count($names) - 1;
                }
                [$fn[], $depth[], $ct[]] = [$at, 2, $samples];
            }
            $walls = array_column($requests, 0);
            $figures[$route] = [
                'requests' => count($requests),
                'failed' => $meta['failed'] ?? 0,
                'samples' => array_sum($functions),
                'wall_us' => array_sum($walls),
                'cpu_us' => 0,
                'max_us' => max([0, ...$walls]),
                'wall' => Buckets::fromValues($walls)->toSteps(),
            ];
        }
        $samples = (int) array_sum($ct);
        $id = sprintf('b2%030x', ++self::$next);
        unset($meta['failed']);
        AutomaticRuns::write($folder, $id, $meta + [
            'ts' => (float) $from,
            'start' => 'aggregate',
            'mode' => 'aggregate',
            'host' => 'web-1',
            'samples' => $samples,
            'sample_interval_us' => 10000,
            'sampling' => ['clock' => 'wall', 'taken' => $samples],
            'totals' => ['wt' => $samples * 10000],
            'aggregate' => [
                'seconds' => $seconds, 'from' => $from, 'to' => $from + $seconds, 'processes' => 1,
                'requests' => array_sum(array_column($figures, 'requests')), 'routes' => $figures,
            ],
        ], CallTree::fromArray([
            'names' => $names,
            'fn' => $fn,
            'depth' => $depth,
            'ct' => $ct,
            'self' => ['wt' => array_map(static fn (int $samples): int => $samples * 10000000, $ct)],
        ]), ['interval_us' => 10000, 'clock' => 'wall'], null, self::SOURCE);

        return $id;
    }

    /**
     * Adds single requests that a window has kept.
     *
     * @param array<string, array{int, array<string, int>}> $requests by kind their µs, and samples of 10 ms by function
     */
    public static function keep(string $folder, string $window, string $route, array $requests): void
    {
        $names = (new RunFolder($folder))->open(RunId::fromStrings($window, self::SOURCE))->treeNames();
        $data = ['exemplars' => [], 'fn' => [], 'depth' => [], 'ct' => [], 'call_line' => []];
        foreach ($requests as $kind => [$wall, $functions]) {
            $data['exemplars'][] = [
                'route' => $route, 'kind' => $kind, 'wall_us' => $wall, 'cpu_us' => 0, 'peak' => 1, 'ended' => 1790000000,
                'failed' => false, 'samples' => array_sum($functions), 'n' => count($functions) + 1,
            ];
            foreach ([$route => 0] + $functions as $name => $samples) {
                $data['fn'][] = (int) array_search($name, $names, true);
                $data['depth'][] = $name === $route ? 0 : 1;
                $data['ct'][] = $samples;
                $data['call_line'][] = 0;
            }
        }
        RunFiles::put($folder, "$window." . self::SOURCE, ['exemplars' => $data]);
    }

    /**
     * @param array<string, float> $shares
     *
     * @return list<array{int, array<string, float>}> so many requests, each of so many µs
     */
    public static function requests(int $count, int $wall, array $shares = ['work' => 1.0]): array
    {
        return array_fill(0, $count, [$wall, $shares]);
    }
}
