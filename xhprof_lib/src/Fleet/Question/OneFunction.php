<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\StableNumbers;

/**
 * One function in the requests of many hosts. A caller is what called its outermost call, a callee what its innermost call called:
 * so the times below callers add up to the function's time with all it called, as the function's own time and those below callees
 * do. A route calls the first functions of its requests, and has figures like a function.
 *
 * @phpstan-type Neighbour array{name: string, file: string, line: int, samples: int, time: int}
 * @phpstan-type FunctionStep array{at: int, release: string, requests: int, samples: int, self: int, total: int}
 * @phpstan-import-type Host from HostFigures
 */
final class OneFunction
{
    /** Stands for the route in paths of functions. */
    private const ROUTE = 0;

    public readonly int $fn;

    /** @param string $name that hosts and releases share */
    public function __construct(private readonly Client $client, private readonly string $name)
    {
        $this->fn = StableNumbers::fn($name);
    }

    /** @return ReleaseFigures|null by release; null if no host has sent a function of this name */
    public function figures(Selection $which, SampledClock $clock): ?ReleaseFigures
    {
        return FunctionNames::read($this->client, $which, [$this->fn])->has($this->fn)
            ? (new Functions($this->client))->figures($which, $clock, [$this->fn])[0]
            : null;
    }

    /** @return list<FunctionStep> ns, of all steps with requests: the oldest first, releases by name */
    public function overTime(TimeSteps $steps, SampledClock $clock): array
    {
        $which = $steps->which;
        $rows = $this->client->rows(
            "SELECT {$steps->begin()} AS at, release, sum(requests) FROM {$which->table('requests')} {$which->where()}"
                . ' GROUP BY at, release ORDER BY at, release',
            $steps->parameters(),
        );
        $found = [];
        foreach ($rows as $row) {
            $found[RowValues::int($row, 0) . "\0" . RowValues::text($row, 1)] = [
                'at' => RowValues::int($row, 0), 'release' => RowValues::text($row, 1), 'requests' => RowValues::int($row, 2),
                'samples' => 0, 'self' => 0, 'total' => 0,
            ];
        }
        $rows = $this->client->rows(
            "SELECT {$steps->begin()} AS at, release, sum(samples), sum({$clock->self()}), sum({$clock->total()})"
                . " FROM {$which->table('functions')} {$which->whereRequests('fn = {fn:UInt64}')} GROUP BY at, release",
            $steps->parameters() + ['fn' => $this->fn],
        );
        foreach ($rows as $row) {
            $step = RowValues::int($row, 0) . "\0" . RowValues::text($row, 1);
            if (isset($found[$step])) {
                [$samples, $self, $total] = array_map(static fn (int $at): int => RowValues::int($row, $at), [2, 3, 4]);
                $found[$step] = ['samples' => $samples, 'self' => $self, 'total' => $total]
                    + $found[$step];
            }
        }

        return array_values($found);
    }

    /** @return list<Neighbour> ns with all that the function called for them; the most first */
    public function callers(Selection $which, SampledClock $clock): array
    {
        return $this->neighbours($which, $clock, 'path[indexOf(path, {fn:UInt64}) - 1]', 'indexOf(path, {fn:UInt64}) > 1');
    }

    /** @return list<Neighbour> ns with all that they called; the most first */
    public function callees(Selection $which, SampledClock $clock): array
    {
        $last = 'length(path) - indexOf(arrayReverse(path), {fn:UInt64}) + 1';

        return $this->neighbours($which, $clock, "path[$last + 1]", "$last < length(path)");
    }

    /** @return list<array{route: string, samples: int, self: int, total: int}> ns; those of the most time first */
    public function routes(Selection $which, SampledClock $clock): array
    {
        $rows = $this->client->rows(
            "SELECT route, sum(samples), sum({$clock->self()}), sum({$clock->total()}) AS time FROM {$which->table('functions')}"
                . " {$which->where('fn = {fn:UInt64}')} GROUP BY route ORDER BY time DESC, route",
            $which->parameters() + ['fn' => $this->fn],
        );

        return array_map(static fn (array $row): array => [
            'route' => RowValues::text($row, 0),
            'samples' => RowValues::int($row, 1),
            'self' => RowValues::int($row, 2),
            'total' => RowValues::int($row, 3),
        ], $rows);
    }

    /**
     * How slow the function's own time makes each host: see HostFigures.
     *
     * @return list<Host> the slowest first; times in ns. None if it ran nowhere.
     */
    public function hosts(Selection $which, SampledClock $clock): array
    {
        $hosts = new HostFigures();
        $ran = "FROM functions_10m {$which->where('fn = {fn:UInt64}')}";
        $rows = $this->client->rows(
            'SELECT r.route, r.host, r.requests, r.failed, f.own FROM (SELECT route, host, sum(requests) AS requests,'
                . " sum(failed) AS failed FROM requests_10m {$which->where()} GROUP BY route, host) AS r"
                . " LEFT JOIN (SELECT route, host, sum({$clock->self()}) AS own $ran GROUP BY route, host) AS f"
                . " USING (route, host) WHERE r.route IN (SELECT route $ran) ORDER BY r.route, r.host",
            $which->parameters() + ['fn' => $this->fn],
        );
        foreach ($rows as $row) {
            [$host, $release] = [RowValues::text($row, 0), RowValues::text($row, 1)];
            $hosts->add($host, $release, RowValues::int($row, 2), RowValues::int($row, 3), RowValues::int($row, 4));
        }

        return $hosts->hosts();
    }

    /**
     * @param string $which of SQL: the neighbour in "path", a list of functions that begins with the route
     * @param string $is    of SQL: whether there is one
     *
     * @return list<Neighbour>
     */
    private function neighbours(Selection $selection, SampledClock $clock, string $which, string $is): array
    {
        $place = new Selection($selection->service, route: $selection->route);
        $rows = $this->client->rows(
            "SELECT $which AS neighbour, if(neighbour = {route_fn:UInt64}, route, '') AS name, sum(n), sum(t) AS time"
                . " FROM (SELECT route, stack, sum(samples) AS n, sum({$clock->stack()}) AS t FROM {$selection->table('samples')}"
                . " {$selection->where()} GROUP BY route, stack) AS s INNER JOIN (SELECT route, stack, arrayPushFront(any(frames),"
                . ' if(route = {name:String}, {fn:UInt64}, {route_fn:UInt64})) AS path FROM stacks '
                . $place->where('(has(frames, {fn:UInt64}) OR route = {name:String})') . ' GROUP BY route, stack) AS p'
                . " USING (route, stack) WHERE $is GROUP BY neighbour, name ORDER BY time DESC, neighbour, name",
            $selection->parameters() + ['fn' => $this->fn, 'name' => $this->name, 'route_fn' => self::ROUTE],
        );
        $functions = array_values(array_unique(array_map(static fn (array $row): int => RowValues::id($row, 0), $rows)));
        $names = FunctionNames::read($this->client, $selection, $functions);

        return array_map(static function (array $row) use ($names): array {
            [$fn, $route] = [RowValues::id($row, 0), RowValues::text($row, 1)];
            $place = $names->place($fn);

            return [
                'name' => $fn === self::ROUTE ? FunctionNames::ofRoute($route) : $names->name($fn),
                'file' => $place->file ?? '',
                'line' => $place->line ?? 0,
                'samples' => RowValues::int($row, 2),
                'time' => RowValues::int($row, 3),
            ];
        }, $rows);
    }
}
