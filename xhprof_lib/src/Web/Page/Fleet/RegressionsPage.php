<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\ClickHouse\Names;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\Regressions;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Verdicts;
use XHProf\Format\Units;
use XHProf\Web\Fleet\FleetTable as Table;
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
                Asked::notice('Not enough data: there are no two releases of this selection to compare.', 'empty'),
            ]);
        }
        $report = (new Regressions($this->client))->between($which, $pair->base, $pair->release, $query->clock);

        return $this->asked->page($top, [
            Asked::notice(self::sentence($report)),
            $this->asked->sortable($this->table($report), 'regressions', ['base_release' => $base]),
            $report->short === [] ? null : $this->short($report),
            $this->verdicts(),
            Asked::links(['Flame graphs of both releases' => $query->differenceUrl(
                ['release' => $pair->base],
                ['release' => $pair->release],
            )]),
            Asked::notice('A value is a function\'s own time per request of a route, of all hosts together, in 10 minutes. '
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

    private function table(RegressionReport $report): Table
    {
        $empty = $report->compared === [] ? 'Not enough data: no route could be compared.' : 'No function got slower.';
        $table = new Table('slower', 'Slower', 'Functions that got slower', [
            'function' => Table::words('Function'),
            'route' => Table::words('Route'),
            'change' => Table::number('Growth', 'Growth of own time per request'),
            'before' => Table::number('Before', 'Own time per request before', Table::MEDIUM),
            'after' => Table::number('After', 'Own time per request after', Table::MEDIUM),
            'share' => Table::number('Of the route', 'Growth, as a share of the route\'s time per request before', Table::WIDE),
            'chance' => Table::number('By chance', 'How likely it is by chance, with so many functions looked at', Table::WIDE),
            'links' => Table::words('', 'Where to look'),
        ], $empty);
        foreach ($report->slower as $one) {
            $own = ['route' => $one->route];
            $after = $own + ['release' => $report->new];
            $table->add([
                Table::name(
                    $one->name,
                    Table::functionUrl($this->query, $one->name, $one->fn, $own + ['release' => null]),
                    '',
                    FiguresTable::place($one->file, $one->line),
                ),
                Table::name($one->route, $this->query->url('routes', $own + ['release' => null]), '(no route)'),
                Table::change($one->before / 1000, $one->after / 1000),
                Table::time($one->before / 1000),
                Table::time($one->after / 1000),
                ['value' => $one->share()] + Table::text(Units::percent($one->share(), 1)),
                ['value' => $one->falseRate]
                    + Table::text($one->falseRate < 0.001 ? 'below 0.1 %' : Units::percent($one->falseRate, 1)),
                Table::links([
                    'Flame graphs' => $this->query->differenceUrl(['release' => $report->old], $after + ['sel' => $one->name]),
                    'Requests' => $this->query->url('requests', $after + ['symbol' => $one->name]),
                ], $one->name),
            ]);
        }

        return $table;
    }

    private function short(RegressionReport $report): Table
    {
        $table = new Table('short', 'Not enough data', 'Routes of which nothing can be said', [
            'route' => Table::words('Route'),
        ], '', sprintf(
            'nothing is said of a route that has fewer than %s requests, values of %d times 10 minutes, or'
                . ' %d of a host and 10 minutes, in either release',
            Units::count(Regressions::LEAST_REQUESTS),
            Regressions::LEAST_VALUES,
            Regressions::LEAST_CELLS,
        ));
        foreach ($report->short as $route) {
            $url = $this->query->url('routes', ['route' => $route, 'release' => null]);
            $table->add([Table::name($route, $url, '(no route)')]);
        }

        return $table;
    }

    /** What was found and saved before; null if nothing was. */
    private function verdicts(): ?Table
    {
        $query = $this->query;
        $saved = (new Verdicts($this->client))->latest($query->selection->ofRelease(''), self::VERDICTS);
        $table = new Table('saved', 'Found before', 'Regressions that were found and saved', [
            'function' => Table::words('Function'),
            'route' => Table::words('Route'),
            'growth' => Table::number('Growth', 'Growth of own time per request'),
            'release' => Table::words('Release', 'The release, and the one that it was compared with', Table::MEDIUM),
            'state' => Table::words('State', 'Whether it is muted', Table::MEDIUM),
            'owner' => Table::words('Owner', 'Who owns the file', Table::WIDE),
            'note' => Table::words('Why muted', 'Why it is muted', Table::WIDE),
            'found' => Table::words('Found', 'When it was found last', Table::WIDE),
        ], '', 'by bin/xhprof fleet regressions --save');
        foreach ($saved as $one) {
            $pair = ['release' => $one['release'], 'base_release' => $one['base']];
            $table->add([
                Table::name($one['function'], Table::functionUrl($query, $one['function'], Names::fn($one['function']), [
                    'route' => $one['route'], 'release' => null,
                ])),
                Table::name($one['route'], $query->url('routes', ['route' => $one['route'], 'release' => null]), '(no route)'),
                Table::time($one['growth_ns'] / 1000),
                Table::text("$one[base] → $one[release]", $query->url('regressions', $pair)),
                Table::badge($one['state']),
                Table::text($one['owner']),
                Table::text($one['note']),
                Table::moment($one['at']),
            ]);
        }

        return $saved === [] ? null : $table;
    }
}
