<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Stats\Outliers;
use XHProf\Store\RouteFigures;

/**
 * What requests took: by service, by route and release, by host. Quantiles are those of the pages of one host.
 *
 * @phpstan-type Host array{host: string, requests: int, failed: int, time_us: int, slowness: float, is_outlier: bool}
 */
final class Requests
{
    /** Among fewer no host can stand out. */
    public const LEAST_HOSTS = Outliers::MIN_COUNT;

    public function __construct(private readonly Client $client)
    {
    }

    /** @return list<array{service: string, env: string, hosts: int, figures: RouteFigures}> the most CPU time first */
    public function services(Selection $which): array
    {
        // Only the 10-minute figures know hosts.
        $hosts = [];
        $counted = $this->client->rows(
            "SELECT service, env, uniqExact(host) FROM requests_10m {$which->where()} GROUP BY service, env",
            $which->parameters(),
        );
        foreach ($counted as $row) {
            $hosts[Cells::text($row, 0) . "\0" . Cells::text($row, 1)] = Cells::int($row, 2);
        }
        $rows = $this->client->rows(
            'SELECT service, env, ' . Cells::REQUESTS . " FROM {$which->table('requests')} {$which->where()}"
                . ' GROUP BY service, env ORDER BY sum(cpu_us) DESC, service, env',
            $which->parameters(),
        );

        return array_map(static fn (array $row): array => [
            'service' => Cells::text($row, 0),
            'env' => Cells::text($row, 1),
            'hosts' => $hosts[Cells::text($row, 0) . "\0" . Cells::text($row, 1)] ?? 0,
            'figures' => Cells::figures($row, 2),
        ], $rows);
    }

    /** @return list<array{route: string, release: string, figures: RouteFigures}> routes by their wall time, releases by name */
    public function routes(Selection $which): array
    {
        $rows = $this->client->rows(
            'SELECT route, release, ' . Cells::REQUESTS . " FROM {$which->table('requests')} {$which->where()}"
                . ' GROUP BY route, release ORDER BY sum(sum(wall_us)) OVER (PARTITION BY route) DESC, route, release',
            $which->parameters(),
        );

        return array_map(static fn (array $row): array => [
            'route' => Cells::text($row, 0),
            'release' => Cells::text($row, 1),
            'figures' => Cells::figures($row, 2),
        ], $rows);
    }

    /** @return list<array{release: string, env: string, first: int, last: int, requests: int}> the newest first */
    public function releases(Selection $which): array
    {
        $place = new Selection($which->service, $which->env);
        $requests = (new Functions($this->client))->requests($which);
        $rows = $this->client->rows(
            'SELECT release, env, toUnixTimestamp(min(first)) AS begin, toUnixTimestamp(max(last)) FROM releases '
                . $place->where() . ' GROUP BY release, env ORDER BY begin DESC, release DESC',
            $place->parameters(),
        );

        return array_map(static fn (array $row): array => [
            'release' => Cells::text($row, 0),
            'env' => Cells::text($row, 1),
            'first' => Cells::int($row, 2),
            'last' => Cells::int($row, 3),
            'requests' => $requests[Cells::text($row, 0)] ?? 0,
        ], $rows);
    }

    /**
     * How slow each host is, beside what its mix of routes takes on the host in the middle: 1.2 is a fifth slower. A host stands
     * out by the rule for outliers that the pages of one host have.
     *
     * @return list<Host> the slowest first
     */
    public function hosts(Selection $which, Clock $clock): array
    {
        $rows = $this->client->rows(
            "SELECT route, host, sum(requests) AS n, sum(failed), sum({$clock->requests()}) FROM requests_10m "
                . $which->where() . ' GROUP BY route, host HAVING n > 0 ORDER BY route, host',
            $which->parameters(),
        );
        $routes = [];
        foreach ($rows as $row) {
            [$route, $host] = ["\0" . Cells::text($row, 0), "\0" . Cells::text($row, 1)];
            $routes[$route][$host] = [Cells::int($row, 2), Cells::int($row, 3), Cells::int($row, 4)];
        }
        $hosts = [];
        foreach ($routes as $ofRoute) {
            $each = array_map(static fn (array $figures): float => $figures[2] / $figures[0], array_values($ofRoute));
            sort($each);
            $usual = ($each[intdiv(count($each) - 1, 2)] + $each[intdiv(count($each), 2)]) / 2;
            foreach ($ofRoute as $host => [$requests, $failed, $time]) {
                $sum = $hosts[$host] ?? [0, 0, 0, 0.0];
                $hosts[$host] = [$sum[0] + $requests, $sum[1] + $failed, $sum[2] + $time, $sum[3] + $usual * $requests];
            }
        }
        $found = [];
        foreach ($hosts as $host => [$requests, $failed, $time, $usual]) {
            $found[] = [
                'host' => substr((string) $host, 1), 'requests' => $requests, 'failed' => $failed, 'time_us' => $time,
                'slowness' => $usual > 0 ? $time / $usual : 1.0,
            ];
        }
        usort($found, static fn (array $a, array $b): int => [$b['slowness'], $a['host']] <=> [$a['slowness'], $b['host']]);
        $odd = Outliers::positions(array_column($found, 'slowness'));
        foreach ($found as $i => $host) {
            $found[$i]['is_outlier'] = isset($odd[$i]) && $host['slowness'] > 1;
        }

        return $found;
    }
}
