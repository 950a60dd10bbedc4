<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Fleet\Shipment;
use XHProf\Stats\Buckets;

/** What runs hold together, added up in the plainest way, to compare a store with. */
final class Sums
{
    public int $samples = 0;
    public int $wall = 0;
    public int $requests = 0;
    public int $requestWall = 0;
    public Buckets $walls;

    /** @var array<string, int> "route > function" => ns of its own */
    public array $self = [];

    /** @var array<string, int> "route > function" => ns with all it called, where it is not below itself */
    public array $total = [];

    /** @var array<string, int> "route > function > function..." => samples */
    public array $paths = [];

    /** @param iterable<Shipment> $runs */
    public function __construct(iterable $runs)
    {
        $this->walls = Buckets::none();
        foreach ($runs as $run) {
            $this->add($run);
        }
        foreach (['self', 'total', 'paths'] as $figure) {
            $this->$figure = array_filter($this->$figure);
            ksort($this->$figure);
        }
    }

    private function add(Shipment $shipment): void
    {
        $window = $shipment->run->meta()->window;
        foreach ($window?->routes() ?? [] as $route) {
            $figures = $window?->routeStats($route);
            $this->requests += $figures->requests ?? 0;
            $this->requestWall += $figures->wall ?? 0;
            $this->walls = $this->walls->plus($figures->walls ?? Buckets::none());
        }
        $tree = $shipment->tree();
        $path = [];
        foreach ($tree->fn as $node => $fn) {
            $path = [...array_slice($path, 0, $tree->depth[$node]), $tree->names[$fn]];
            $stack = array_slice($path, 1);
            if ($stack === []) {
                continue;
            }
            $time = $tree->self['wt'][$node];
            $this->samples += $tree->ct[$node];
            $this->wall += $time;
            $key = implode(' > ', $stack);
            $this->paths[$key] = ($this->paths[$key] ?? 0) + $tree->ct[$node];
            $own = "$stack[0] > " . end($stack);
            $this->self[$own] = ($this->self[$own] ?? 0) + $time;
            foreach (array_unique($stack) as $function) {
                $this->total["$stack[0] > $function"] = ($this->total["$stack[0] > $function"] ?? 0) + $time;
            }
        }
    }
}
