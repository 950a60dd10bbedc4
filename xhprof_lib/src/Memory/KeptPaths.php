<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Stats\Growth;
use XHProf\Stats\GrowthKind;

/**
 * What the requests of windows have kept and released, by route and call path and over time. A path stands for all below it, except
 * for those below it that have enough samples to be judged by themselves.
 *
 * @phpstan-type Figures array{kept: int, released: int, blocks: int}
 * @phpstan-type Series array<int, Figures>
 * @phpstan-type Node array{name: string, own: Series, children: array<string, int>}
 */
final class KeptPaths
{
    /** Most nodes of all trees: more paths are added to their callers. */
    private const MOST = 200_000;

    /** Sums stop there: a store may have any numbers. */
    private const LARGEST = 1 << 53;

    /** @var list<Node> */
    private array $nodes = [];

    /** @var array<string, int> node by route, behind a NUL */
    private array $routes = [];

    /** @var array<string, array<int, int>> followed requests by route, behind a NUL, and by the window's begin */
    private array $requests = [];

    /** @var array<int, int> ends of windows by their begin */
    private array $windows = [];

    /** @var array<string, array{begins: list<int>, requests: list<int>, cut: list<int>}> by route; see cut() */
    private array $cuts = [];

    private int $sampled = 0;

    private int $unfollowed = 0;

    /**
     * @param int $from    seconds since 1970
     * @param int $sampled mean bytes from one sample to the next; 0: no allocations were sampled
     */
    public function addWindow(int $from, int $to, int $sampled, int $unfollowed = 0): void
    {
        if ($sampled > 0) {
            $this->windows[$from] = max($to, $this->windows[$from] ?? 0);
            $this->sampled = max($sampled, $this->sampled);
            $this->unfollowed = self::sum($this->unfollowed, $unfollowed);
            $this->cuts = [];
        }
    }

    /** Adds requests of which it is known what they keep. */
    public function addRequests(int $from, string $route, int $requests): void
    {
        if ($requests > 0) {
            $this->requests["\0$route"][$from] = self::sum($this->requests["\0$route"][$from] ?? 0, $requests);
            $this->cuts = [];
        }
    }

    /**
     * @param list<string> $frames the outermost function first
     * @param Figures      $figures bytes, and blocks that were kept or released
     */
    public function add(int $from, string $route, array $frames, array $figures): void
    {
        $at = $this->routes["\0$route"] ??= $this->node($route);
        foreach ($frames as $name) {
            $key = "\0$name";
            if (!isset($this->nodes[$at]['children'][$key])) {
                if (count($this->nodes) >= self::MOST) {
                    break;
                }
                $this->nodes[$at]['children'][$key] = $this->node($name);
            }
            $at = $this->nodes[$at]['children'][$key];
        }
        $this->nodes[$at]['own'] = self::plus($this->nodes[$at]['own'], [$from => $figures]);
    }

    public function isEmpty(): bool
    {
        return $this->windows === [];
    }

    /** @return int of windows that sampled allocations */
    public function windows(): int
    {
        return count($this->windows);
    }

    /** @return int requests of all routes that were followed */
    public function requests(): int
    {
        return array_reduce(array_merge(...array_values($this->requests)), self::sum(...), 0);
    }

    /** @return int sampled blocks of which it is not known what became of them */
    public function unfollowed(): int
    {
        return $this->unfollowed;
    }

    /** @return array{from: int, to: int}|null seconds since 1970; null without windows */
    public function covered(): ?array
    {
        return $this->windows === [] ? null : ['from' => min(array_keys($this->windows)), 'to' => max($this->windows)];
    }

    /** @return list<string> routes of which requests were followed */
    public function routes(): array
    {
        return array_map(static fn (string $key): string => substr($key, 1), array_keys($this->requests));
    }

    /** All of a route together. */
    public function whole(string $route): ?KeptPath
    {
        $node = $this->routes["\0$route"] ?? null;

        return $node === null ? null : $this->path($route, [], $this->inclusive($node));
    }

    /**
     * @param string|null $route null for all
     *
     * @return list<KeptPath> those that grow first, then those that keep most
     */
    public function paths(?string $route = null): array
    {
        $found = [];
        foreach ($this->routes as $key => $node) {
            $name = substr($key, 1);
            if ($route === null || $route === $name) {
                $rest = [];
                array_push($found, ...$this->below($name, $node, [], $rest));
            }
        }
        usort($found, static function (KeptPath $a, KeptPath $b): int {
            $byGrowth = [self::rank($a), $b->growth->net] <=> [self::rank($b), $a->growth->net];

            return $byGrowth !== 0 ? $byGrowth : [$a->route, $a->frames] <=> [$b->route, $b->frames];
        });

        return $found;
    }

    private static function rank(KeptPath $path): int
    {
        return (int) array_search($path->growth->kind, GrowthKind::cases(), true);
    }

    private function node(string $name): int
    {
        $this->nodes[] = ['name' => $name, 'own' => [], 'children' => []];

        return count($this->nodes) - 1;
    }

    /**
     * @param list<string> $frames to the node
     * @param Series       $rest   what no path of those found stands for
     *
     * @return list<KeptPath>
     */
    private function below(string $route, int $node, array $frames, array &$rest): array
    {
        $rest = $this->nodes[$node]['own'];
        $found = [];
        foreach ($this->nodes[$node]['children'] as $child) {
            $left = [];
            array_push($found, ...$this->below($route, $child, [...$frames, $this->nodes[$child]['name']], $left));
            $rest = self::plus($rest, $left);
        }
        $path = $this->path($route, $frames, $rest);
        if ($path->growth->kind === GrowthKind::Few) {
            return $found;
        }
        $rest = [];

        return [$path, ...$found];
    }

    /** @return Series */
    private function inclusive(int $node): array
    {
        $sum = $this->nodes[$node]['own'];
        foreach ($this->nodes[$node]['children'] as $child) {
            $sum = self::plus($sum, $this->inclusive($child));
        }

        return $sum;
    }

    /**
     * @param list<string> $frames
     * @param Series       $series
     */
    private function path(string $route, array $frames, array $series): KeptPath
    {
        ['begins' => $begins, 'requests' => $requests, 'cut' => $cut] = $this->cuts["\0$route"] ??= $this->cut($route);
        $stretches = $ends = [];
        foreach ($cut as $i => $number) {
            $own = $series[$begins[$i]] ?? ['kept' => 0, 'released' => 0, 'blocks' => 0];
            $sum = $stretches[$number] ?? ['requests' => 0, 'kept' => 0, 'released' => 0, 'blocks' => 0];
            $stretches[$number] = [
                'requests' => self::sum($sum['requests'], $requests[$i]),
                'kept' => self::sum($sum['kept'], $own['kept']),
                'released' => self::sum($sum['released'], $own['released']),
                'blocks' => self::sum($sum['blocks'], $own['blocks']),
            ];
            $ends[$number] = $this->windows[$begins[$i]];
        }
        $growth = Growth::of(array_values($stretches), $this->sampled);

        $until = array_values($ends)[$growth->last] ?? null;

        return new KeptPath($route, $frames, $growth, array_reduce($requests, self::sum(...), 0), $until);
    }

    /** @return array{begins: list<int>, requests: list<int>, cut: list<int>} windows, oldest first, and their stretches */
    private function cut(string $route): array
    {
        $begins = array_keys($this->windows);
        sort($begins);
        $requests = array_map(fn (int $from): int => $this->requests["\0$route"][$from] ?? 0, $begins);

        return ['begins' => $begins, 'requests' => $requests, 'cut' => Growth::cut($requests)];
    }

    /**
     * @param Series $a
     * @param Series $b
     *
     * @return Series
     */
    private static function plus(array $a, array $b): array
    {
        foreach ($b as $from => $figures) {
            $sum = $a[$from] ?? ['kept' => 0, 'released' => 0, 'blocks' => 0];
            $a[$from] = [
                'kept' => self::sum($sum['kept'], $figures['kept']),
                'released' => self::sum($sum['released'], $figures['released']),
                'blocks' => self::sum($sum['blocks'], $figures['blocks']),
            ];
        }

        return $a;
    }

    private static function sum(int $a, int $b): int
    {
        return min(self::LARGEST, max(0, $a) + min(self::LARGEST, max(0, $b)));
    }
}
