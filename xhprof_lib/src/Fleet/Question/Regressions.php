<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Stats\Significance;

/**
 * Finds the functions that got slower from one release to another. A value is a function's own time per request of a route, on one
 * host, in 10 minutes; Welch's test compares those of both releases, and false discoveries are controlled over all functions. What
 * calls a slower function is not slower itself. A route with too little on either side is named, and nothing is said of it.
 *
 * Cells of one host are alike, so a release that is on few hosts only differs from another as those hosts do: compare releases that
 * have been on the same ones.
 *
 * A candidate is a route and a function, with the mean, the variance and the number of cells before and after. One that is slower
 * has the times before and after, the rate of false discoveries, and the time of the whole route before.
 *
 * @phpstan-type Candidate array{string, int, array{float, float, int}, array{float, float, int}}
 * @phpstan-type Slower array{string, int, float, float, float, float}
 */
final class Regressions
{
    /** Likelihood that a function that is named is named by chance. */
    private const FALSE_RATE = 0.01;

    /** Least growth: of the function's own time, and of the route's. */
    private const LEAST_GROWTH = 0.1;
    private const LEAST_SHARE = 0.01;

    /** Least of each side: below, nothing is said of a route. */
    public const LEAST_CELLS = 8;
    public const LEAST_REQUESTS = 1000;

    /** Requests that a cell has at least, or it is left out: its mean would be one of a few. */
    private const LEAST_OF_CELL = 10;

    /** Samples that a function has at least, in both releases together. */
    private const LEAST_SAMPLES = 50;

    public function __construct(private readonly Client $client)
    {
    }

    /**
     * @param Selection $which of a service; its release is not looked at
     *
     * @return RegressionReport
     */
    public function between(Selection $which, string $old, string $new, Clock $clock): RegressionReport
    {
        $which = $which->ofRelease('');
        $parameters = $which->parameters() + ['old' => $old, 'new' => $new, 'least' => self::LEAST_OF_CELL];
        $where = $which->where('release IN ({old:String}, {new:String})');
        $cells = 'SELECT route, release, host, ts, sum(requests) AS requests FROM requests_10m ' . $where
            . ' GROUP BY route, release, host, ts HAVING requests >= {least:UInt32}';
        $routes = $this->routes($cells, $parameters);
        [$enough, $short] = [[], []];
        foreach ($routes as $route => $sides) {
            [$before, $after] = [$sides["\0$old"] ?? [0, 0], $sides["\0$new"] ?? [0, 0]];
            if (min($before[0], $after[0]) >= self::LEAST_CELLS && min($before[1], $after[1]) >= self::LEAST_REQUESTS) {
                $enough[$route] = [$before[0], $after[0]];
            } else {
                $short[] = substr((string) $route, 1);
            }
        }
        [$candidates, $times] = $this->candidates($cells, $where, $parameters, $clock, $enough, $old);
        [$tested, $slower, $faster] = $this->tested($candidates, $times);

        return new RegressionReport($old, $new, $this->named($which, $slower), $faster, $tested, array_map(
            static fn (int|string $route): string => substr((string) $route, 1),
            array_keys($enough),
        ), $short);
    }

    /**
     * @param array<string, string|int> $parameters
     *
     * @return array<string, array<string, array{int, int}>> route => release => cells and requests; names are marked by a NUL
     */
    private function routes(string $cells, array $parameters): array
    {
        $rows = $this->client->rows(
            "SELECT route, release, count(), sum(requests) FROM ($cells) GROUP BY route, release ORDER BY route",
            $parameters,
        );
        $routes = [];
        foreach ($rows as $row) {
            $routes["\0" . Cells::text($row, 0)]["\0" . Cells::text($row, 1)] = [Cells::int($row, 2), Cells::int($row, 3)];
        }

        return $routes;
    }

    /**
     * @param array<string, string|int> $parameters
     * @param array<string, array{int, int}> $routes those with enough data: cells before and after
     *
     * @return array{list<Candidate>, array<string, float>} and of each route the time per request before
     */
    private function candidates(string $cells, string $where, array $parameters, Clock $clock, array $routes, string $old): array
    {
        $rows = $this->client->rows(
            'SELECT route, fn, release = {old:String} AS is_old,'
                . ' sum(own / requests) AS x, sum((own / requests) * (own / requests)) AS xx,'
                . " sum(taken) FROM (SELECT route, fn, release, host, ts, sum({$clock->self()}) AS own, sum(samples) AS taken"
                . " FROM functions_10m $where GROUP BY route, fn, release, host, ts) AS f"
                . " INNER JOIN ($cells) AS r USING (route, release, host, ts) GROUP BY route, fn, is_old ORDER BY route, fn",
            $parameters,
        );
        $found = [];
        $times = [];
        foreach ($rows as $row) {
            $route = "\0" . Cells::text($row, 0);
            if (!isset($routes[$route])) {
                continue;
            }
            $side = Cells::int($row, 2) === 1 ? 0 : 1;
            // A cell in which it did not run counts as 0.
            $cellsOfSide = $routes[$route][$side];
            $mean = Cells::float($row, 3) / $cellsOfSide;
            $variance = max(0.0, Cells::float($row, 4) - $cellsOfSide * $mean * $mean) / ($cellsOfSide - 1);
            $found[$route][Cells::int($row, 1)][$side] = [$mean, $variance, $cellsOfSide];
            $found[$route][Cells::int($row, 1)][2] = ($found[$route][Cells::int($row, 1)][2] ?? 0) + Cells::int($row, 5);
            $times[$route] = ($times[$route] ?? 0.0) + ($side === 0 ? $mean : 0.0);
        }
        $candidates = [];
        foreach ($found as $route => $functions) {
            foreach ($functions as $fn => $sides) {
                if ($sides[2] >= self::LEAST_SAMPLES) {
                    $none = static fn (int $side): array => [0.0, 0.0, $routes[$route][$side]];
                    $candidates[] = [$route, $fn, $sides[0] ?? $none(0), $sides[1] ?? $none(1)];
                }
            }
        }

        return [$candidates, $times];
    }

    /**
     * @param list<Candidate>      $candidates
     * @param array<string, float> $times
     *
     * @return array{int, list<Slower>, int} how many were tested, those that got slower, how many got faster
     */
    private function tested(array $candidates, array $times): array
    {
        $chances = [];
        foreach ($candidates as $i => [, , $before, $after]) {
            $chances[$i] = Significance::ofMoments($before, $after) ?? 1.0;
        }
        $slower = [];
        $faster = 0;
        foreach (Significance::falseDiscoveries($chances) as $i => $rate) {
            [$route, $fn, [$before], [$after]] = $candidates[$i];
            $growth = abs($after - $before);
            $whole = $times[$route] ?? 0.0;
            if ($rate > self::FALSE_RATE || $growth < self::LEAST_GROWTH * $before || $growth < self::LEAST_SHARE * $whole) {
                continue;
            }
            if ($after > $before) {
                $slower[] = [$route, $fn, $before, $after, $rate, $whole];
            } else {
                $faster++;
            }
        }
        usort($slower, static fn (array $a, array $b): int => $b[3] - $b[2] <=> $a[3] - $a[2]);

        return [count($candidates), $slower, $faster];
    }

    /**
     * @param list<Slower> $slower
     *
     * @return list<Regression>
     */
    private function named(Selection $which, array $slower): array
    {
        $names = FunctionNames::read($this->client, $which, array_values(array_unique(array_column($slower, 1))));

        return array_map(static function (array $one) use ($names): Regression {
            [$route, $fn, $before, $after, $rate, $whole] = $one;
            $place = $names->place($fn);

            return new Regression(
                substr($route, 1),
                $fn,
                $names->name($fn),
                $place->file ?? '',
                $place->line ?? 0,
                $before,
                $after,
                $rate,
                $whole,
            );
        }, $slower);
    }
}
