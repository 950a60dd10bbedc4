<?php

declare(strict_types=1);

namespace XHProf\Requests\Web;

use XHProf\Format\Units;
use XHProf\Run\Exemplars;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\Url;

/** Links to the single requests that a window has kept of a route. */
final class ExemplarLinks
{
    /**
     * For the columns of RouteReport: flame graphs of the slowest request and of one by chance, and how the request nearest to p99
     * that was kept differs from the mean of all.
     *
     * @param list<RunId> $windows those that may have that
     * @param int|null    $p99     µs; null if it is not known
     *
     * @return array<string, array{url: string, title: string}>
     */
    public static function ofRoute(RunFolder $store, RunId $window, string $route, array $windows, ?int $p99): array
    {
        $slowest = Exemplars::id($window, Exemplars::SLOWEST, $route);
        $random = Exemplars::id($window, Exemplars::RANDOM, $route);
        $links = [];
        if ($random !== null && $store->isExemplar($random)) {
            $links['p50'] = ['url' => self::flame($random), 'title' => 'Flame graph of one request, chosen by chance'];
        }
        if ($slowest !== null && $store->isExemplar($slowest)) {
            $links['max'] = ['url' => self::flame($slowest), 'title' => 'Flame graph of the slowest request'];
        }

        return $links + ($p99 === null ? [] : self::nearest($store, $windows, $route, $p99));
    }

    /**
     * @param list<RunId> $windows
     * @return array{p99?: array{url: string, title: string}}
     */
    private static function nearest(RunFolder $store, array $windows, string $route, int $p99): array
    {
        $found = null;
        foreach ($windows as $window) {
            foreach ([Exemplars::SLOWEST, Exemplars::RANDOM] as $kind) {
                $id = Exemplars::id($window, $kind, $route);
                $wall = $id === null ? null : $store->exemplarWall($id);
                if ($id !== null && $wall !== null && ($found === null || abs($wall - $p99) < abs($found['wall'] - $p99))) {
                    $found = ['id' => $id, 'wall' => $wall, 'usual' => Exemplars::id($window, Exemplars::USUAL, $route)];
                }
            }
        }

        return $found === null || $found['usual'] === null ? [] : ['p99' => [
            'url' => Url::index(Url::diffParameters($found['usual'], $found['id']) + ['view' => 'flame']),
            'title' => sprintf(
                'A request of %s, the nearest to this that was kept, beside the mean of all: flame graph of the difference',
                Units::us($found['wall']),
            ),
        ]];
    }

    /**
     * For the columns of RouteReport, of a window that has sampled the route's allocations: flame graphs of the mean of all
     * requests, by memory.
     *
     * @return array<string, array{url: string, title: string}>
     */
    public static function ofAllocations(RunFolder $store, RunId $window, string $route): array
    {
        $usual = Exemplars::id($window, Exemplars::USUAL, $route);
        if ($usual === null || !$store->isExemplar($usual)) {
            return [];
        }

        return [
            'allocated' => [
                'url' => self::flame($usual, 'allocated_bytes'),
                'title' => 'Who allocates: flame graph of the mean of all requests',
            ],
            'held' => [
                'url' => self::flame($usual, 'peak_bytes'),
                'title' => 'Who held the memory at the peak: flame graph of the mean of all requests',
            ],
        ];
    }

    private static function flame(RunId $id, ?string $metric = null): string
    {
        return Url::index(Url::runParameters($id) + ['view' => 'flame', 'metric' => $metric]);
    }
}
