<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\FunctionFigures;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\OverTime;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Steps;
use XHProf\Format\Units;
use XHProf\Profile\CodePlace;
use XHProf\Run\RouteFigures;
use XHProf\Web\Fleet\FleetQuery;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Fleet\KeptRequest;
use XHProf\Web\Fleet\LineChart;
use XHProf\Web\Run\RouteLines;

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
    public function routes(array $rows, array $releases, string $first = 'route'): Table
    {
        $isOfRoute = $first === 'release';
        $names = $isOfRoute
            ? ['release' => Table::words('Release')]
            : ['route' => Table::words('Route or job'), 'release' => Table::words('Release')];
        $title = $isOfRoute ? 'Releases' : 'Routes';
        $table = new Table(strtolower($title), $title, 'What requests took, by release', $names + [
            'requests' => Table::number('Requests'),
            'rate' => Table::number('Per second', 'Requests per second, while the release was there', Table::WIDE),
            'failed' => Table::number('Failed', Table::FAILED, Table::MEDIUM),
            'p50' => Table::number('Median', RouteLines::quantile(0.5), Table::MEDIUM),
            'p95' => Table::number('p95', RouteLines::quantile(0.95), Table::MEDIUM),
            'p99' => Table::number('p99', RouteLines::quantile(0.99)),
            'max' => Table::number('Slowest', 'The slowest request', Table::WIDE),
            'total' => Table::number('Total', 'Wall time of all requests together, and the share of the service', Table::MEDIUM),
        ], '', $isOfRoute ? '' : 'by total time');
        $wall = self::sum($rows)->wall;
        $seconds = self::seconds($this->query, $releases);
        foreach ($rows as $row) {
            $figures = $row['figures'];
            $own = ['route' => $row['route'], 'release' => $row['release']];
            $slowest = $this->query->url('requests', $own + ['kept' => KeptRequest::SLOWEST]);
            $routeUrl = $this->query->url('routes', ['route' => $row['route']]);
            $release = Table::text($row['release'] === '' ? '(none)' : $row['release'], $this->query->url('routes', $own));
            $rate = RouteLines::rate($figures->requests, $seconds["\0{$row['release']}"] ?? 0.0);
            $table->add([
                ...$isOfRoute
                    ? [Table::name($row['release'], $this->query->url('functions', $own), '(none)')]
                    : [Table::name($row['route'], $routeUrl, '(no route)'), $release],
                Table::count($figures->requests),
                ['value' => $figures->requests] + Table::text($rate),
                Table::failed($figures->failed, $figures->requests),
                Table::time($figures->wallQuantile(0.5)),
                Table::time($figures->wallQuantile(0.95)),
                Table::time($figures->wallQuantile(0.99), 0, $this->query->url('requests', $own), 'The slowest requests'),
                Table::time($figures->max, 0, $slowest, 'The slowest request that was kept'),
                Table::time($figures->wall, $wall),
            ]);
        }

        return $table;
    }

    /**
     * Functions of the selection, the most own time first, and what the last release changed.
     *
     * @param string $title '' for the page of functions
     */
    public function functions(?ReleasePair $pair, int $most = self::FUNCTIONS, string $title = ''): Table
    {
        $query = $this->query;
        $which = $query->selection;
        $hasChange = $pair !== null && $which->release === '';
        $columns = [
            'function' => Table::words('Function'),
            'self' => Table::number('Self', 'Own time per request'),
            'total' => Table::number('Total', 'Time with all it called, per request'),
            'samples' => Table::number('Samples', 'Samples in the function itself', Table::WIDE),
        ];
        if ($hasChange) {
            $columns['change'] = Table::number('Change', "Own time per request: $pair->base, then $pair->release");
        }
        $about = $hasChange ? "times per request; the change is from $pair->base to $pair->release" : 'times per request';
        $empty = 'No samples of this selection have arrived.';
        $table = new Table('functions', $title, 'Functions, with their time per request', $columns, $empty, $about);
        $functions = (new Functions($this->client))->top($which, $query->clock, $most);
        $whole = array_sum(array_map(static fn (FunctionFigures $one): float => $one->selfPerRequest() ?? 0.0, $functions)) / 1000;
        foreach ($functions as $one) {
            $self = $one->selfPerRequest();
            $total = $one->totalPerRequest();
            $cells = [
                Table::name($one->name, Table::functionUrl($query, $one->name, $one->fn), '', self::place($one->file, $one->line)),
                Table::time($self === null ? null : $self / 1000, $whole),
                Table::time($total === null ? null : $total / 1000),
                Table::count($one->samples()),
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
        $steps = Steps::of($this->client, $this->query->selection);
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
        $steps = Steps::of($this->client, $this->query->selection);
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
    private static function overTime(?Steps $steps, array $found, array $kind, array $labels = []): array
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
    public static function change(FunctionFigures $one, ReleasePair $pair): array
    {
        [$before, $after] = [$one->selfPerRequest($pair->base), $one->selfPerRequest($pair->release)];

        return Table::change($before === null ? null : $before / 1000, $after === null ? null : $after / 1000);
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
            ['label' => 'Median', 'text' => $time(0.5), 'exact' => RouteLines::quantile(0.5)],
            ['label' => 'p95', 'text' => $time(0.95), 'exact' => RouteLines::quantile(0.95)],
            ['label' => 'p99', 'text' => $time(0.99), 'exact' => RouteLines::quantile(0.99)],
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
