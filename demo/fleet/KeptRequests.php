<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\Exemplars;
use XHProf\Run\RouteFigures;

/** The slowest requests of a simulated window, as the extension keeps them: the call paths of their route, as long as they took. */
final class KeptRequests
{
    /** Routes that have one: the heaviest. */
    private const ROUTES = 3;

    /** @return array<string, mixed> in the shape of a document "exemplars" */
    public static function document(Shipment $shipment): array
    {
        $kept = [];
        $columns = ['fn' => [], 'depth' => [], 'ct' => [], 'call_line' => []];
        $window = $shipment->run->meta()->window;
        foreach (array_slice($window?->routes() ?? [], 0, self::ROUTES) as $route) {
            $figures = $window?->routeStats($route);
            $request = $figures === null ? null : self::request($shipment, $route, $figures);
            if ($request === null) {
                continue;
            }
            foreach ($columns as $name => $column) {
                $columns[$name] = [...$column, ...$request[$name]];
            }
            $kept[] = array_diff_key($request, $columns) + ['allocations' => false, 'n' => count($request['fn'])];
        }

        return ['exemplars' => $kept] + $columns;
    }

    /**
     * @return array{
     *     route: string, kind: string, wall_us: int, cpu_us: int, peak: int, ended: int, failed: bool, samples: int,
     *     fn: list<int>, depth: list<int>, ct: list<int>, call_line: list<int>
     * }|null null if the route has no samples
     */
    private static function request(Shipment $shipment, string $route, RouteFigures $figures): ?array
    {
        $tree = $shipment->tree();
        $first = self::node($tree, $route);
        if ($first === null) {
            return null;
        }
        $nodes = range($first, $tree->end($first) - 1);
        $all = max(1, array_sum(array_map(static fn (int $node): int => $tree->ct[$node], $nodes)));
        // The extension samples a slow request as often as it is long.
        $samples = max(20, (int) ($figures->max / max(1, $shipment->interval())));
        $ct = array_map(static fn (int $node): int => (int) round($samples * $tree->ct[$node] / $all), $nodes);

        return [
            'route' => $route,
            'kind' => Exemplars::SLOWEST,
            'wall_us' => $figures->max,
            'cpu_us' => intdiv($figures->max, 2),
            'peak' => 4 << 20,
            'ended' => (int) (($shipment->from() + $shipment->to()) / 2),
            'failed' => false,
            'samples' => array_sum($ct),
            'fn' => array_map(static fn (int $node): int => $tree->fn[$node], $nodes),
            'depth' => array_map(static fn (int $node): int => $tree->depth[$node] - $tree->depth[$first], $nodes),
            'ct' => $ct,
            'call_line' => array_fill(0, count($nodes), 0),
        ];
    }

    private static function node(CallTree $tree, string $route): ?int
    {
        for ($node = 1; $node < $tree->count(); $node = $tree->end($node)) {
            if ($tree->names[$tree->fn[$node]] === $route) {
                return $node;
            }
        }

        return null;
    }
}
