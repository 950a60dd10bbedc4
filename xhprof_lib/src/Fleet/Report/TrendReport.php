<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\RequestTrend;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\RouteFigures;

/**
 * What requests took, step after step, by release or by service.
 *
 * @phpstan-import-type Step from RequestTrend
 * @phpstan-type Row array{at: int, began: int, release: string, requests: int, failed: int, rate: float, p50_us: ?int,
 *     p95_us: ?int, p99_us: ?int, cpu_mean_us: ?int}
 */
final class TrendReport
{
    public readonly ?TimeSteps $steps;

    public function __construct(private readonly Client $client, Selection $which)
    {
        $this->steps = TimeSteps::divide($client, $which);
    }

    /** @param int $limit the newest lines; 0 stands for all */
    public function report(int $limit): Report
    {
        $steps = $this->steps;
        $found = $this->found();
        $rows = $this->rows($found);

        return new Report([new Table('rows', [
            new Column('release', Unit::Name, 'release'),
            new Column('began', Unit::Minute, 'began'),
            FleetColumns::requests(),
            new Column('rate', Unit::Ratio, 'a second', 5),
            new Column('failed', Unit::Count, 'failed', 3),
            FleetColumns::quantile('p50', 4),
            FleetColumns::quantile('p95', 2),
            FleetColumns::quantile('p99', 0),
            new Column('cpu_mean_us', Unit::Microseconds, 'mean CPU', 6),
        ], array_slice($rows, $limit === 0 ? 0 : -$limit), 'No requests of this selection have arrived.')], self::since($found), [
            'step_seconds' => $steps?->seconds, 'from' => $steps?->which->from, 'until' => $steps?->which->to,
            'lines_total' => count($rows),
        ], steps: $steps === null || $found === [] ? null : static fn (int $most): array => self::lines($steps, $found, $most));
    }

    /** @return list<Row> a row per step and release that have requests, the oldest first */
    public function releases(): array
    {
        return $this->rows($this->found());
    }

    /** @return list<Row> a row per step and service; its `release` is the service, a NUL and the environment */
    public function services(): array
    {
        return $this->rows($this->steps === null ? [] : array_map(
            static fn (array $step): array => ['release' => "$step[service]\0$step[env]"] + $step,
            (new RequestTrend($this->client))->services($this->steps),
        ));
    }

    /** @return list<Step> */
    private function found(): array
    {
        return $this->steps === null ? [] : (new RequestTrend($this->client))->requests($this->steps);
    }

    /**
     * @param list<Step> $found
     *
     * @return list<Row>
     */
    private function rows(array $found): array
    {
        return array_map(fn (array $step): array => [
            'at' => $step['at'],
            'began' => $step['at'],
            'release' => $step['release'],
            'requests' => $step['figures']->requests,
            'failed' => $step['figures']->failed,
            'rate' => $step['figures']->requests / max(1, $this->steps?->secondsOf($step['at'])),
            'p50_us' => $step['figures']->wallQuantile(0.5),
            'p95_us' => $step['figures']->wallQuantile(0.95),
            'p99_us' => $step['figures']->wallQuantile(0.99),
            'cpu_mean_us' => self::meanCpu($step['figures']),
        ], $found);
    }

    /**
     * All releases together.
     *
     * @param list<Step> $found
     *
     * @return array<string, array{Unit, list<int|float|null>}>
     */
    private static function lines(TimeSteps $steps, array $found, int $most): array
    {
        $all = array_fill_keys($steps->all(), RouteFigures::none());
        foreach ($found as $step) {
            $all[$step['at']] = ($all[$step['at']] ?? RouteFigures::none())->plus($step['figures']);
        }
        $groups = array_map(RouteFigures::sum(...), $steps->groups($all, $most));
        $quantile = static fn (float $share): array
            => array_map(static fn (RouteFigures $one): ?int => $one->wallQuantile($share), $groups);

        return [
            'requests' => [Unit::Count, array_map(static fn (RouteFigures $one): int => $one->requests, $groups)],
            'failed' => [Unit::Count, array_map(static fn (RouteFigures $one): int => $one->failed, $groups)],
            'median' => [Unit::Microseconds, $quantile(0.5)],
            'p95' => [Unit::Microseconds, $quantile(0.95)],
            'p99' => [Unit::Microseconds, $quantile(0.99)],
            'mean CPU' => [Unit::Microseconds, array_map(self::meanCpu(...), $groups)],
        ];
    }

    private static function meanCpu(RouteFigures $figures): ?int
    {
        return $figures->requests === 0 ? null : intdiv($figures->cpu, $figures->requests);
    }

    /**
     * @param list<Step> $found
     *
     * @return list<string> since when there are several releases
     */
    private static function since(array $found): array
    {
        $since = [];
        foreach ($found as $step) {
            $since["\0{$step['release']}"] ??= $step['at'];
        }
        $notes = [];
        foreach (count($since) > 1 ? $since : [] as $release => $at) {
            $notes[] = substr($release, 1) . ' since ' . Unit::Minute->text($at);
        }

        return $notes;
    }
}
