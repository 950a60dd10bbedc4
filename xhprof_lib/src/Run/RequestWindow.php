<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Format\Period;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;

/**
 * What a window is of: the requests that all processes of a host answered in a stretch of time, by route.
 */
final class RequestWindow
{
    /** The route of what belongs to no request while others are open: an event loop, its idle time, watchers. It has 0 requests. */
    public const BETWEEN = '(between requests)';

    /** What it is, for readers. */
    public const BETWEEN_HELP = 'What ran in no request while requests were open: the event loop, its waiting and its callbacks.'
        . ' Nothing of it is in the other routes.';

    /** A window has at most 500 and the rest as one; a file with more was not written by the extension. */
    private const MAX_ROUTES = 1000;

    private const LONGEST_ROUTE = 1000;

    private const LONGEST_WINDOW = 366 * 86400;

    /**
     * @param int                  $seconds   length of a window
     * @param float                $from      seconds since 1970
     * @param float                $to        seconds since 1970
     * @param int                  $processes that took part
     * @param int                  $damaged   records that could not be read
     * @param int                  $sampled   mean bytes from one sampled allocation to the next; 0: they are not sampled
     * @param int                  $unfollowed sampled blocks of which it is not known what became of them
     * @param int                  $covered   seconds of windows between its begin and its end, where it is a sum of several; 0: all
     * @param int                  $windows   that it is the sum of; 0: it is one
     * @param array<string, RouteFigures> $routes by name, marked by a NUL before it: "12" as a key is a number
     */
    private function __construct(
        public readonly int $seconds,
        public readonly float $from,
        public readonly float $to,
        public readonly int $requests,
        public readonly int $processes,
        public readonly int $damaged,
        public readonly int $sampled,
        public readonly int $unfollowed,
        private readonly int $covered,
        public readonly int $windows,
        private readonly array $routes,
    ) {
    }

    /**
     * Takes the valid values and drops the rest.
     *
     * @param mixed $data       "aggregate" of the metadata
     * @param bool  $meetsWaits whether its samples meet what waits: those by a CPU clock do not
     *
     * @return self|null null if it is no window
     */
    public static function fromMeta(mixed $data, bool $meetsWaits = true): ?self
    {
        if (!is_array($data)) {
            return null;
        }
        $valid = static fn (mixed $value): int => MetaValues::isCount($value) ? max(0, $value) : 0;
        $count = static fn (string $key): int => $valid($data[$key] ?? null);
        $allocations = is_array($data['allocations'] ?? null) ? $data['allocations'] : [];
        $time = static fn (string $key): float => (float) (MetaValues::time($data[$key] ?? null) ?? 0.0);
        $routes = [];
        foreach (is_array($data['routes'] ?? null) ? $data['routes'] : [] as $name => $values) {
            if (count($routes) === self::MAX_ROUTES) {
                break;
            }
            if ($name !== '' && is_array($values) && strlen((string) $name) <= self::LONGEST_ROUTE) {
                $routes["\0$name"] = RouteFigures::fromMeta($meetsWaits ? $values : ['waits' => null] + $values);
            }
        }

        return new self(
            min($count('seconds'), self::LONGEST_WINDOW),
            $time('from'),
            $time('to'),
            $count('requests'),
            $count('processes'),
            $count('damaged'),
            $valid($allocations['sample_bytes'] ?? null),
            $valid($allocations['unfollowed'] ?? null),
            $count('covered'),
            $count('windows'),
            $routes,
        );
    }

    /** @return list<string> those that took most time first */
    public function routes(): array
    {
        $routes = $this->routes;
        uksort($routes, static fn (string $a, string $b): int
            => [$routes[$b]->wall, $a] <=> [$routes[$a]->wall, $b]);

        return array_map(static fn (string $name): string => substr($name, 1), array_keys($routes));
    }

    /** @return RouteFigures|null null if no request of it was answered */
    public function routeStats(string $route): ?RouteFigures
    {
        return $this->routes["\0$route"] ?? null;
    }

    /**
     * Values of a route for its trend: per request, and in total.
     *
     * @return array<string, int|float>|null null if it had no request in this window
     */
    public function trendValues(string $route): ?array
    {
        $figures = $this->routeStats($route);
        if ($figures === null || $figures->requests === 0) {
            return null;
        }
        $quantiles = [];
        foreach ($figures->walls->count() === 0 ? [] : $figures->quantiles() as $quantile => $value) {
            $quantiles[RouteFigures::metric($quantile)->key] = $value ?? 0;
        }

        return [Metrics::REQUEST_MEAN => $figures->mean() ?? 0] + $quantiles + array_filter([
            Metrics::REQUEST_ALLOCATED => $figures->allocations->allocatedPerRequest(),
            Metrics::REQUEST_HELD => $figures->allocations->heldPerRequest(),
        ], is_int(...)) + [
            Metrics::REQUEST_MAX => $figures->max,
            Metrics::REQUEST_SHARE => $this->wall() === 0 ? 0 : round(100 * $figures->wall / $this->wall(), 2),
            Metrics::REQUEST_RATE => $this->length() > 0 ? round($figures->requests / $this->length(), 3) : 0,
            Metrics::REQUESTS => $figures->requests,
            Metrics::REQUEST_FAILED => $figures->failed,
        ];
    }

    /** @return int µs that all requests took together */
    public function wall(): int
    {
        return array_sum(array_map(static fn (RouteFigures $route): int => $route->wall, $this->routes));
    }

    /** @return int bytes that all requests allocated together, as far as it is known */
    public function allocated(): int
    {
        return array_sum(array_map(static fn (RouteFigures $route): int => $route->allocations->allocated, $this->routes));
    }

    public function samples(): int
    {
        return array_sum(array_map(static fn (RouteFigures $route): int => $route->samples, $this->routes));
    }

    public function title(): string
    {
        if ($this->windows > 0) {
            $route = count($this->routes) === 1 ? substr((string) array_key_first($this->routes), 1) : 'All requests';

            return sprintf('%s, %s (%s)', $route, Period::text($this->from, $this->to), Units::counted($this->windows, 'window'));
        }

        return 'All requests' . ($this->seconds > 0 ? " ($this->seconds s)" : '');
    }

    /** @return float recorded seconds; 0 if unknown */
    public function length(): float
    {
        if ($this->covered > 0) {
            return (float) min($this->covered, self::LONGEST_WINDOW);
        }

        return $this->to > $this->from ? min($this->to - $this->from, (float) self::LONGEST_WINDOW) : (float) $this->seconds;
    }

    /** @return array<string, mixed> in the shape of RunMeta::fromArray() */
    public function toArray(): array
    {
        $routes = [];
        foreach ($this->routes as $name => $values) {
            $routes[substr($name, 1)] = $values->toArray();
        }

        return [
            'seconds' => $this->seconds,
            'from' => $this->from,
            'to' => $this->to,
            'requests' => $this->requests,
            'processes' => $this->processes,
            'damaged' => $this->damaged,
            'routes' => $routes,
        ] + ($this->windows === 0 ? [] : ['covered' => $this->covered, 'windows' => $this->windows])
            + ($this->sampled === 0 ? [] : [
                'allocations' => ['sample_bytes' => $this->sampled, 'unfollowed' => $this->unfollowed],
            ]);
    }
}
