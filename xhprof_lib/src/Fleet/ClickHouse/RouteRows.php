<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlace;
use XHProf\Run\RouteFigures;

/**
 * The part of a route in a shipped window, in the columns of the inbox: call paths with time of their own, and per function its
 * own time and that with all it called, where a function below itself counts once.
 */
final class RouteRows
{
    /** Own figures of nodes, by column of the inbox. */
    private const METRICS = ['wall_ns' => 'wt', 'cpu_ns' => 'cpu'];

    /** @var array<int, array{samples: int, wall_ns: int, cpu_ns: int}> by call path */
    private array $stacks = [];

    /** @var array<int, array{kept_bytes: int, released_bytes: int, blocks: int}> what they keep, by call path */
    private array $kept = [];

    /** @var array<int, list<int>> call path => its functions, the outermost first */
    private array $frames = [];

    /** @var array<int, array<string, int>> figures by function */
    private array $functions = [];

    /** @var array<int, array{string, CodePlace|null}> function => name and place */
    private array $names = [];

    private function __construct(private readonly string $route, private readonly RouteFigures $figures)
    {
    }

    /** @return list<self> of all routes that have requests or samples; none of a run without a window */
    public static function fromShipment(Shipment $shipment): array
    {
        $window = $shipment->run->meta()->window;
        if ($window === null) {
            return [];
        }
        $routes = [];
        foreach ($window->routes() as $route) {
            $routes["\0$route"] = new self($route, $window->routeStats($route) ?? RouteFigures::none());
        }
        $tree = $shipment->tree();
        $columns = ['samples' => $tree->ct];
        foreach (self::METRICS as $column => $metric) {
            $columns[$column] = $tree->self[$metric] ?? array_fill(0, $tree->count(), 0);
        }
        $totals = ['wall_ns' => $tree->addUp($columns['wall_ns']), 'cpu_ns' => $tree->addUp($columns['cpu_ns'])];
        foreach (['kept_bytes', 'released_bytes', 'kept_blocks', 'released_blocks'] as $column) {
            $columns[$column] = $tree->allocations[$column] ?? [];
        }
        $isOutermost = $tree->outermost(array_map(static fn (int $fn): string => $tree->names[$fn], $tree->fn));
        for ($node = 1; $node < $tree->count(); $node = $end) {
            $end = $tree->end($node);
            $route = $tree->names[$tree->fn[$node]];
            $routes["\0$route"] ??= new self($route, RouteFigures::none());
            $routes["\0$route"]->add($tree, $node, $end, $columns, $totals, $isOutermost);
        }

        return array_values($routes);
    }

    /** @return array<string, mixed> of the inbox */
    public function row(Shipment $shipment): array
    {
        $run = $shipment->run;
        $steps = $this->figures->walls->toSteps();
        $walls = [];
        for ($i = $bucket = 0; $i + 1 < count($steps); $i += 2) {
            $bucket += $steps[$i];
            $walls[$bucket] = $steps[$i + 1];
        }
        $row = [
            'key' => $shipment->key,
            'run' => (string) $run->id,
            'service' => $shipment->service,
            'env' => $shipment->env,
            'route' => $this->route,
            'release' => (string) $run->meta()->origin->release,
            'host' => (string) $run->meta()->origin->host,
            'php' => (string) $run->meta()->origin->php,
            'labels' => (object) self::sorted($shipment->labels),
            'ts' => self::second($shipment->from()),
            'until' => self::second($shipment->to()),
            'requests' => $this->figures->requests,
            'failed' => $this->figures->failed,
            'aborted' => $this->figures->aborted,
            'wall_us' => $this->figures->wall,
            'cpu_us' => $this->figures->cpu,
            'slowest_us' => $this->figures->max,
            'walls' => (object) $walls,
            'stacks' => array_keys($this->stacks),
        ];
        foreach (['samples', 'wall_ns', 'cpu_ns'] as $column) {
            $row["stack_$column"] = array_column($this->stacks, $column);
        }
        $row['functions'] = array_keys($this->functions);
        $columns = [
            'fn_samples' => 'samples', 'fn_self_ns' => 'self_wall_ns', 'fn_total_ns' => 'total_wall_ns',
            'fn_self_cpu_ns' => 'self_cpu_ns', 'fn_total_cpu_ns' => 'total_cpu_ns',
        ];
        foreach ($columns as $column => $figure) {
            $row[$column] = array_column($this->functions, $figure);
        }

        return $row + ['suspended' => $this->figures->suspended, 'suspended_us' => $this->figures->suspendedTime];
    }

    /**
     * @param int $unfollowed sampled blocks of the window, which are no route's: one of them has their number
     *
     * @return list<array<string, mixed>> of the table "kept"; none where it is not known what requests keep
     */
    public function keptRows(Shipment $shipment, int $unfollowed = 0): array
    {
        $run = $shipment->run;
        $window = $run->meta()->window;
        $allocations = $this->figures->allocations;
        if ($window === null || ($allocations->followed === 0 && $this->kept === [])) {
            return [];
        }
        $rows = [];
        $nothing = ['kept_bytes' => 0, 'released_bytes' => 0, 'blocks' => 0];
        foreach ($this->kept + [StableNumbers::noStack() => $nothing] as $stack => $figures) {
            $isRoute = $stack === StableNumbers::noStack();
            $rows[] = [
                'service' => $shipment->service,
                'env' => $shipment->env,
                'route' => $this->route,
                'ts' => self::second($shipment->from()),
                'release' => (string) $run->meta()->origin->release,
                'host' => (string) $run->meta()->origin->host,
                'labels' => (object) self::sorted($shipment->labels),
                'stack' => $stack,
                'run' => (string) $run->id,
                'until' => self::second($shipment->to()),
                'sampled' => $window->sampled,
                'unfollowed' => $isRoute ? $unfollowed : 0,
                'requests' => $isRoute ? $allocations->followed : 0,
            ] + $figures;
        }

        return $rows;
    }

    /** @return array<int, list<mixed>> call path => a row of the table "stacks", without its last column */
    public function stackRows(Shipment $shipment): array
    {
        return array_map(fn (array $frames, int $stack): array
            => [$shipment->service, $this->route, $stack, $frames], $this->frames, array_keys($this->frames));
    }

    /** @return array<int, list<mixed>> a row of the table "functions" for each, without its last column */
    public function functionRows(Shipment $shipment): array
    {
        $rows = [];
        foreach ($this->names as $fn => [$name, $place]) {
            $rows[] = [$shipment->service, $this->route, $fn, $name, $place->file ?? '', min($place->line ?? 0, 0xFFFFFFFF)];
        }

        return $rows;
    }

    /**
     * @param array<string, string> $labels
     *
     * @return array<string, string> rows with the same labels are added up where they are in the same order
     */
    private static function sorted(array $labels): array
    {
        ksort($labels, SORT_STRING);

        return $labels;
    }

    /** @return int seconds since 1970, of a date that ClickHouse's DateTime has */
    public static function second(float $time): int
    {
        return (int) max(0, min($time, 0xFFFFFFFF));
    }

    /**
     * @param array<string, list<int>> $columns own figures of nodes
     * @param array{wall_ns: array<int, int>, cpu_ns: array<int, int>} $totals with those below
     * @param list<bool> $isOutermost see CallTree::outermost()
     */
    private function add(CallTree $tree, int $first, int $end, array $columns, array $totals, array $isOutermost): void
    {
        $top = $tree->depth[$first];
        $stacks = [StableNumbers::noStack()];
        $frames = [[]];
        for ($node = $first; $node < $end; $node++) {
            $level = $tree->depth[$node] - $top;
            $own = [
                'samples' => $columns['samples'][$node], 'wall_ns' => max(0, $columns['wall_ns'][$node]),
                'cpu_ns' => max(0, $columns['cpu_ns'][$node]),
            ];
            // The route is a function too, whose own time is what no function of the program took.
            $fn = $this->name($tree, $tree->fn[$node]);
            if ($level > 0) {
                $stacks[$level] = StableNumbers::stack($stacks[$level - 1], $fn);
                $frames[$level] = [...$frames[$level - 1], $fn];
            }
            $sum = $this->functions[$fn]
                ?? ['samples' => 0, 'self_wall_ns' => 0, 'total_wall_ns' => 0, 'self_cpu_ns' => 0, 'total_cpu_ns' => 0];
            $this->functions[$fn] = [
                'samples' => $sum['samples'] + $own['samples'],
                'self_wall_ns' => $sum['self_wall_ns'] + $own['wall_ns'],
                'total_wall_ns' => $sum['total_wall_ns'] + ($isOutermost[$node] ? max(0, $totals['wall_ns'][$node]) : 0),
                'self_cpu_ns' => $sum['self_cpu_ns'] + $own['cpu_ns'],
                'total_cpu_ns' => $sum['total_cpu_ns'] + ($isOutermost[$node] ? max(0, $totals['cpu_ns'][$node]) : 0),
            ];
            $stack = $stacks[$level];
            $this->keep($columns, $node, $stack, $frames[$level]);
            if ($own['samples'] === 0 && $own['wall_ns'] === 0 && $own['cpu_ns'] === 0) {
                continue;
            }
            foreach ($own as $column => $value) {
                $this->stacks[$stack][$column] = ($this->stacks[$stack][$column] ?? 0) + $value;
            }
            $this->frames[$stack] = $frames[$level];
        }
    }

    /**
     * @param array<string, list<int>> $columns own figures of nodes
     * @param list<int>                $frames
     */
    private function keep(array $columns, int $node, int $stack, array $frames): void
    {
        $value = static fn (string $column): int => max(0, $columns[$column][$node] ?? 0);
        [$kept, $released] = [$value('kept_bytes'), $value('released_bytes')];
        if ($kept > 0 || $released > 0) {
            $sum = $this->kept[$stack] ?? ['kept_bytes' => 0, 'released_bytes' => 0, 'blocks' => 0];
            $this->kept[$stack] = [
                'kept_bytes' => $sum['kept_bytes'] + $kept,
                'released_bytes' => $sum['released_bytes'] + $released,
                'blocks' => $sum['blocks'] + $value('kept_blocks') + $value('released_blocks'),
            ];
            $this->frames[$stack] = $frames;
        }
    }

    private function name(CallTree $tree, int $index): int
    {
        $name = $tree->names[$index];
        $fn = StableNumbers::fn($name);
        $this->names[$fn] ??= [$name, $tree->places->at($index)];

        return $fn;
    }
}
