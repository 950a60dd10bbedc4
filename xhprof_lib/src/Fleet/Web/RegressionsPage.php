<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\RegressionRules;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Report\RegressionsReport;
use XHProf\Fleet\Report\VerdictsReport;
use XHProf\Format\Units;
use XHProf\Report\Table;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\ReportTable;

/**
 * show=regressions: which functions got slower from base_release to release; the newest and the one before where none is named.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-import-type Additions from ReportTable
 */
final class RegressionsPage extends FleetPart
{
    private const VERDICTS = 20;

    public function respond(): Response
    {
        $query = $this->query->needsService();
        $which = $query->selection;
        $base = $query->typedBase['release'];
        $top = $this->asked->top('regressions', 'Regressions');
        $pair = ReleasePair::choose($this->client, $which, $which->release, $base);
        $top += ['pair' => ['release' => $pair->release ?? $which->release, 'base' => $pair->base ?? $base]];
        if ($pair === null) {
            return $this->asked->page($top, [
                FleetContext::notice('Not enough data: there are no two releases of this selection to compare.', 'empty'),
            ]);
        }
        $found = (new Regressions($this->client))->between($which, $pair->base, $pair->release, $query->clock);
        $report = new RegressionsReport($found, RegressionRules::none(), time());

        return $this->asked->page($top, [
            FleetContext::notice($report->sentence()),
            $this->asked->sortable($this->table($report->report()->tables[0], $pair), 'regressions', ['base_release' => $base]),
            $found->short === [] ? null : $this->asked->table($report->short(), 'short', $this->additions(...)),
            $this->verdicts(),
            FleetContext::links(['Flame graphs of both releases' => $query->differenceUrl(
                ['release' => $pair->base],
                ['release' => $pair->release],
            )]),
            FleetContext::notice('A value is a function\'s own time per request of a route, of all hosts together, in 10 minutes. '
                . 'Welch\'s test compares those of both releases at the same hours of the day, where it can, and false '
                . 'discoveries are controlled over all functions. A function is listed if its own time grew by a tenth, and by '
                . 'a hundredth of the route\'s time. Compare releases that ran on the same hosts.'),
        ]);
    }

    /**
     * @param Row $row
     *
     * @return Additions links of all releases
     */
    private function additions(array $row, string $key): array
    {
        $route = (string) ($row['route'] ?? '');

        return match ($key) {
            'function' => ['url' => $this->query->functionUrl((string) $row['function'], ['route' => $route, 'release' => null])],
            'route' => FleetContext::named(
                $route,
                '(no route)',
                $this->query->url('routes', ['route' => $route, 'release' => null]),
            ),
            default => [],
        };
    }

    private function table(Table $table, ReleasePair $pair): ReportTable
    {
        $query = $this->query;

        return $this->asked->table(
            $table,
            'slower',
            fn (array $row, string $key): array => match ($key) {
                'growth_ns' => ['from' => self::figure($row['before_ns'])],
                'share' => ['text' => Units::percent((float) $row['share'], 100)],
                'false_rate' => $row['false_rate'] < 0.001 ? ['text' => 'below 0.1 %'] : [],
                default => $this->additions($row, $key),
            },
            static function (array $row) use ($query, $pair): array {
                $after = ['route' => (string) $row['route'], 'release' => $pair->release];
                $name = (string) $row['function'];

                return [
                    'Flame graphs' => $query->differenceUrl(['release' => $pair->base], $after + ['sel' => $name]),
                    'Requests' => $query->url('requests', $after + ['symbol' => $name]),
                ];
            },
        );
    }

    /** What was found and saved before; null if nothing was. */
    private function verdicts(): ?ReportTable
    {
        $query = $this->query;
        $table = VerdictsReport::report($this->client, $query->selection->ofRelease(''), self::VERDICTS)->tables[0];

        $more = fn (array $row, string $key): array => match ($key) {
            'releases' => ['url' => $query->url('regressions', ['release' => $row['release'], 'base_release' => $row['base']])],
            'state' => ['tone' => 'badge'],
            default => $this->additions($row, $key),
        };

        return $table->rows === [] ? null : $this->asked->table($table, 'saved', $more);
    }
}
