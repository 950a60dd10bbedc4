<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Report\Column;
use XHProf\Report\Unit;
use XHProf\Run\RouteFigures;

/** Columns that several reports of the fleet have. */
final class FleetColumns
{
    /** What a core-hour is. */
    public const CORE_HOURS = 'CPU time of the requests, in hours of one core';

    /** What it is to be suspended. */
    public const SUSPENDED = 'Time of all requests together in which their fibers were suspended: others ran, or the loop waited';

    private function __construct()
    {
    }

    public static function requests(int $weight = 1, string $help = ''): Column
    {
        return new Column('requests', Unit::Count, 'requests', $weight, help: $help);
    }

    /**
     * @param list<array<string, mixed>> $rows
     *
     * @return list<Column> none where no row has a figure
     */
    public static function suspended(array $rows): array
    {
        return array_filter(array_column($rows, 'suspended_us'), is_int(...)) === [] ? [] : [new Column(
            'suspended_us',
            Unit::Microseconds,
            'suspended',
            Column::NARROW + 3,
            help: self::SUSPENDED,
            sort: 'suspended',
        )];
    }

    public static function failed(): Column
    {
        return new Column('failed', Unit::Count, 'failed', Column::PHONE + 1, help: RouteFigures::FAILED);
    }

    /** @param 'p50'|'p95'|'p99' $key */
    public static function quantile(string $key, int $weight): Column
    {
        $title = $key === 'p50' ? 'median' : $key;
        $label = $key === 'p50' ? 'Median' : $key;

        return new Column("{$key}_us", Unit::Microseconds, $title, $weight, $label, self::meaning($key), $key);
    }

    /** @param 'p50'|'p95'|'p99' $key */
    public static function meaning(string $key): string
    {
        return RouteFigures::meaning(RouteFigures::QUANTILES[$key]);
    }

    public static function slowness(string $what): Column
    {
        return new Column('slowness', Unit::Ratio, 'slowness', help: "1.2: $what a fifth longer than on the host in the middle");
    }

    public static function self(): Column
    {
        return new Column('self_ns', Unit::Nanoseconds, 'own', 0, 'Self', 'Own time per request', 'self');
    }

    public static function total(string $help = 'Time with all it called, per request'): Column
    {
        return new Column('total_ns', Unit::Nanoseconds, 'with callees', 0, 'Total', $help, 'total');
    }

    public static function samples(int $weight, string $help = 'Samples in the function itself'): Column
    {
        return new Column('samples', Unit::Count, 'samples', $weight, help: $help);
    }

    /** Whether a host stands out: pages mark its name. */
    public static function odd(): Column
    {
        return new Column('is_outlier', Unit::Mark, '');
    }
}
