<?php

declare(strict_types=1);

namespace XHProf\WhatIf;

use XHProf\Profile\CallTree;
use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\Run;
use XHProf\Run\WindowsRun;
use XHProf\Stats\Buckets;

/**
 * The percentiles of the routes of windows as they would be: an estimate. Each request of the distribution is made shorter by the
 * share that the struck part had in the kept requests which took about as long, and where fewer than NEAR of those were kept, by
 * its share in all samples of the route. The shares are scaled so that together they take what the samples say.
 */
final class RoutesWithout
{
    /** Kept requests of about the same time from which their own share counts. */
    public const NEAR = 3;

    /** How much slower or faster is about the same. */
    private const ABOUT = 1.5;

    /** Windows, the newest, whose kept requests are read. */
    private const MOST_WINDOWS = 300;

    /** How far shares of kept requests are scaled to those of all samples. */
    private const MOST_SCALED = 2.0;

    private const QUANTILES = ['p50', 'p95', 'p99'];

    /**
     * @return list<Table> none for a run that is no window
     */
    public static function tables(Run $run, Strike $strike): array
    {
        $window = $run->meta()->window;
        $tree = $window === null || !$run->has(Run::TREE) ? null : $run->tree();
        if ($window === null || $tree === null) {
            return [];
        }
        $kept = self::kept($run, $strike);
        $rows = [];
        foreach (self::ofRoutes($tree, $strike) as $route => $ns) {
            $route = substr($route, 1);
            $figures = $window->routeStats($route);
            if ($figures !== null && $route !== RequestWindow::BETWEEN && $figures->wall > 0) {
                $rows[] = self::row($route, $figures, $ns / 1000 / $figures->wall, $kept["\0$route"] ?? []);
            }
        }
        usort($rows, static fn (array $a, array $b): int => $b['struck_us'] <=> $a['struck_us']);

        return [new Table(
            'routes',
            self::columns(),
            $rows,
            'No route has it in its samples.',
            'By route',
            'Routes, with their percentiles and what they would be',
            'an estimate',
            ['requests', 'share', 'p50', 'p50_left', 'p95', 'p95_left', 'p99', 'p99_left', 'kept', 'route'],
        )];
    }

    /** @return list<string> how it was estimated */
    public static function notes(Run $run): array
    {
        return $run->meta()->window === null ? [] : [
            sprintf(
                'Percentiles are an estimate: each request is made shorter by the share that this had in the kept requests of'
                    . ' about the same time, or in all samples of its route where fewer than %d of those were kept. Together they'
                    . ' lose what the samples say.',
                self::NEAR,
            ),
        ];
    }

    /**
     * The distribution of a route as it would be.
     *
     * @param float $share of the whole time of the route, 0 to 1
     * @param list<array{wall: int, share: float}> $kept requests
     */
    public static function walls(Buckets $walls, float $share, array $kept): Buckets
    {
        $share = max(0.0, min(1.0, $share));
        $lost = $all = 0.0;
        $shares = [];
        $walls->each(static function (int $wall, int $count) use ($share, $kept, &$shares, &$lost, &$all): void {
            $shares[$wall] = self::near($wall, $kept) ?? $share;
            $lost += $wall * $count * $shares[$wall];
            $all += (float) $wall * $count;
        });
        $scale = $lost > 0 ? $share * $all / $lost : 1.0;
        $scale = max(1 / self::MOST_SCALED, min(self::MOST_SCALED, $scale));

        return $walls->map(static fn (int $wall): int => (int) round($wall * (1 - min(1.0, $shares[$wall] * $scale))));
    }

    /**
     * @param list<array{wall: int, share: float}> $kept
     *
     * @return float|null the share in the requests that took about as long; null for too few
     */
    private static function near(int $wall, array $kept): ?float
    {
        [$count, $sum, $struck] = [0, 0, 0.0];
        foreach ($kept as $one) {
            if ($one['wall'] <= $wall * self::ABOUT && $one['wall'] * self::ABOUT >= $wall) {
                $count++;
                $sum += $one['wall'];
                $struck += $one['wall'] * $one['share'];
            }
        }

        return $count < self::NEAR || $sum === 0 ? null : $struck / $sum;
    }

    /** @return array<string, int> ns of what is struck by route, marked by a NUL; those that have none too */
    private static function ofRoutes(CallTree $tree, Strike $strike): array
    {
        $routes = [];
        $subtrees = $strike->subtrees($tree);
        $metric = $tree->metrics()[0] ?? '';
        for ($node = 1; $node < $tree->count(); $node = $end) {
            $end = $tree->end($node);
            $route = "\0" . $tree->names[$tree->fn[$node]];
            $own = array_filter($subtrees, static fn (array $part): bool => $part[0] >= $node && $part[1] <= $end);
            $isAll = array_filter($subtrees, static fn (array $part): bool => $part[0] < $node && $part[1] >= $end) !== [];
            $routes[$route] = ($routes[$route] ?? 0) + ($metric === '' ? 0
                : RunWithout::sum($tree, $metric, $isAll ? [[$node, $end]] : array_values($own)));
        }

        return $routes;
    }

    /** @return array<string, list<array{wall: int, share: float}>> kept requests by route, marked by a NUL */
    private static function kept(Run $run, Strike $strike): array
    {
        $kept = [];
        $open = $run instanceof WindowsRun ? array_slice($run->open, 0, self::MOST_WINDOWS) : [static fn (): Run => $run];
        foreach ($open as $window) {
            foreach ($window()->requests() as $request) {
                $tree = $request['tree'];
                $metric = $tree->metrics()[0] ?? '';
                if ($metric !== '' && $request['wall_us'] > 0) {
                    $struck = RunWithout::sum($tree, $metric, $strike->subtrees($tree)) / 1000;
                    $kept["\0$request[route]"][] = [
                        'wall' => $request['wall_us'],
                        'share' => max(0.0, min(1.0, $struck / $request['wall_us'])),
                    ];
                }
            }
        }

        return $kept;
    }

    /**
     * @param list<array{wall: int, share: float}> $kept
     *
     * @return array<string, mixed> µs
     */
    private static function row(string $route, RouteFigures $figures, float $share, array $kept): array
    {
        $share = max(0.0, min(1.0, $share));
        $left = self::walls($figures->walls, $share, $kept);
        $row = [
            'route' => $route,
            'requests' => $figures->requests,
            'share' => $share,
            'struck_us' => (int) round($figures->wall * $share),
            'kept' => count($kept),
        ];
        foreach (self::QUANTILES as $quantile) {
            $row[$quantile] = $figures->wallQuantile(RouteFigures::QUANTILES[$quantile]);
            $row["{$quantile}_left"] = $left->quantile(RouteFigures::QUANTILES[$quantile]);
        }

        return $row;
    }

    /** @return list<Column> */
    private static function columns(): array
    {
        $us = Unit::Microseconds;
        $columns = [
            new Column('route', Unit::Name, 'route', label: 'Route or job'),
            new Column('requests', Unit::Count, 'requests', 2),
            new Column('share', Unit::Percent, 'share', 1, 'Share', 'Its part of the time of all requests of the route'),
        ];
        foreach (self::QUANTILES as $at => $quantile) {
            $label = RouteFigures::metric($quantile)->label;
            $weight = [12, 0, 22][$at];
            $columns[] = new Column($quantile, $us, lcfirst($label), $weight, $label, RouteFigures::meaning(
                RouteFigures::QUANTILES[$quantile],
            ));
            $help = 'The same without what is struck out';
            $columns[] = new Column("{$quantile}_left", $us, 'would be', $weight, 'Would be', $help);
        }

        $kept = new Column('kept', Unit::Count, 'kept', 23, 'Kept requests', 'Single requests whose shares are known');

        return [...$columns, $kept];
    }
}
