<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;

/**
 * Figures of a window for a time series database: what the requests of each route took, and the time of each route's
 * functions. A single run has none: its request is one of a window's, or nothing says of how many it is one.
 *
 * @phpstan-type Figure array{string, array<string, string>, int|float}
 */
final class WindowFigures
{
    /** Upper bounds of request durations, in seconds. */
    private const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

    /** Functions of a route: those with most time in it and below, of this share of the route's time. */
    private const MOST_FUNCTIONS = 30;
    private const LEAST_SHARE = 0.01;

    /** @var array<string, string> what each is, and unit */
    public const HELP = [
        'requests' => 'Requests that ended.',
        'requests_failed' => 'Requests with a status from 500, a fatal error or a signal.',
        'requests_aborted' => 'Requests whose clients had gone.',
        'request_cpu_seconds' => 'CPU time of requests.',
        'request_suspended_seconds' => 'Time of requests in which their fibers were suspended.',
        'request_duration_seconds' => 'Wall time of requests until their answer.',
        'function_self_seconds' => 'Sampled time of a function itself.',
        'function_seconds' => 'Sampled time of a function and of all that it called.',
    ];

    public const HISTOGRAM = 'request_duration_seconds';

    /** @return iterable<Figure> each its name, its labels and its value */
    public static function fromShipment(Shipment $shipment): iterable
    {
        $window = $shipment->run->meta()->window;
        if ($window !== null) {
            yield from self::requests($window, $shipment->allLabels());
            yield from self::functions($shipment->tree(), $shipment->allLabels());
        }
    }

    /**
     * @param array<string, string> $labels
     *
     * @return iterable<Figure>
     */
    private static function requests(RequestWindow $window, array $labels): iterable
    {
        foreach ($window->routes() as $route) {
            $figures = $window->routeStats($route) ?? RouteFigures::none();
            $own = ['route' => $route] + $labels;
            if ($route === RequestWindow::BETWEEN) {
                yield ['request_cpu_seconds', $own, $figures->cpu / 1e6];
                continue;
            }
            yield ['requests', $own, $figures->requests];
            yield ['requests_failed', $own, $figures->failed];
            yield ['requests_aborted', $own, $figures->aborted];
            yield ['request_cpu_seconds', $own, $figures->cpu / 1e6];
            if ($figures->suspended > 0) {
                yield ['request_suspended_seconds', $own, $figures->suspendedTime / 1e6];
            }
            $below = 0;
            $bars = $figures->walls->bars(PHP_INT_MAX);
            foreach (self::BOUNDS as $bound) {
                while ($bars !== [] && $bars[0]['to'] - 1 <= $bound * 1e6) {
                    $below += array_shift($bars)['count'];
                }
                yield [self::HISTOGRAM . '_bucket', ['le' => (string) $bound] + $own, $below];
            }
            yield [self::HISTOGRAM . '_bucket', ['le' => '+Inf'] + $own, max($below, $figures->requests)];
            yield [self::HISTOGRAM . '_sum', $own, $figures->wall / 1e6];
            yield [self::HISTOGRAM . '_count', $own, max($below, $figures->requests)];
        }
    }

    /**
     * @param array<string, string> $labels
     *
     * @return iterable<Figure>
     */
    private static function functions(CallTree $tree, array $labels): iterable
    {
        $metric = array_intersect(['wt', 'cpu'], $tree->metrics());
        if ($metric === []) {
            return;
        }
        $self = $tree->exclusive(reset($metric));
        $inclusive = $tree->inclusive(reset($metric));
        $names = array_map(static fn (int $fn): string => $tree->names[$fn], $tree->fn);
        // A route may have the name of a function that runs below it.
        $isOutermost = $tree->outermost(array_map(
            static fn (int $depth, string $name): string => $depth < 2 ? '' : $name,
            $tree->depth,
            $names,
        ));
        for ($route = 1; $route < $tree->count(); $route = $end) {
            $end = $tree->end($route);
            $times = [];
            for ($node = $route + 1; $node < $end; $node++) {
                [$whole, $part] = $times[$names[$node]] ?? [0, 0];
                $times[$names[$node]] = [$whole + ($isOutermost[$node] ? $inclusive[$node] : 0), $part + $self[$node]];
            }
            $own = ['route' => $names[$route]] + $labels;
            $least = $inclusive[$route] * self::LEAST_SHARE;
            uasort($times, static fn (array $a, array $b): int => $b <=> $a);
            foreach (array_slice($times, 0, self::MOST_FUNCTIONS, true) as $name => [$whole, $part]) {
                if ($whole >= $least && $whole > 0) {
                    yield ['function_seconds', ['function' => (string) $name] + $own, $whole / 1e9];
                    yield ['function_self_seconds', ['function' => (string) $name] + $own, $part / 1e9];
                }
            }
        }
    }
}
