<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\Waiting;
use XHProf\Profile\TimeParts;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;

/** What the requests of each route took in each release. */
final class RoutesReport
{
    /** @var list<array{route: string, release: string, figures: RouteFigures}> */
    private readonly array $routes;

    public function __construct(private readonly Client $client, private readonly Selection $which)
    {
        $this->routes = (new Requests($client))->routes($which);
    }

    public function isEmpty(): bool
    {
        return $this->routes === [];
    }

    public function sum(): RouteFigures
    {
        return RouteFigures::sum(array_column($this->routes, 'figures'));
    }

    /** Where the time of all requests was; null without any. */
    public function times(): ?TimeParts
    {
        $of = array_filter($this->routes, static fn (array $one): bool => $one['route'] !== RequestWindow::BETWEEN);
        $requests = RouteFigures::sum(array_column($of, 'figures'));

        return $requests->wall <= 0 ? null : $requests->plus((new Waiting($this->client))->of($this->which))->times();
    }

    public function report(): Report
    {
        $times = $this->times();

        return new Report(
            [$this->table()],
            [],
            ['lines_total' => count($this->routes), ...TimeBar::json($times)],
            $times === null ? [] : [new Heading('', bar: TimeBar::of($times))],
        );
    }

    /**
     * @param list<array{release: string, env: string, first: int, last: int, requests: int}> $releases of Requests, for rates
     * @param bool $isOfOne whether the route is known: then releases are its lines
     */
    public function table(array $releases = [], bool $isOfOne = false): Table
    {
        $seconds = $this->seconds($releases);
        $rows = array_map(static function (array $one) use ($seconds): array {
            $figures = $one['figures'];
            $time = $seconds["\0$one[release]"] ?? 0;
            $quantiles = $figures->quantiles();

            return [
                'route' => $one['route'],
                'release' => $one['release'],
                'requests' => $figures->requests,
                'rate' => $time > 0 ? $figures->requests / $time : null,
                'failed' => $figures->failed,
                'mean_us' => $figures->mean(),
                ...array_combine(array_map(static fn (string $key): string => "{$key}_us", array_keys($quantiles)), $quantiles),
                // What belongs to no request has neither.
                'slowest_us' => $figures->requests === 0 ? null : $figures->max,
                'wall_us' => $figures->requests === 0 ? null : $figures->wall,
                'suspended_us' => $figures->suspended === 0 ? null : $figures->suspendedTime,
                'cpu_us' => $figures->cpu,
            ];
        }, $this->routes);
        $columns = [
            new Column('route', Unit::Name, 'route', label: 'Route or job'),
            new Column('release', $isOfOne ? Unit::Name : Unit::Text, 'release'),
            FleetColumns::requests(),
            Column::ofPage('rate', Unit::Count, 'Per second', 'Requests per second, while the release was there', Column::NARROW),
            FleetColumns::failed(),
            new Column('mean_us', Unit::Microseconds, 'mean', label: ''),
            FleetColumns::quantile('p50', Column::PHONE + 2),
            FleetColumns::quantile('p95', Column::PHONE),
            FleetColumns::quantile('p99', 0),
            new Column('slowest_us', Unit::Microseconds, 'slowest', Column::NARROW, help: 'The slowest request', sort: 'max'),
            new Column(
                'wall_us',
                Unit::Microseconds,
                'total',
                Column::PHONE + 3,
                help: 'Wall time of all requests together, and the share of the service',
                sort: 'total',
            ),
            ...FleetColumns::suspended($rows),
        ];

        return new Table(
            'rows',
            $isOfOne ? array_slice($columns, 1) : $columns,
            $rows,
            'No requests of this selection have arrived.',
            $isOfOne ? 'Releases' : 'Routes',
            'What requests took, by release',
            $isOfOne ? '' : 'by total time',
        );
    }

    /**
     * Seconds for which each release was there in the time that is asked for.
     *
     * @param list<array{release: string, env: string, first: int, last: int, requests: int}> $releases
     *
     * @return array<string, int> by release, behind a NUL
     */
    private function seconds(array $releases): array
    {
        $seconds = [];
        foreach ($releases as $release) {
            $length = min($release['last'], $this->which->to ?? PHP_INT_MAX) - max($release['first'], $this->which->from ?? 0);
            $key = "\0{$release['release']}";
            $seconds[$key] = max($seconds[$key] ?? 0, $length);
        }

        return $seconds;
    }
}
