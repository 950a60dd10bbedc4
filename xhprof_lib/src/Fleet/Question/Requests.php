<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\QueryFailed;
use XHProf\Run\RouteFigures;

/**
 * What requests took: by service, by route and release, by host. Quantiles are those of the pages of one host.
 *
 * @phpstan-import-type Host from HostFigures
 */
final class Requests extends Question
{
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
            $hosts[RowValues::text($row, 0) . "\0" . RowValues::text($row, 1)] = RowValues::int($row, 2);
        }
        $rows = $this->client->rows(
            'SELECT service, env, ' . RowValues::REQUESTS . " FROM {$which->table('requests')} {$which->where()}"
                . ' GROUP BY service, env ORDER BY sum(cpu_us) DESC, service, env',
            $which->parameters(),
        );
        $suspended = $this->suspended($which, 'service, env');

        return array_map(static fn (array $row): array => [
            'service' => RowValues::text($row, 0),
            'env' => RowValues::text($row, 1),
            'hosts' => $hosts[RowValues::text($row, 0) . "\0" . RowValues::text($row, 1)] ?? 0,
            'figures' => self::both($row, $suspended),
        ], $rows);
    }

    /** @return list<array{service: string, env: string}> those that were ever seen, by name: of a small table */
    public function places(): array
    {
        return array_map(
            static fn (array $row): array => ['service' => RowValues::text($row, 0), 'env' => RowValues::text($row, 1)],
            $this->client->rows('SELECT service, env FROM releases GROUP BY service, env ORDER BY service, env'),
        );
    }

    /** @return list<array{route: string, release: string, figures: RouteFigures}> routes by their wall time, releases by name */
    public function routes(Selection $which): array
    {
        $rows = $this->client->rows(
            'SELECT route, release, ' . RowValues::REQUESTS . " FROM {$which->table('requests')} {$which->where()}"
                . ' GROUP BY route, release ORDER BY sum(sum(wall_us)) OVER (PARTITION BY route) DESC, route, release',
            $which->parameters(),
        );
        $suspended = $this->suspended($which, 'route, release');

        return array_map(static fn (array $row): array => [
            'route' => RowValues::text($row, 0),
            'release' => RowValues::text($row, 1),
            'figures' => self::both($row, $suspended),
        ], $rows);
    }

    /**
     * @param string $columns two of SQL
     *
     * @return array<string, RouteFigures> how many requests were suspended and for how long, by the values of the two, a NUL
     *     between them; nothing from a store that was not upgraded yet
     */
    private function suspended(Selection $which, string $columns): array
    {
        try {
            $rows = $this->client->rows(
                "SELECT $columns, " . RowValues::SUSPENDED . " FROM {$which->table('suspended')} {$which->where()}"
                    . " GROUP BY $columns ORDER BY $columns",
                $which->parameters(),
            );
        } catch (QueryFailed $e) {
            return $e->isOfUnknownTable() ? [] : throw $e;
        }
        $found = [];
        foreach ($rows as $row) {
            $found[RowValues::text($row, 0) . "\0" . RowValues::text($row, 1)] = RowValues::suspended($row, 2);
        }

        return $found;
    }

    /**
     * @param list<mixed> $row what its requests are of, in two columns, and RowValues::REQUESTS
     * @param array<string, RouteFigures> $suspended
     */
    private static function both(array $row, array $suspended): RouteFigures
    {
        $key = RowValues::text($row, 0) . "\0" . RowValues::text($row, 1);

        return RowValues::figures($row, 2)->plus($suspended[$key] ?? RouteFigures::none());
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

        // What has these labels is known by requests only.
        $rows = $which->labels === [] ? $rows : array_values(array_filter(
            $rows,
            static fn (array $row): bool => isset($requests[RowValues::text($row, 0)]),
        ));

        return array_map(static fn (array $row): array => [
            'release' => RowValues::text($row, 0),
            'env' => RowValues::text($row, 1),
            'first' => RowValues::int($row, 2),
            'last' => RowValues::int($row, 3),
            'requests' => $requests[RowValues::text($row, 0)] ?? 0,
        ], $rows);
    }

    /** @return list<Host> the slowest first; times in µs */
    public function hosts(Selection $which, SampledClock $clock): array
    {
        $rows = $this->client->rows(
            "SELECT route, host, sum(requests), sum(failed), sum({$clock->requests()}) FROM requests_10m "
                . $which->where() . ' GROUP BY route, host ORDER BY route, host',
            $which->parameters(),
        );
        $hosts = new HostFigures();
        foreach ($rows as $row) {
            [$host, $release] = [RowValues::text($row, 0), RowValues::text($row, 1)];
            $hosts->add($host, $release, RowValues::int($row, 2), RowValues::int($row, 3), RowValues::int($row, 4));
        }

        return $hosts->hosts();
    }
}
