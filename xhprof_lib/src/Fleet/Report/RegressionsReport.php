<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\Question\Regression;
use XHProf\Fleet\Question\RegressionReport;
use XHProf\Fleet\Question\RegressionRules;
use XHProf\Fleet\Question\Regressions;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Which functions got slower with a release, but for those that rules mute. */
final class RegressionsReport
{
    /** @var list<Regression> */
    public readonly array $slower;

    /** @var list<Regression> */
    public readonly array $muted;

    /** @param int $now seconds since 1970 */
    public function __construct(
        private readonly RegressionReport $found,
        private readonly RegressionRules $rules,
        private readonly int $now,
    ) {
        $isMuted = static fn (Regression $one): bool => $rules->mute($one->route, $one->name, $now) !== null;
        $this->slower = array_values(array_filter($found->slower, static fn (Regression $one): bool => !$isMuted($one)));
        $this->muted = array_values(array_filter($found->slower, $isMuted));
    }

    public function report(): Report
    {
        $found = $this->found;
        $rows = array_map($this->row(...), $this->slower);
        $silent = [];
        $notes = [$this->sentence(), $found->short === [] ? '' : 'Not enough data: ' . implode(', ', $found->short)];
        foreach ($this->muted as $one) {
            $mute = $this->rules->mute($one->route, $one->name, $this->now);
            $silent[] = $this->row($one) + ['until' => $mute?->until, 'reason' => $mute?->reason];
            $notes[] = "Muted until $mute?->until: $one->name of $one->route ($mute?->reason)";
        }
        foreach ($this->rules->ended($this->now) as $mute) {
            $notes[] = "A mute has ended on $mute->until: " . trim("$mute->function $mute->route") . " ($mute->reason)";
        }
        $hasOwners = array_filter(array_column($rows, 'owner')) !== [];

        return new Report([new Table('rows', [
            new Column('function', Unit::Name, 'function'),
            new Column('route', Unit::Name, 'route'),
            ...$hasOwners ? [new Column('owner', Unit::Text, 'owner', 1, '')] : [],
            new Column('growth_ns', Unit::Nanoseconds, 'growth', 0, null, 'Growth of own time per request', 'change'),
            new Column('before_ns', Unit::Nanoseconds, 'before', Column::PHONE, null, 'Own time per request before', 'before'),
            new Column('after_ns', Unit::Nanoseconds, 'after', Column::PHONE, null, 'Own time per request after', 'after'),
            new Column(
                'share',
                Unit::Ratio,
                '% of route',
                Column::NARROW,
                'Of the route',
                "Growth, as a share of the route's time per request before",
            ),
            new Column(
                'false_rate',
                Unit::Percent,
                '',
                Column::NARROW,
                'By chance',
                'How likely it is by chance, with so many functions looked at',
                'chance',
            ),
        ], $rows, $this->none(), 'Slower', 'Functions that got slower')], array_values(array_filter($notes)), [
            'base' => $found->old, 'release' => $found->new, 'tested' => $found->tested, 'slower_total' => count($rows),
            'faster_total' => $found->faster, 'routes_compared' => $found->compared,
            'routes_without_enough_data' => $found->short, 'muted' => $silent,
        ]);
    }

    /** Says in a sentence which releases, routes and functions were compared. */
    public function sentence(): string
    {
        return sprintf(
            '%s -> %s: %s functions of %s %s tested, own time per request; %s got slower, %s got faster',
            $this->found->old,
            $this->found->new,
            Units::count($this->found->tested),
            Units::count(count($this->found->compared)),
            count($this->found->compared) === 1 ? 'route' : 'routes',
            Units::count(count($this->found->slower)),
            Units::count($this->found->faster),
        );
    }

    /** Lists the routes that do not have enough data. */
    public function short(): Table
    {
        return new Table('short', [
            Column::ofPage('route', Unit::Name, 'Route'),
        ], array_map(
            static fn (string $route): array => ['route' => $route],
            $this->found->short,
        ), 'Each route has enough data.', 'Not enough data', 'Routes of which nothing can be said', sprintf(
            'nothing is said of a route that has fewer than %s requests, values of %d times 10 minutes, or'
                . ' %d of a host and 10 minutes, in either release',
            Units::count(Regressions::LEAST_REQUESTS),
            Regressions::LEAST_VALUES,
            Regressions::LEAST_CELLS,
        ));
    }

    private function none(): string
    {
        return $this->found->compared === [] ? 'Not enough data: no route could be compared.' : 'No function got slower.';
    }

    /** @return array{route: string, function: string, file: string, line: int, owner: string, growth_ns: float, before_ns: float,
     *     after_ns: float, share: float, false_rate: float} */
    public function row(Regression $one): array
    {
        return [
            'route' => $one->route, 'function' => $one->name, 'file' => $one->file, 'line' => $one->line,
            'owner' => $this->rules->owner($one->file), 'growth_ns' => $one->growth(), 'before_ns' => $one->before,
            'after_ns' => $one->after, 'share' => 100 * $one->share(), 'false_rate' => $one->falseRate,
        ];
    }
}
