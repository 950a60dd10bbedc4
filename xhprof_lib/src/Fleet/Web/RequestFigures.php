<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Report\FleetColumns;
use XHProf\Fleet\Report\TrendReport;
use XHProf\Format\Units;
use XHProf\Report\Unit;
use XHProf\Run\RouteFigures;

/**
 * What stands above the tables of several pages: sums, and lines over time.
 *
 * @phpstan-import-type Row from TrendReport
 */
final class RequestFigures extends FleetPart
{
    /** @return list<array<string, mixed>|null> what requests took over time, and how many there were, by release */
    public function charts(): array
    {
        $trend = new TrendReport($this->client, $this->query->selection);

        return self::overTime($trend, $trend->releases(), ['release', 'releases']);
    }

    /**
     * Prepares these charts with a line for each service.
     *
     * @param list<array{service: string, env: string}> $services in the order of their lines
     *
     * @return list<array<string, mixed>|null>
     */
    public function serviceCharts(array $services): array
    {
        // The environment where there are several.
        $isOne = count(array_unique(array_column($services, 'env'))) === 1;
        $labels = [];
        foreach ($services as $one) {
            $name = $one['service'] === '' ? '(no name)' : $one['service'];
            $labels["$one[service]\0$one[env]"] = $isOne || $one['env'] === '' ? $name : "$name ($one[env])";
        }
        $trend = new TrendReport($this->client, $this->query->selection);

        return self::overTime($trend, $trend->services(), ['service', 'services'], $labels);
    }

    /**
     * @param list<Row> $rows
     * @param array{string, string} $kind
     * @param array<string, string> $labels as LineChart::draw() takes them
     *
     * @return list<array<string, mixed>|null>
     */
    private static function overTime(TrendReport $trend, array $rows, array $kind, array $labels = []): array
    {
        $chart = static fn (string $title, string $key, Unit $unit): ?array => $trend->steps === null ? null : LineChart::draw(
            $title,
            $trend->steps,
            array_map(static fn (array $row): array => [
                'at' => $row['at'], 'line' => $row['release'], 'value' => self::figure($row[$key] ?? null),
            ], $rows),
            $unit,
            $kind,
            $labels,
        );

        return [
            $chart('p95 of wall time', 'p95_us', Unit::Microseconds), $chart('Requests per second', 'rate', Unit::Count),
        ];
    }

    /** @return list<array{label: string, text: string, exact: string}> */
    public static function tiles(RouteFigures $figures): array
    {
        $time = static fn (string $label, string $key): array => [
            'label' => $label,
            'text' => Unit::Microseconds->text($figures->wallQuantile(RouteFigures::QUANTILES[$key]) ?? 0),
            'exact' => RouteFigures::meaning(RouteFigures::QUANTILES[$key]),
        ];

        return [
            ['label' => 'Requests', 'text' => Units::count($figures->requests), 'exact' => ''],
            self::failed($figures),
            $time('Median', 'p50'),
            $time('p95', 'p95'),
            $time('p99', 'p99'),
            self::cost($figures),
            ...$figures->suspended === 0 ? [] : [[
                'label' => 'Suspended',
                'text' => Units::percent($figures->suspendedTime, max(1, $figures->wall)),
                'exact' => Units::us($figures->suspendedTime) . ' of ' . Units::us($figures->wall) . ', of '
                    . Units::counted($figures->suspended, 'request') . ': other fibers ran, or the loop waited',
            ]],
        ];
    }

    /** @return array{label: string, text: string, exact: string} */
    public static function failed(RouteFigures $figures): array
    {
        $share = Units::percent($figures->failed, max(1, $figures->requests)) . ' of the requests';

        return ['label' => 'Failed', 'text' => Units::count($figures->failed), 'exact' => $share];
    }

    /** @return array{label: string, text: string, exact: string} */
    public static function cost(RouteFigures $figures): array
    {
        return [
            'label' => 'Core-hours', 'text' => Unit::Hours->text($figures->coreHours()), 'exact' => FleetColumns::CORE_HOURS,
        ];
    }
}
