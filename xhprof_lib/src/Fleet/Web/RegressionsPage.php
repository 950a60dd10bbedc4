<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\StableNumbers;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Verdicts;
use XHProf\Format\Units;
use XHProf\Web\Http\Response;

/** show=regressions: which functions got slower from base_release to release; the newest and the one before where none is named. */
final class RegressionsPage extends FleetPart
{
    private const VERDICTS = 20;

    public function respond(): Response
    {
        $query = $this->query->needsService();
        $which = $query->selection;
        $base = $query->typedBase['release'];
        $top = $this->asked->top('regressions', 'Regressions');
        $pair = ReleasePair::of($this->client, $which, $which->release, $base);
        $top += ['pair' => ['release' => $pair->release ?? $which->release, 'base' => $pair->base ?? $base]];
        if ($pair === null) {
            return $this->asked->page($top, [
                FleetContext::notice('Not enough data: there are no two releases of this selection to compare.', 'empty'),
            ]);
        }
        $report = (new Regressions($this->client))->between($which, $pair->base, $pair->release, $query->clock);

        return $this->asked->page($top, [
            FleetContext::notice(self::sentence($report)),
            $this->asked->sortable($this->table($report), 'regressions', ['base_release' => $base]),
            $report->short === [] ? null : $this->short($report),
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

    private static function sentence(RegressionReport $report): string
    {
        return sprintf(
            '%s → %s: %s functions of %s %s tested, %s got slower, %s got faster.',
            $report->old,
            $report->new,
            Units::count($report->tested),
            Units::count(count($report->compared)),
            count($report->compared) === 1 ? 'route' : 'routes',
            Units::count(count($report->slower)),
            Units::count($report->faster),
        );
    }

    private function table(RegressionReport $report): FleetTable
    {
        $empty = $report->compared === [] ? 'Not enough data: no route could be compared.' : 'No function got slower.';
        $table = new FleetTable('slower', 'Slower', 'Functions that got slower', [
            'function' => FleetTable::words('Function'),
            'route' => FleetTable::words('Route'),
            'change' => FleetTable::number('Growth', 'Growth of own time per request'),
            'before' => FleetTable::number('Before', 'Own time per request before', FleetTable::MEDIUM),
            'after' => FleetTable::number('After', 'Own time per request after', FleetTable::MEDIUM),
            'share' => FleetTable::number('Of the route', 'Growth, as a share of the route\'s time per request before', FleetTable::WIDE),
            'chance' => FleetTable::number('By chance', 'How likely it is by chance, with so many functions looked at', FleetTable::WIDE),
            'links' => FleetTable::words('', 'Where to look'),
        ], $empty);
        foreach ($report->slower as $one) {
            $own = ['route' => $one->route];
            $after = $own + ['release' => $report->new];
            $table->add([
                FleetTable::name(
                    $one->name,
                    FleetTable::functionUrl($this->query, $one->name, $one->fn, $own + ['release' => null]),
                    '',
                    FiguresTable::place($one->file, $one->line),
                ),
                FleetTable::name($one->route, $this->query->url('routes', $own + ['release' => null]), '(no route)'),
                FleetTable::change($one->before / 1000, $one->after / 1000),
                FleetTable::time($one->before / 1000),
                FleetTable::time($one->after / 1000),
                ['value' => $one->share()] + FleetTable::text(Units::percent($one->share(), 1)),
                ['value' => $one->falseRate]
                    + FleetTable::text($one->falseRate < 0.001 ? 'below 0.1 %' : Units::percent($one->falseRate, 1)),
                FleetTable::links([
                    'Flame graphs' => $this->query->differenceUrl(['release' => $report->old], $after + ['sel' => $one->name]),
                    'Requests' => $this->query->url('requests', $after + ['symbol' => $one->name]),
                ], $one->name),
            ]);
        }

        return $table;
    }

    private function short(RegressionReport $report): FleetTable
    {
        $table = new FleetTable('short', 'Not enough data', 'Routes of which nothing can be said', [
            'route' => FleetTable::words('Route'),
        ], '', sprintf(
            'nothing is said of a route that has fewer than %s requests, values of %d times 10 minutes, or'
                . ' %d of a host and 10 minutes, in either release',
            Units::count(Regressions::LEAST_REQUESTS),
            Regressions::LEAST_VALUES,
            Regressions::LEAST_CELLS,
        ));
        foreach ($report->short as $route) {
            $url = $this->query->url('routes', ['route' => $route, 'release' => null]);
            $table->add([FleetTable::name($route, $url, '(no route)')]);
        }

        return $table;
    }

    /** What was found and saved before; null if nothing was. */
    private function verdicts(): ?FleetTable
    {
        $query = $this->query;
        $saved = (new Verdicts($this->client))->latest($query->selection->ofRelease(''), self::VERDICTS);
        $table = new FleetTable('saved', 'Found before', 'Regressions that were found and saved', [
            'function' => FleetTable::words('Function'),
            'route' => FleetTable::words('Route'),
            'growth' => FleetTable::number('Growth', 'Growth of own time per request'),
            'release' => FleetTable::words('Release', 'The release, and the one that it was compared with', FleetTable::MEDIUM),
            'state' => FleetTable::words('State', 'Whether it is muted', FleetTable::MEDIUM),
            'owner' => FleetTable::words('Owner', 'Who owns the file', FleetTable::WIDE),
            'note' => FleetTable::words('Why muted', 'Why it is muted', FleetTable::WIDE),
            'found' => FleetTable::words('Found', 'When it was found last', FleetTable::WIDE),
        ], '', 'by bin/xhprof fleet regressions --save');
        foreach ($saved as $one) {
            $pair = ['release' => $one['release'], 'base_release' => $one['base']];
            $table->add([
                FleetTable::name($one['function'], FleetTable::functionUrl($query, $one['function'], StableNumbers::fn($one['function']), [
                    'route' => $one['route'], 'release' => null,
                ])),
                FleetTable::name($one['route'], $query->url('routes', ['route' => $one['route'], 'release' => null]), '(no route)'),
                FleetTable::time($one['growth_ns'] / 1000),
                FleetTable::text("$one[base] → $one[release]", $query->url('regressions', $pair)),
                FleetTable::badge($one['state']),
                FleetTable::text($one['owner']),
                FleetTable::text($one['note']),
                FleetTable::moment($one['at']),
            ]);
        }

        return $saved === [] ? null : $table;
    }
}
