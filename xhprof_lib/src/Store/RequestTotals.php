<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Run\RouteFigures;
use XHProf\Run\RunId;

/** The requests of several windows together: by route, and over time. */
final class RequestTotals
{
    /** @var array<string, RouteFigures> by name, marked by a NUL before it: "12" as a key is a number */
    private array $routes = [];

    /** @var array<int, RouteFigures> of all routes, by the window's start in seconds since 1970 */
    private array $moments = [];

    /** @var array<int, int> length of the windows in seconds, by the same */
    private array $lengths = [];

    /** @var array<string, array{max: int, run: RunId}> by name as routes: the run with the slowest request */
    private array $slowest = [];

    /** @var array<string, list<array{max: int, run: RunId}>> likewise all runs, with their slowest requests */
    private array $windows = [];

    /** @var array<string, array{max: int, run: RunId}> the same of those that have sampled the route's allocations */
    private array $allocating = [];

    private int $rows = 0;

    private function __construct(private readonly int $most)
    {
    }

    /**
     * @internal
     *
     * @param iterable<array<int, string|int|float|null>> $rows as IndexQuery::windows() selects them
     * @param int                                         $most rows that are asked for
     */
    public static function fromRows(iterable $rows, int $most): self
    {
        $totals = new self($most);
        foreach ($rows as $row) {
            [$time, $route, $seconds, $figures, $name] = $row + [0, '', 0, '', ''];
            $figures = json_decode((string) $figures, true);
            $totals->add(
                (float) $time,
                (string) $route,
                max(0, (int) $seconds),
                RouteFigures::fromMeta(is_array($figures) ? $figures : []),
                RunIndex::id((string) $name),
            );
        }

        return $totals;
    }

    /** @return bool whether older windows may be missing */
    public function isCut(): bool
    {
        return $this->rows >= $this->most;
    }

    /** @return list<string> those that took most time first */
    public function routes(): array
    {
        $routes = $this->routes;
        uksort($routes, static fn (string $a, string $b): int => [$routes[$b]->wall, $a] <=> [$routes[$a]->wall, $b]);

        return array_map(static fn (string $name): string => substr($name, 1), array_keys($routes));
    }

    /** @return RouteFigures of all routes for null; without requests if there are none of it */
    public function figures(?string $route = null): RouteFigures
    {
        return $route === null ? RouteFigures::sum($this->moments) : $this->routes["\0$route"] ?? RouteFigures::none();
    }

    /** @return array{from: int, to: int}|null seconds since 1970; null without windows */
    public function covered(): ?array
    {
        return $this->moments === [] ? null : [
            'from' => min(array_keys($this->moments)),
            'to' => max(array_map(fn (int $from): int => $from + $this->lengths[$from], array_keys($this->moments))),
        ];
    }

    /**
     * Stretches of time of equal length.
     *
     * @param positive-int $most of them
     *
     * @return list<array{from: int, seconds: int, figures: RouteFigures}> ascending; without those that have no window
     */
    public function overTime(int $most): array
    {
        $covered = $this->covered();
        if ($covered === null || $this->lengths === []) {
            return [];
        }
        $window = max(1, min($this->lengths));
        $length = $window * max(1, (int) ceil(($covered['to'] - $covered['from']) / $window / $most));
        $stretches = [];
        foreach ($this->moments as $from => $figures) {
            $stretches[intdiv($from - $covered['from'], $length)][] = $figures;
        }
        ksort($stretches);
        $points = [];
        foreach ($stretches as $number => $parts) {
            $from = $covered['from'] + $number * $length;
            $points[] = ['from' => $from, 'seconds' => $length, 'figures' => RouteFigures::sum($parts)];
        }

        return $points;
    }

    /** @return RunId|null the window with the slowest request of a route */
    public function slowest(string $route): ?RunId
    {
        return $this->slowest["\0$route"]['run'] ?? null;
    }

    /**
     * @param int $wall µs
     *
     * @return list<RunId> windows whose slowest requests of a route took about as long, the nearest first
     */
    public function nearest(string $route, int $wall, int $most): array
    {
        $windows = $this->windows["\0$route"] ?? [];
        usort($windows, static fn (array $a, array $b): int => abs($a['max'] - $wall) <=> abs($b['max'] - $wall));

        return array_column(array_slice($windows, 0, $most), 'run');
    }

    /** @return list<string> sources of the windows, in order */
    public function sources(): array
    {
        $sources = [];
        foreach ($this->windows as $windows) {
            foreach ($windows as $window) {
                $sources[$window['run']->source] = true;
            }
        }
        ksort($sources, SORT_STRING);

        return array_map(strval(...), array_keys($sources));
    }

    /** Seconds that any window covers: what lies between two windows was not counted. */
    public function seconds(): int
    {
        $starts = array_keys($this->moments);
        sort($starts);
        $seconds = 0;
        $end = PHP_INT_MIN;
        foreach ($starts as $start) {
            $to = $start + $this->lengths[$start];
            $seconds += max(0, $to - max($start, $end));
            $end = max($end, $to);
        }

        return $seconds;
    }

    /** @return RunId|null the window with the slowest request of a route, among those that have sampled the route's allocations */
    public function slowestAllocating(string $route): ?RunId
    {
        return $this->allocating["\0$route"]['run'] ?? null;
    }

    private function add(float $time, string $route, int $seconds, RouteFigures $figures, RunId $run): void
    {
        $this->rows++;
        $this->windows["\0$route"][] = ['max' => $figures->max, 'run' => $run];
        if ($figures->max > ($this->slowest["\0$route"]['max'] ?? -1)) {
            $this->slowest["\0$route"] = ['max' => $figures->max, 'run' => $run];
        }
        if ($figures->allocations->isKnown() && $figures->max > ($this->allocating["\0$route"]['max'] ?? -1)) {
            $this->allocating["\0$route"] = ['max' => $figures->max, 'run' => $run];
        }
        $this->routes["\0$route"] = ($this->routes["\0$route"] ?? RouteFigures::none())->plus($figures);
        // A number from a file: far outside of time it is nowhere.
        $from = $time >= 0 && $time < 1e11 ? (int) $time : 0;
        $this->moments[$from] = ($this->moments[$from] ?? RouteFigures::none())->plus($figures);
        $this->lengths[$from] = max($this->lengths[$from] ?? 1, $seconds);
    }
}
