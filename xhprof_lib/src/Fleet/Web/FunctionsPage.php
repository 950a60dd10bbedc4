<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\StableNumbers;
use XHProf\Fleet\Question\FunctionNames;
use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\OneFunction;
use XHProf\Fleet\Question\ReleaseFigures;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Format\Units;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Response;

/**
 * show=functions: which functions take most time per request. With symbol=NAME: a function per request, by release and over time,
 * with its callers and callees, on which hosts it is slower, and single requests. Parameters: symbol, its name; or fn, the number
 * that the store has for a name that no address holds.
 *
 * @phpstan-import-type Neighbour from OneFunction
 */
final class FunctionsPage extends FleetPart
{
    /** Rows of a table. */
    private const MOST = 20;
    private const KEPT = 10;

    public function respond(): Response
    {
        $query = $this->query->needsService();
        $which = $query->selection;
        if (!$this->asked->request->has('symbol') && !$this->asked->request->has('fn')) {
            $table = (new FiguresTable($this->asked))->functions(ReleasePair::of($this->client, $which));

            return $this->asked->page($this->asked->top('functions', 'Functions'), [$this->asked->sortable($table, 'functions')]);
        }
        $name = $this->name();
        $function = new OneFunction($this->client, $name);
        $figures = $function->figures($which, $query->clock);
        $top = ['keep' => $this->own($name, $function->fn)] + $this->asked->top('functions', $name, $name);
        if ($figures === null || ($figures->samples() === 0 && $figures->total() === 0)) {
            return $this->asked->page($top, [$this->asked->nothing('functions', 'samples of this function')]);
        }
        $callers = $this->neighbours('callers', 'Callers', $function->callers($which, $query->clock), $figures);
        $callees = $this->neighbours('callees', 'Callees', $function->callees($which, $query->clock), $figures);

        $routes = $function->routes($which, $query->clock);
        // Requests in which it is seen: those of the route that it takes most time of.
        $route = $routes[0]['route'] ?? '';

        return $this->asked->page(['sub' => FiguresTable::place($figures->file, $figures->line)] + $top, [
            $this->tiles($figures),
            FleetContext::links(['In the flame graph' => $query->url('flame', ['sel' => $name])]),
            $this->chart($function),
            $this->releases($figures, $top['choices']['releases']),
            $which->route === '' ? $this->routes($routes, $name, $figures) : null,
            $callers,
            $callees,
            $this->hosts($function, $name),
            (new KeptRequestsPage($this->asked))->table('Slowest requests that were kept', self::KEPT, $name, $route),
        ]);
    }

    /** @throws HttpError 400, 404 */
    private function name(): string
    {
        $request = $this->asked->request;
        if ($request->has('symbol')) {
            return $request->text('symbol');
        }
        $fn = filter_var($request->text('fn'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 0]]);
        if (!is_int($fn)) {
            throw new HttpError(400, 'The parameter "fn" must be a whole number.');
        }
        $name = FunctionNames::read($this->client, $this->query->selection, [$fn])->name($fn);

        return StableNumbers::fn($name) === $fn ? $name : throw new HttpError(404, 'The store has no function of this number.');
    }

    /** @return array<string, string> parameters that name the function */
    private function own(string $name, int $fn): array
    {
        return $this->asked->request->has('symbol') ? ['symbol' => $name] : ['fn' => (string) $fn];
    }

    /** @return array<string, mixed> */
    private function tiles(ReleaseFigures $figures): array
    {
        $tile = static fn (string $label, ?float $ns, string $about): array => [
            'label' => $label, 'text' => $ns === null ? '-' : Units::us($ns / 1000), 'exact' => $about,
        ];

        return FleetContext::tiles([
            $tile('Self per request', $figures->selfPerRequest(), 'Own time, divided by all requests'),
            $tile('Total per request', $figures->totalPerRequest(), 'Time with all it called, divided by all requests'),
            ['label' => 'Samples', 'text' => Units::count($figures->samples()), 'exact' => 'in the function itself'],
            ['label' => 'Requests', 'text' => Units::count($figures->requestCount()), 'exact' => 'of the selection'],
        ]);
    }

    /** @return array<string, mixed>|null */
    private function chart(OneFunction $function): ?array
    {
        $steps = TimeSteps::of($this->client, $this->query->selection);
        if ($steps === null) {
            return null;
        }
        $found = $function->overTime($steps, $this->query->clock);
        // What it took itself, unless that is nothing: then what it called.
        $key = array_sum(array_column($found, 'self')) > 0 ? 'self' : 'total';
        $points = array_map(static fn (array $step): array => [
            'at' => $step['at'], 'line' => $step['release'],
            'value' => $step['requests'] === 0 ? null : $step[$key] / $step['requests'] / 1000,
        ], $found);
        $title = $key === 'self' ? 'Self per request' : 'Total per request';

        return LineChart::of($title, $steps, $points, Units::us(...));
    }

    /** @param list<string> $known the newest first */
    private function releases(ReleaseFigures $figures, array $known): FleetTable
    {
        $table = new FleetTable('releases', 'Releases', 'The function in each release', [
            'release' => FleetTable::words('Release'),
            'self' => FleetTable::number('Self', 'Own time per request'),
            'total' => FleetTable::number('Total', 'Time with all it called, per request'),
            'samples' => FleetTable::number('Samples', 'Samples in the function itself', FleetTable::MEDIUM),
            'requests' => FleetTable::number('Requests', 'Requests of the selection', FleetTable::MEDIUM),
            'links' => FleetTable::words('', 'Where to look'),
        ], '', 'times per request');
        $releases = $figures->releases();
        foreach ([...array_intersect($known, $releases), ...array_diff($releases, $known)] as $release) {
            [$self, $total] = [$figures->selfPerRequest($release), $figures->totalPerRequest($release)];
            $own = ['release' => $release];
            $table->add([
                FleetTable::name($release, null, '(none)'),
                FleetTable::time($self === null ? null : $self / 1000),
                FleetTable::time($total === null ? null : $total / 1000),
                FleetTable::count($figures->samples($release)),
                FleetTable::count($figures->requestCount($release)),
                FleetTable::links([
                    'Flame graph' => $this->query->url('flame', $own + ['sel' => $figures->name]),
                    'Requests' => $this->query->url('requests', $own + ['symbol' => $figures->name]),
                ], $release),
            ]);
        }

        return $table;
    }

    /** @param list<array{route: string, samples: int, self: int, total: int}> $routes */
    private function routes(array $routes, string $name, ReleaseFigures $figures): FleetTable
    {
        $table = new FleetTable('routes', 'Routes', 'Routes that the function takes time of', [
            'route' => FleetTable::words('Route'),
            'total' => FleetTable::number('Total', 'Time with all it called, in all requests of the selection'),
            'self' => FleetTable::number('Self', 'Own time, in all requests of the selection', FleetTable::MEDIUM),
            'samples' => FleetTable::number('Samples', 'Samples in the function itself', FleetTable::MEDIUM),
            'links' => FleetTable::words('', 'Where to look'),
        ], '', 'times of all requests together');
        foreach (array_slice($routes, 0, self::MOST) as $one) {
            $own = ['route' => $one['route']];
            $table->add([
                FleetTable::name($one['route'], $this->query->url('functions', $own + $this->own($name, $figures->fn)), '(no route)'),
                FleetTable::time($one['total'] / 1000, $figures->total() / 1000),
                FleetTable::time($one['self'] / 1000),
                FleetTable::count($one['samples']),
                FleetTable::links(['Requests' => $this->query->url('requests', $own + ['symbol' => $name])], $one['route']),
            ]);
        }

        return $table;
    }

    /** @param list<Neighbour> $found */
    private function neighbours(string $id, string $title, array $found, ReleaseFigures $figures): FleetTable
    {
        $isCallers = $id === 'callers';
        $table = new FleetTable(
            $id,
            $title,
            $isCallers ? 'What calls the function' : 'What the function calls',
            [
                'function' => FleetTable::words('Function'),
                'total' => FleetTable::number('Total', $isCallers
                    ? 'Time of the function with all it called, below this caller, per request'
                    : 'Time of the callee with all it called, below the function, per request'),
                'samples' => FleetTable::number('Samples', 'Samples below', FleetTable::MEDIUM),
            ],
            $isCallers ? 'Nothing calls it: requests begin here.' : 'It calls nothing that was sampled.',
            'times per request',
        );
        $requests = max(1, $figures->requestCount());
        foreach (array_slice($found, 0, self::MOST) as $one) {
            $table->add([
                FleetTable::name(
                    $one['name'],
                    FleetTable::functionUrl($this->query, $one['name'], StableNumbers::fn($one['name'])),
                    '',
                    FiguresTable::place($one['file'], $one['line']),
                ),
                FleetTable::time($one['time'] / 1000 / $requests, $figures->total() / 1000 / $requests),
                FleetTable::count($one['samples']),
            ]);
        }

        return $table;
    }

    private function hosts(OneFunction $function, string $name): FleetTable
    {
        $hosts = $function->hosts($this->query->selection, $this->query->clock);
        $odd = count(array_filter($hosts, static fn (array $host): bool => $host['is_outlier']));
        $note = count($hosts) < HostFigures::LEAST_HOSTS
            ? 'not enough data: it takes ' . HostFigures::LEAST_HOSTS . ' hosts to know whether one stands out'
            : "the slowest first, by own time in requests of the same routes; $odd " . ($odd === 1 ? 'stands out' : 'stand out');
        $table = new FleetTable('hosts', 'Hosts', 'Hosts, with how slow the function is on each', [
            'host' => FleetTable::words('Host'),
            'slowness' => FleetTable::number('Slowness', '1.2: it takes a fifth longer than on the host in the middle'),
            'self' => FleetTable::number('Self', 'Own time per request'),
            'requests' => FleetTable::number('Requests', 'Requests of its routes', FleetTable::MEDIUM),
            'links' => FleetTable::words('', 'Where to look'),
        ], 'It ran on no host.', $note);
        foreach (array_slice($hosts, 0, self::MOST) as $host) {
            $own = ['host' => $host['host']];
            $table->add([
                FleetTable::name(
                    $host['host'],
                    $this->query->url('functions', $own + $this->own($name, $function->fn)),
                    '(no name)',
                    '',
                    $host['is_outlier'] ? 'stands out' : '',
                ),
                FleetTable::ratio($host['slowness']),
                FleetTable::time($host['time'] / 1000 / max(1, $host['requests'])),
                FleetTable::count($host['requests']),
                FleetTable::links(['Requests' => $this->query->url('requests', $own + ['symbol' => $name])], $host['host']),
            ]);
        }

        return $table;
    }
}
