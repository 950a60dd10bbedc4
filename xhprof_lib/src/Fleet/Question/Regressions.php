<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Stats\Significance;

/**
 * Finds the functions that got slower from one release to another. A value is a function's own time per request of a route, on all
 * hosts, in 10 minutes: what makes hosts slow at a time makes all of them slow, so they are no more than one value. Each is
 * compared with what the older release took at the same hour of the day, where it was on then: load and times follow the hour.
 * Welch's test compares both, and false discoveries are controlled over all functions. What calls a slower function is not slower
 * itself. A route with too little on either side is named, and nothing is said of it.
 *
 * A release that is on few hosts only differs from another as those hosts do: compare releases that have been on the same ones.
 *
 * A candidate is a route and a function, with the mean, the variance and the number of values before and after. One that is slower
 * has the times before and after, the rate of false discoveries, and the time of the whole route before.
 *
 * @phpstan-type Hours array{int, int, int, int, int, float}
 * @phpstan-type Candidate array{string, int, array{float, float, float}, array{float, float, float}}
 * @phpstan-type Slower array{string, int, float, float, float, float}
 */
final class Regressions extends Question
{
    /** Likelihood that a function that is named is named by chance. */
    private const FALSE_RATE = 0.01;

    /** Least growth: of the function's own time, and of the route's. */
    private const LEAST_GROWTH = 0.1;
    private const LEAST_SHARE = 0.01;

    /** Least of each side: values, hosts times values, and requests. Below, nothing is said of a route. */
    public const LEAST_VALUES = 3;
    public const LEAST_CELLS = 8;
    public const LEAST_REQUESTS = 1000;

    /** Requests that a value has at least, or it is left out: it would be a mean of a few. */
    private const LEAST_OF_VALUE = 10;

    /** Values that the older release has of an hour of the day at least, so that it counts as known. */
    private const LEAST_OF_HOUR = 3;

    /** Samples that a function has at least, in both releases together. */
    private const LEAST_SAMPLES = 50;

    /**
     * @param Selection $which of a service; its release is not looked at
     *
     * @return RegressionReport
     */
    public function between(Selection $which, string $old, string $new, SampledClock $clock): RegressionReport
    {
        $which = $which->ofRelease('');
        $parameters = $which->parameters()
            + ['old' => $old, 'new' => $new, 'least' => self::LEAST_OF_VALUE, 'known' => self::LEAST_OF_HOUR];
        $where = $which->where('release IN ({old:String}, {new:String})');
        $values = 'SELECT route, release = {old:String} AS is_old, ts, toHour(ts) AS hour, sum(requests) AS requests,'
            . " uniqExact(host) AS hosts FROM requests_10m $where GROUP BY route, is_old, ts HAVING requests >= {least:UInt32}";
        // Hours that the older release does not know are one: -1.
        $hours = "SELECT route, hour, countIf(is_old) AS n_old, countIf(NOT is_old) AS n_new FROM ($values)"
            . ' GROUP BY route, hour';
        [$routes, $short] = $this->routes($values, $hours, $parameters);
        [$candidates, $times] = $this->candidates($which, $values, $hours, $parameters, $clock, $routes);
        [$tested, $slower, $faster] = $this->tested($candidates, $times);

        return new RegressionReport($old, $new, $this->named($which, $slower), $faster, $tested, array_map(
            static fn (int|string $route): string => substr((string) $route, 1),
            array_keys($routes),
        ), $short);
    }

    /**
     * @param array<string, string|int> $parameters
     *
     * @return array{array<string, Hours>, list<string>} of routes with enough data, marked by a NUL: values before and after; those
     *     before and after at unknown hours; known hours; of how many values the mean before is. And the names of
     *     the other routes
     */
    private function routes(string $values, string $hours, array $parameters): array
    {
        $rows = $this->client->rows(
            'SELECT route, countIf(is_old), countIf(NOT is_old), sumIf(hosts, is_old), sumIf(hosts, NOT is_old),'
                . " sumIf(requests, is_old), sumIf(requests, NOT is_old) FROM ($values) GROUP BY route ORDER BY route",
            $parameters,
        );
        $known = [];
        $ofHours = $this->client->rows(
            'SELECT route, sumIf(n_old, n_old < {known:UInt32}), sumIf(n_new, n_old < {known:UInt32}),'
                . ' countIf(n_old >= {known:UInt32}), sumIf(n_new * n_new / n_old, n_old >= {known:UInt32})'
                . " FROM ($hours) GROUP BY route",
            $parameters,
        );
        foreach ($ofHours as $row) {
            $known["\0" . RowValues::text($row, 0)] = [
                RowValues::int($row, 1), RowValues::int($row, 2), RowValues::int($row, 3), RowValues::float($row, 4),
            ];
        }
        [$enough, $short] = [[], []];
        foreach ($rows as $row) {
            [$before, $after] = [RowValues::int($row, 1), RowValues::int($row, 2)];
            $cells = min(RowValues::int($row, 3), RowValues::int($row, 4));
            $requests = min(RowValues::int($row, 5), RowValues::int($row, 6));
            $route = RowValues::text($row, 0);
            [$oldApart, $newApart, $count, $squares] = $known["\0$route"] ?? [$before, $after, 0, 0.0];
            if (min($before, $after) >= self::LEAST_VALUES && $cells >= self::LEAST_CELLS && $requests >= self::LEAST_REQUESTS) {
                $chance = $squares / $after ** 2 + ($newApart / $after) ** 2 / $before;
                $enough["\0$route"] = [$before, $after, $oldApart, $newApart, $count, 1 / $chance];
            } else {
                $short[] = $route;
            }
        }

        return [$enough, $short];
    }

    /**
     * @param array<string, string|int> $parameters
     * @param array<string, Hours>      $routes those with enough data
     *
     * @return array{list<Candidate>, array<string, float>} and of each route the time per request before
     */
    private function candidates(
        Selection $which,
        string $values,
        string $hours,
        array $parameters,
        SampledClock $clock,
        array $routes,
    ): array {
        $each = "SELECT route, fn, release = {old:String} AS is_old, ts, sum({$clock->self()}) AS own, sum(samples) AS taken"
            . " FROM {$which->functions()} {$which->where('release IN ({old:String}, {new:String})')}"
            . ' GROUP BY route, fn, is_old, ts';
        // Sums and squares of values by hour: a function that did not run in one has no row, and adds nothing.
        $byHour = 'SELECT route, fn, if(n_old >= {known:UInt32}, hour, -1) AS known, any(n_old) AS n0, any(n_new) AS n1,'
            . ' sumIf(own / requests, is_old) AS x0, sumIf((own / requests) * (own / requests), is_old) AS xx0,'
            . ' sumIf(own / requests, NOT is_old) AS x1, sumIf((own / requests) * (own / requests), NOT is_old) AS xx1,'
            . ' sumIf(taken, is_old) AS taken0, sumIf(taken, NOT is_old) AS taken1'
            . " FROM ($each) AS f INNER JOIN ($values) AS r USING (route, is_old, ts)"
            . " INNER JOIN ($hours) AS h USING (route, hour) GROUP BY route, fn, known";
        $rows = $this->client->rows(
            'SELECT route, fn, sum(taken0), sum(x0), sumIf(n1 * x0 / n0, known >= 0), sumIf(x1 - n1 * x0 / n0, known >= 0),'
                . ' sumIf(xx1 - 2 * x1 * x0 / n0 + n1 * (x0 / n0) * (x0 / n0), known >= 0), sumIf(xx0 - x0 * x0 / n0, known >= 0),'
                . ' sumIf(x0, known < 0), sumIf(xx0, known < 0), sumIf(x1, known < 0), sumIf(xx1, known < 0), sum(taken1)'
                . " FROM ($byHour) GROUP BY route, fn ORDER BY route, fn",
            $parameters,
        );
        $candidates = [];
        $times = [];
        foreach ($rows as $row) {
            $route = "\0" . RowValues::text($row, 0);
            if (!isset($routes[$route])) {
                continue;
            }
            [$all0, $all1, $apart0, $apart1, $known, $weight] = $routes[$route];
            $sum = static fn (int $at): float => RowValues::float($row, $at);
            $usual = $sum(3) / $all0;
            $before = ($sum(4) + $apart1 * $usual) / $all1;
            $growth = ($sum(5) + $sum(10) - $apart1 * $usual) / $all1;
            $squares = $sum(6) + $sum(11) - 2 * $usual * $sum(10) + $apart1 * $usual ** 2;
            $squares0 = $sum(7) + $sum(9) - 2 * $usual * $sum(8) + $apart0 * $usual ** 2;
            $times[$route] = ($times[$route] ?? 0.0) + $before;
            [$samples0, $samples1] = [RowValues::int($row, 2), RowValues::int($row, 12)];
            if ($samples0 + $samples1 >= self::LEAST_SAMPLES) {
                $variance0 = max(0.0, $squares0) / max(1, $all0 - max(1, $known));
                $variance1 = max(0.0, $squares - $all1 * $growth ** 2) / ($all1 - 1);
                $candidates[] = [
                    $route, RowValues::id($row, 1),
                    self::side($before, $variance0, max(2.0, $weight), $samples0),
                    self::side($before + $growth, $variance1, $all1, $samples1),
                ];
            }
        }

        return [$candidates, $times];
    }

    /**
     * A few values may be near to each other by chance, but a mean of so many samples is no better than they are. That part of its
     * error is known however few the values are; only what they differ by beyond it is estimated from them.
     *
     * @return array{float, float, float} mean, variance and number of values that have such an error
     */
    private static function side(float $mean, float $variance, float $count, int $samples): array
    {
        $ofSamples = $mean ** 2 / max(1, $samples);
        $error = max($variance / $count, $ofSamples);
        if ($error <= 0.0) {
            return [$mean, 0.0, $count];
        }
        $beyond = $error - $ofSamples;
        $freedom = $error ** 2 / ($beyond ** 2 / ($count - 1) + $ofSamples ** 2 / max(1, $samples - 1));

        return [$mean, $error * ($freedom + 1), $freedom + 1];
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
