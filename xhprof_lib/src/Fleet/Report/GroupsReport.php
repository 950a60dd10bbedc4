<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\FlameRun;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Functions\FlatReport;
use XHProf\Owners\GroupedRun;
use XHProf\Owners\Grouping;
use XHProf\Owners\GroupSums;
use XHProf\Owners\RouteHost;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * Which packages, plug-ins or owners take most time per request, of all hosts; or, of each route or site, their share. By the call
 * paths of the selection: what PHP's own functions take belongs to their callers. The heaviest paths are known, the others are
 * (unknown).
 */
final class GroupsReport
{
    private const NONE = 'No samples of this selection have arrived.';

    private function __construct()
    {
    }

    /** Values of --per. */
    public const PER = ['route', 'site'];

    /** @param 'route'|'site'|null $per null: of the whole selection */
    public static function report(Client $client, Selection $which, SampledClock $clock, Grouping $grouping, ?string $per): Report
    {
        $flame = FlameRun::read($client, $which, $clock);
        $table = $per === null ? self::table($flame, $clock, $grouping) : self::shares($flame, $grouping, $per);

        return new Report([$table], [$per === null ? 'Times are per request.' : 'Times are of all these requests together.'], [
            'by' => $grouping->by->value,
        ] + ($per === null ? [] : ['per' => $per]) + ['requests' => $flame->requests ?? 0]);
    }

    /** Groups of the whole selection, per request. */
    public static function table(?FlameRun $flame, SampledClock $clock, Grouping $grouping): Table
    {
        $rows = [];
        if ($flame !== null) {
            $run = GroupedRun::of($flame->run, new Grouping($grouping->by, $grouping->owners));
            $metrics = $run->profile()->metrics();
            $metric = in_array($clock->metric(), $metrics, true) ? $clock->metric() : $metrics[0] ?? '';
            $whole = $run->profile()->total($metric);
            $samples = [];
            foreach ($run->tree()->fn ?? [] as $node => $fn) {
                $samples[$fn] = ($samples[$fn] ?? 0) + ($run->tree()->ct[$node] ?? 0);
            }
            $numbers = array_flip($run->tree()->names ?? []);
            foreach (FlatReport::compute($run->profile(), true)->rows() as $name => $row) {
                $own = $row["excl_$metric"] ?? 0;
                $rows[] = [
                    'group' => (string) $name,
                    'self_ns' => self::perRequest($own, $flame->requests),
                    'share' => $whole == 0 ? 0 : $own / $whole,
                    'total_ns' => self::perRequest($row[$metric] ?? 0, $flame->requests),
                    'samples' => $samples[$numbers[$name] ?? -1] ?? 0,
                ];
            }
            usort($rows, static fn (array $a, array $b): int => [$b['self_ns'], $a['group']] <=> [$a['self_ns'], $b['group']]);
        }
        $noun = $grouping->by->noun();
        $rows = self::wanted($rows, $grouping);

        return new Table('rows', [
            new Column('group', Unit::Name, $noun),
            FleetColumns::self(),
            new Column('share', Unit::Percent, 'share', 1, help: 'Its share of the time of these requests'),
            FleetColumns::total(),
            FleetColumns::samples(Column::NARROW),
        ], $rows, self::NONE, caption: ucfirst($noun) . 's, with their time per request', note: 'times per request');
    }

    /** @param 'route'|'site' $per */
    private static function shares(?FlameRun $flame, Grouping $grouping, string $per): Table
    {
        $sums = new GroupSums(new Grouping($grouping->by, $grouping->owners));
        if ($flame !== null) {
            $sums->addRoutes($flame->run, $per === 'site' ? RouteHost::of(...) : static fn (string $route): string => $route);
        }
        $rows = [];
        foreach ($sums->rows() as ['row' => $name, 'ns' => $whole, 'groups' => $groups]) {
            foreach ($groups as $group => $ns) {
                $share = $whole === 0 ? 0 : $ns / $whole;
                $rows[] = ['row' => $name, 'group' => substr($group, 1), 'total_ns' => $ns, 'share' => $share];
            }
        }

        return new Table('rows', [
            new Column('row', Unit::Name, $per),
            new Column('group', Unit::Name, $grouping->by->noun()),
            new Column('total_ns', Unit::Nanoseconds, 'total', sort: 'total'),
            new Column('share', Unit::Percent, 'share', 1, help: "Its share of the time of the $per"),
        ], self::wanted($rows, $grouping), self::NONE);
    }

    /**
     * @template R of array{group: string, ...}
     *
     * @param list<R> $rows
     *
     * @return list<R> of the wanted group, or all
     */
    private static function wanted(array $rows, Grouping $grouping): array
    {
        return $grouping->one === null ? $rows : array_values(array_filter($rows, static fn (array $row): bool
            => $row['group'] === $grouping->one));
    }

    /** @param int|float $us as profiles have times */
    private static function perRequest(int|float $us, int $requests): float
    {
        return 1000 * $us / max(1, $requests);
    }
}
