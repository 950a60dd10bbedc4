<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * Compares the hosts: how slow each is beside the others, and which ones stand out.
 *
 * @phpstan-import-type Host from HostFigures
 */
final class HostsReport
{
    private function __construct()
    {
    }

    public static function report(Client $client, Selection $which, SampledClock $clock): Report
    {
        $hosts = (new Requests($client))->hosts($which, $clock);
        $rows = array_map(
            static fn (array $host): array => ['time_us' => $host['time']] + array_diff_key($host, ['time' => 0]),
            $hosts,
        );
        $table = new Table('rows', [
            new Column('host', Unit::Name, 'host'),
            FleetColumns::slowness('the same requests take'),
            FleetColumns::requests(),
            FleetColumns::failed(),
            new Column(
                'time_us',
                Unit::Microseconds,
                'total',
                Column::PHONE + 2,
                help: 'Time of all requests together',
                sort: 'total',
            ),
            FleetColumns::odd(),
        ], $rows, 'No requests of this selection have arrived.', caption: 'Hosts, with how slow each is beside the others');

        return new Report([$table], self::notes($hosts), [
            'hosts_total' => count($hosts), 'outliers' => array_column(self::odd($hosts), 'host'),
        ]);
    }

    /**
     * @param list<Host> $hosts
     *
     * @return list<Host> those that stand out
     */
    public static function odd(array $hosts): array
    {
        return array_values(array_filter($hosts, static fn (array $host): bool => $host['is_outlier']));
    }

    /**
     * @param list<Host> $hosts
     *
     * @return list<string> sentences that say how many hosts stand out
     */
    private static function notes(array $hosts): array
    {
        $odd = count(self::odd($hosts));

        return match (true) {
            $hosts === [] => [],
            count($hosts) < HostFigures::LEAST_HOSTS => [self::tooFew()],
            default => [sprintf(
                '%s of %s hosts %s out: a modified z-score above 3.5, and a twentieth slower. Each route is compared with itself '
                    . 'on the other hosts.',
                Units::count($odd),
                Units::count(count($hosts)),
                $odd === 1 ? 'stands' : 'stand',
            )],
        };
    }

    public static function tooFew(): string
    {
        return 'Not enough data: it takes ' . HostFigures::LEAST_HOSTS . ' hosts to know whether one stands out.';
    }
}
