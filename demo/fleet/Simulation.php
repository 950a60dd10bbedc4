<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Stats\Buckets;

/**
 * The windows of a fleet that runs the program of a real profile: of each host and window as many requests and samples as chance
 * gives, with the means of the profile. The same plan gives the same runs.
 */
final class Simulation
{
    /** At most so many wall times are drawn for a window and route: the others are like them. */
    private const DRAWN = 200;

    private readonly \Random\Randomizer $random;

    /** @var list<string> */
    private readonly array $routes;

    /** @var list<int> per node an index into routes; -1 for main() */
    private array $routeOf = [];

    public function __construct(private readonly RealProfile $real, private readonly Plan $plan)
    {
        $this->random = new \Random\Randomizer(new \Random\Engine\Xoshiro256StarStar($plan->seed));
        $this->routes = array_values(array_filter(
            $real->window->routes(),
            static fn (string $route): bool => str_contains($route, '/'),
        ));
        $tree = $real->tree;
        $route = -1;
        foreach ($tree->depth as $node => $level) {
            if ($level === 1) {
                $found = array_search($tree->names[$tree->fn[$node]], $this->routes, true);
                $route = $found === false ? -1 : $found;
            }
            $this->routeOf[] = $level === 0 ? -1 : $route;
        }
    }

    /** @return \Generator<int, Shipment> window by window */
    public function runs(): \Generator
    {
        $plan = $this->plan;
        for ($window = 0; $window < 2 * $plan->windows; $window++) {
            $release = $window < $plan->windows ? Plan::OLD : Plan::NEW;
            for ($host = 1; $host <= $plan->hosts; $host++) {
                yield $this->run($plan->host($host), $window, $release);
            }
        }
    }

    private function run(string $host, int $window, string $release): Shipment
    {
        $plan = $this->plan;
        $from = $plan->begin + $window * $plan->seconds;
        $slowness = in_array($host, $plan->bad(), true) ? $plan->slowness : 1.0;
        // No host and no window is quite like another.
        $load = $plan->rate * (1 + 0.3 * sin($window)) * (0.9 + 0.2 * $this->chance());
        $speed = $slowness * (0.99 + 0.02 * $this->chance());
        $requests = [];
        $shares = [];
        foreach ($this->routes as $i => $route) {
            $real = $this->real->window->routeStats($route);
            $requests[$i] = $this->poisson($load * ($real->requests ?? 0) / $this->real->window->requests);
            $shares[$i] = ($real->requests ?? 0) === 0 ? 0.0 : $requests[$i] / ($real->requests ?? 1) * $speed;
        }
        [$tree, $wall, $samples] = $this->tree($shares, $release === Plan::NEW);

        return SentWindow::shipment(
            hash('xxh128', "$host $window $plan->seed"),
            hash('xxh128', "$plan->seed $host $window") . '.auto',
            Plan::SERVICE,
            'production',
            $release,
            $host,
            $this->window($from, $requests, $wall, $samples),
            $tree,
            $this->real->interval(),
        );
    }

    /**
     * @param array<int, float> $shares per route, of the samples of the profile
     *
     * @return array{CallTree, array<int, int>, array<int, int>} with the ns and samples of each route
     */
    private function tree(array $shares, bool $isNew): array
    {
        $real = $this->real->tree;
        $plan = $this->plan;
        $step = 1000 * $this->real->interval();
        $wall = $samples = array_fill_keys(array_keys($this->routes), 0);
        $ct = $time = [];
        foreach ($real->ct as $node => $count) {
            $route = $this->routeOf[$node];
            $share = $shares[$route] ?? 0.0;
            $isPlanted = $isNew && $route >= 0 && $this->routes[$route] === $plan->route
                && $real->names[$real->fn[$node]] === $plan->function;
            $drawn = $count === 0 || $share === 0.0 ? 0 : $this->poisson($count * $share * ($isPlanted ? 1 + $plan->growth : 1.0));
            $ct[] = $drawn;
            $time[] = $drawn * $step;
            if ($route >= 0) {
                $wall[$route] += $drawn * $step;
                $samples[$route] += $drawn;
            }
        }
        $data = ['names' => $real->names, 'fn' => $real->fn, 'depth' => $real->depth, 'ct' => $ct, 'self' => ['wt' => $time]];

        return [CallTree::fromArray($data + $real->places->toArray()), $wall, $samples];
    }

    /**
     * @param array<int, int> $requests per route
     * @param array<int, int> $wall     ns
     * @param array<int, int> $samples
     */
    private function window(float $from, array $requests, array $wall, array $samples): RequestWindow
    {
        $routes = [];
        foreach ($this->routes as $i => $name) {
            if ($requests[$i] === 0) {
                continue;
            }
            $mean = $wall[$i] / 1000 / $requests[$i];
            $walls = [];
            for ($n = 0; $n < min(self::DRAWN, $requests[$i]); $n++) {
                $walls[] = (int) ($mean * (0.5 + $this->chance()));
            }
            $routes[$name] = [
                'requests' => $requests[$i],
                'failed' => $this->poisson($requests[$i] * 0.001),
                'samples' => $samples[$i],
                'wall_us' => intdiv($wall[$i], 1000),
                'cpu_us' => intdiv($wall[$i], 2000),
                'max_us' => max(0, ...$walls),
                'wall' => Buckets::fromValues($walls)->toSteps(),
            ];
        }
        $window = RequestWindow::fromMeta([
            'seconds' => $this->plan->seconds,
            'from' => $from,
            'to' => $from + $this->plan->seconds,
            'requests' => array_sum($requests),
            'processes' => 16,
            'routes' => $routes,
        ]);
        assert($window !== null);

        return $window;
    }

    /** From 0 to 1. */
    private function chance(): float
    {
        return $this->random->getInt(0, 0xFFFFFF) / 0x1000000;
    }

    /** By Knuth's product for small means, else by the normal distribution that it comes near to. */
    private function poisson(float $mean): int
    {
        if ($mean > 30) {
            $normal = sqrt(-2 * log(1 - $this->chance())) * cos(2 * M_PI * $this->chance());

            return max(0, (int) round($mean + sqrt($mean) * $normal));
        }
        $limit = exp(-$mean);
        $product = 1.0;
        for ($count = -1; $product > $limit; $count++) {
            $product *= 1 - $this->chance();
        }

        return max(0, $count);
    }
}
