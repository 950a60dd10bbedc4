<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\OverTime;
use XHProf\Fleet\Question\ReleaseFigures;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Format\Units;
use XHProf\Profile\CodePlace;
use XHProf\Requests\RouteReport;
use XHProf\Run\RouteFigures;

/** Parts that several pages of the fleet have: routes by release, functions, and sums. */
final class FiguresTable extends FleetPart
{
    private const FUNCTIONS = 300;

    /** What a core-hour is. */
    public const CORE_HOURS = 'CPU time of the requests, in hours of one core';

    /**
     * @param list<array{route: string, release: string, figures: RouteFigures}> $rows of Requests::routes()
     * @param list<array{release: string, env: string, first: int, last: int, requests: int}> $releases
     * @param string $first key of the column that comes first: "route", or "release" where the route is known
     */
    public function routes(array $rows, array $releases, string $first = 'route'): FleetTable
    {
        $isOfRoute = $first === 'release';
        $names = $isOfRoute
            ? ['release' => FleetTable::words('Release')]
            : ['route' => FleetTable::words('Route or job'), 'release' => FleetTable::words('Release')];
        $title = $isOfRoute ? 'Releases' : 'Routes';
        $table = new FleetTable(strtolower($title), $title, 'What requests took, by release', $names + [
            'requests' => FleetTable::number('Requests'),
            'rate' => FleetTable::number('Per second', 'Requests per second, while the release was there', FleetTable::WIDE),
            'failed' => FleetTable::number('Failed', FleetTable::FAILED, FleetTable::MEDIUM),
            'p50' => FleetTable::number('Median', RouteReport::quantile(0.5), FleetTable::MEDIUM),
            'p95' => FleetTable::number('p95', RouteReport::quantile(0.95), FleetTable::MEDIUM),
            'p99' => FleetTable::number('p99', RouteReport::quantile(0.99)),
            'max' => FleetTable::number('Slowest', 'The slowest request', FleetTable::WIDE),
            'total' => FleetTable::number('Total', 'Wall time of all requests together, and the share of the service', FleetTable::MEDIUM),
        ], '', $isOfRoute ? '' : 'by total time');
        $wall = self::sum($rows)->wall;
        $seconds = self::seconds($this->query, $releases);
        foreach ($rows as $row) {
            $figures = $row['figures'];
            $own = ['route' => $row['route'], 'release' => $row['release']];
            $slowest = $this->query->url('requests', $own + ['kept' => KeptRequest::SLOWEST]);
            $routeUrl = $this->query->url('routes', ['route' => $row['route']]);
            $release = FleetTable::text($row['release'] === '' ? '(none)' : $row['release'], $this->query->url('routes', $own));
            $rate = RouteReport::rate($figures->requests, $seconds["\0{$row['release']}"] ?? 0.0);
            $table->add([
                ...$isOfRoute
                    ? [FleetTable::name($row['release'], $this->query->url('functions', $own), '(none)')]
                    : [FleetTable::name($row['route'], $routeUrl, '(no route)'), $release],
                FleetTable::count($figures->requests),
                ['value' => $figures->requests] + FleetTable::text($rate),
                FleetTable::failed($figures->failed, $figures->requests),
                FleetTable::time($figures->wallQuantile(0.5)),
                FleetTable::time($figures->wallQuantile(0.95)),
                FleetTable::time($figures->wallQuantile(0.99), 0, $this->query->url('requests', $own), 'The slowest requests'),
                FleetTable::time($figures->max, 0, $slowest, 'The slowest request that was kept'),
                FleetTable::time($figures->wall, $wall),
            ]);
        }

        return $table;
    }

    /**
     * Functions of the selection, the most own time first, and what the last release changed.
     *
     * @param string $title '' for the page of functions
     */
    public function functions(?ReleasePair $pair, int $most = self::FUNCTIONS, string $title = ''): FleetTable
    {
        $query = $this->query;
        $which = $query->selection;
        $hasChange = $pair !== null && $which->release === '';
        $columns = [
            'function' => FleetTable::words('Function'),
            'self' => FleetTable::number('Self', 'Own time per request'),
            'total' => FleetTable::number('Total', 'Time with all it called, per request'),
            'samples' => FleetTable::number('Samples', 'Samples in the function itself', FleetTable::WIDE),
        ];
        if ($hasChange) {
            $columns['change'] = FleetTable::number('Change', "Own time per request: $pair->base, then $pair->release");
        }
        $about = $hasChange ? "times per request; the change is from $pair->base to $pair->release" : 'times per request';
        $empty = 'No samples of this selection have arrived.';
        $table = new FleetTable('functions', $title, 'Functions, with their time per request', $columns, $empty, $about);
        $functions = (new Functions($this->client))->top($which, $query->clock, $most);
        $whole = array_sum(array_map(static fn (ReleaseFigures $one): float => $one->selfPerRequest() ?? 0.0, $functions)) / 1000;
        foreach ($functions as $one) {
            $self = $one->selfPerRequest();
            $total = $one->totalPerRequest();
            $cells = [
                FleetTable::name($one->name, FleetTable::functionUrl($query, $one->name, $one->fn), '', self::place($one->file, $one->line)),
                FleetTable::time($self === null ? null : $self / 1000, $whole),
                FleetTable::time($total === null ? null : $total / 1000),
                FleetTable::count($one->samples()),
            ];
            if ($hasChange) {
                $cells[] = self::change($one, $pair);
            }
            $table->add($cells);
        }

        return $table;
    }

    /** @return list<array<string, mixed>|null> what requests took over time, and how many there were, by release */
    public function charts(): array
    {
        $steps = TimeSteps::of($this->client, $this->query->selection);
        $found = $steps === null ? [] : array_map(
            static fn (array $step): array => ['at' => $step['at'], 'line' => $step['release'], 'figures' => $step['figures']],
            (new OverTime($this->client))->requests($steps),
        );

        return self::overTime($steps, $found, ['release', 'releases']);
    }

    /**
     * The same by service.
     *
     * @param list<array{service: string, env: string}> $services in the order of their lines
     *
     * @return list<array<string, mixed>|null>
     */
    public function serviceCharts(array $services): array
    {
        $steps = TimeSteps::of($this->client, $this->query->selection);
        // The environment where there are several.
        $isOne = count(array_unique(array_column($services, 'env'))) === 1;
        $line = static fn (array $one): string => "$one[service]\0$one[env]";
        $labels = [];
        foreach ($services as $one) {
            $name = $one['service'] === '' ? '(no name)' : $one['service'];
            $labels[$line($one)] = $isOne || $one['env'] === '' ? $name : "$name ($one[env])";
        }
        $found = $steps === null ? [] : array_map(
            static fn (array $step): array => ['at' => $step['at'], 'line' => $line($step), 'figures' => $step['figures']],
            (new OverTime($this->client))->services($steps),
        );

        return self::overTime($steps, $found, ['service', 'services'], $labels);
    }

    /**
     * @param list<array{at: int, line: string, figures: RouteFigures}> $found
     * @param array{string, string} $kind
     * @param array<string, string> $labels as LineChart::of() takes them
     *
     * @return list<array<string, mixed>|null>
     */
    private static function overTime(?TimeSteps $steps, array $found, array $kind, array $labels = []): array
    {
        if ($steps === null) {
            return [];
        }
        $points = static fn (\Closure $value): array => array_map(
            static fn (array $step): array => ['at' => $step['at'], 'line' => $step['line'], 'value' => $value($step)],
            $found,
        );
        $perSecond = static fn (array $step): float => $step['figures']->requests / max(1, $steps->secondsOf($step['at']));
        $p95 = static fn (array $step): ?int => $step['figures']->wallQuantile(0.95);

        return [
            LineChart::of('p95 of wall time', $steps, $points($p95), Units::us(...), $kind, $labels),
            LineChart::of('Requests per second', $steps, $points($perSecond), Units::count(...), $kind, $labels),
        ];
    }

    /** "src/Catalog.php:12". */
    public static function place(string $file, int $line): string
    {
        return $file === '' ? '' : (new CodePlace($file, $line))->text();
    }

    /** @return array<string, mixed> cell of a function's own time per request in two releases */
    public static function change(ReleaseFigures $one, ReleasePair $pair): array
    {
        [$before, $after] = [$one->selfPerRequest($pair->base), $one->selfPerRequest($pair->release)];

        return FleetTable::change($before === null ? null : $before / 1000, $after === null ? null : $after / 1000);
    }

    /** @return string core-hours */
    public static function hours(RouteFigures $figures): string
    {
        $hours = $figures->coreHours();

        return match (true) {
            $hours > 0 && $hours < 0.01 => '< 0.01',
            $hours < 100 => number_format($hours, 2, '.', ' '),
            default => Units::count((int) round($hours)),
        };
    }

    /** @param list<array{figures: RouteFigures}> $rows */
    public static function sum(array $rows): RouteFigures
    {
        return array_reduce(
            $rows,
            static fn (RouteFigures $sum, array $one): RouteFigures => $sum->plus($one['figures']),
            RouteFigures::none(),
        );
    }

    /** @return list<array{label: string, text: string, exact: string}> */
    public static function tiles(RouteFigures $figures): array
    {
        $time = static fn (float $share): string => Units::us($figures->wallQuantile($share) ?? 0);

        return [
            ['label' => 'Requests', 'text' => Units::count($figures->requests), 'exact' => ''],
            [
                'label' => 'Failed', 'text' => Units::count($figures->failed),
                'exact' => Units::percent($figures->failed, max(1, $figures->requests)) . ' of the requests',
            ],
            ['label' => 'Median', 'text' => $time(0.5), 'exact' => RouteReport::quantile(0.5)],
            ['label' => 'p95', 'text' => $time(0.95), 'exact' => RouteReport::quantile(0.95)],
            ['label' => 'p99', 'text' => $time(0.99), 'exact' => RouteReport::quantile(0.99)],
            ['label' => 'Core-hours', 'text' => self::hours($figures), 'exact' => self::CORE_HOURS],
        ];
    }

    /**
     * Seconds for which each release was there in the time that is asked for.
     *
     * @param list<array{release: string, env: string, first: int, last: int, requests: int}> $releases
     *
     * @return array<string, float> by release, behind a NUL
     */
    private static function seconds(FleetQuery $query, array $releases): array
    {
        $seconds = [];
        $which = $query->selection;
        foreach ($releases as $release) {
            $length = min($release['last'], $which->to ?? PHP_INT_MAX) - max($release['first'], $which->from ?? 0);
            $key = "\0{$release['release']}";
            $seconds[$key] = max($seconds[$key] ?? 0.0, (float) $length);
        }

        return $seconds;
    }
}
