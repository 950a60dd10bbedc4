<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\OneFunction;
use XHProf\Fleet\Question\ReleaseFigures;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Profile\CodePlace;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * One function on many hosts: by release, over time, its callers and callees, hosts, routes.
 *
 * @phpstan-import-type Neighbour from OneFunction
 * @phpstan-import-type FunctionStep from OneFunction
 * @phpstan-type Step array{at: int, began: string, release: string, requests: int, samples: int, self_ns: ?float, total_ns: ?float}
 */
final class OneFunctionReport
{
    public readonly int $fn;

    /** Figures of the function by release; null if no host has sent a function of this name. */
    public readonly ?ReleaseFigures $figures;

    private readonly OneFunction $question;

    public function __construct(
        private readonly Client $client,
        private readonly Selection $which,
        private readonly SampledClock $clock,
        string $name,
    ) {
        $this->question = new OneFunction($client, $name);
        $this->fn = $this->question->fn;
        $this->figures = $this->question->figures($which, $clock);
    }

    /** @param int $limit lines of each table; 0 stands for all */
    public function report(int $limit): Report
    {
        $steps = $this->timeSteps();
        $found = $steps === null ? [] : $this->question->overTime($steps, $this->clock);
        $hosts = $this->hosts();
        $all = [$this->releases(), $this->callers(), $this->callees(), $hosts];
        $facts = ($this->figures?->toArray() ?? []) + [
            'requests' => $this->requests(), 'step_seconds' => $steps?->seconds, 'over_time' => array_map(self::step(...), $found),
        ];
        $tables = [];
        foreach ($all as $table) {
            $tables[] = $table->first($limit);
            $facts[$table->key] = ['rows_total' => count($table->rows), 'rows' => $table->first($limit)->json()];
        }

        $place = $this->place() === '' ? '' : " ({$this->place()})";

        return new Report(
            $tables,
            $hosts->rows === [] || count($hosts->rows) >= HostFigures::LEAST_HOSTS ? [] : [HostsReport::tooFew()],
            $facts,
            [new Heading(($this->figures->name ?? '') . $place)],
            steps: $steps === null || $found === [] ? null : static fn (int $most): array => self::lines($steps, $found, $most),
        );
    }

    /** "src/Catalog.php:12". */
    public function place(): string
    {
        $figures = $this->figures;

        return $figures === null || $figures->file === '' ? '' : (new CodePlace($figures->file, $figures->line))->text();
    }

    public function timeSteps(): ?TimeSteps
    {
        return TimeSteps::divide($this->client, $this->which);
    }

    /** @return list<Step> */
    public function overTime(TimeSteps $steps): array
    {
        return array_map(self::step(...), $this->question->overTime($steps, $this->clock));
    }

    /** @param list<string> $known releases in their order; the others follow */
    public function releases(array $known = []): Table
    {
        $figures = $this->figures;
        $releases = $figures?->releases() ?? [];
        $releases = [...array_intersect($known, $releases), ...array_diff($releases, $known)];

        $rows = array_map(static fn (string $release): array => [
            'release' => $release, 'requests' => $figures?->requestCount($release), 'samples' => $figures?->samples($release),
            'self_ns' => $figures?->selfPerRequest($release), 'total_ns' => $figures?->totalPerRequest($release),
        ], $releases);

        return new Table('releases', [
            new Column('release', Unit::Name, 'release'),
            FleetColumns::self(),
            FleetColumns::total(),
            FleetColumns::samples(Column::PHONE + 1),
            FleetColumns::requests(Column::PHONE, 'Requests of the selection'),
        ], $rows, 'No requests of this selection have arrived.', 'Releases', 'The function in each release', 'times per request');
    }

    public function routes(): Table
    {
        $routes = $this->question->routes($this->which, $this->clock);

        return new Table('routes', [
            Column::ofPage('route', Unit::Name, 'Route'),
            Column::ofPage(
                'total',
                Unit::Nanoseconds,
                'Total',
                'Time with all it called, in all requests of the selection',
            ),
            Column::ofPage('self', Unit::Nanoseconds, 'Self', 'Own time, in all requests of the selection', Column::PHONE),
            FleetColumns::samples(Column::PHONE),
        ], $routes, 'It ran in no route.', 'Routes', 'Routes that the function takes time of', 'times of all requests together');
    }

    public function callers(): Table
    {
        return $this->neighbours(
            'callers',
            $this->question->callers($this->which, $this->clock),
            'called by',
            'Time of the function with all it called, below this caller, per request',
            'Nothing that was sampled calls it.',
            'What calls the function',
        );
    }

    public function callees(): Table
    {
        return $this->neighbours(
            'callees',
            $this->question->callees($this->which, $this->clock),
            'calls',
            'Time of the callee with all it called, below the function, per request',
            'It calls nothing that was sampled.',
            'What the function calls',
        );
    }

    public function hosts(): Table
    {
        $hosts = $this->question->hosts($this->which, $this->clock);
        $odd = count(HostsReport::odd($hosts));
        $note = count($hosts) < HostFigures::LEAST_HOSTS
            ? lcfirst(rtrim(HostsReport::tooFew(), '.'))
            : "the slowest first, by own time in requests of the same routes; $odd " . ($odd === 1 ? 'stands out' : 'stand out');

        return new Table('hosts', [
            new Column('host', Unit::Name, 'host'),
            FleetColumns::slowness('it takes'),
            FleetColumns::self(),
            FleetColumns::requests(Column::PHONE, 'Requests of its routes'),
            FleetColumns::odd(),
        ], array_map(static fn (array $host): array => [
            'host' => $host['host'], 'requests' => $host['requests'], 'self_ns' => $host['time'] / $host['requests'],
            'slowness' => $host['slowness'], 'is_outlier' => $host['is_outlier'],
        ], $hosts), 'It ran on no host.', 'Hosts', 'Hosts, with how slow the function is on each', $note);
    }

    private function requests(): int
    {
        return $this->figures?->requestCount() ?? 0;
    }

    /** @param list<Neighbour> $found */
    private function neighbours(string $key, array $found, string $title, string $help, string $none, string $caption): Table
    {
        $all = array_sum(array_column($found, 'time'));
        $requests = $this->requests();

        return new Table($key, [
            new Column('function', Unit::Name, $title, label: 'Function'),
            FleetColumns::total($help),
            new Column('share', Unit::Ratio, '%', 1, ''),
            FleetColumns::samples(Column::PHONE, 'Samples below'),
        ], array_map(static fn (array $one): array => [
            'function' => $one['name'], 'file' => $one['file'], 'line' => $one['line'], 'samples' => $one['samples'],
            'total_ns' => self::perRequest($one['time'], $requests),
            'share' => $all === 0 ? null : 100 * $one['time'] / $all,
        ], $found), $none, ucfirst($key), $caption, 'times per request');
    }

    /**
     * @param FunctionStep $step
     *
     * @return Step
     */
    private static function step(array $step): array
    {
        return [
            'at' => $step['at'], 'began' => Unit::Minute->text($step['at']), 'release' => $step['release'],
            'requests' => $step['requests'], 'samples' => $step['samples'],
            'self_ns' => self::perRequest($step['self'], $step['requests']),
            'total_ns' => self::perRequest($step['total'], $step['requests']),
        ];
    }

    private static function perRequest(int $time, int $requests): ?float
    {
        return $requests === 0 ? null : $time / $requests;
    }

    /**
     * All releases together.
     *
     * @param list<FunctionStep> $found
     *
     * @return array<string, array{Unit, list<int|float|null>}>
     */
    private static function lines(TimeSteps $steps, array $found, int $most): array
    {
        $all = array_fill_keys($steps->all(), ['requests' => 0, 'self' => 0, 'total' => 0]);
        foreach ($found as $step) {
            foreach (['requests', 'self', 'total'] as $figure) {
                $all[$step['at']][$figure] = ($all[$step['at']][$figure] ?? 0) + $step[$figure];
            }
        }
        $sums = static fn (string $figure): array => array_map(
            static fn (array $group): int => array_sum(array_column($group, $figure)),
            TimeSteps::groups($all, $most),
        );

        return [
            'requests' => [Unit::Count, $sums('requests')],
            'own' => [Unit::Nanoseconds, array_map(self::perRequest(...), $sums('self'), $sums('requests'))],
            'with callees' => [Unit::Nanoseconds, array_map(self::perRequest(...), $sums('total'), $sums('requests'))],
        ];
    }
}
