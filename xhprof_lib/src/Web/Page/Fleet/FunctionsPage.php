<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\ClickHouse\Names;
use XHProf\Fleet\Question\FunctionFigures;
use XHProf\Fleet\Question\FunctionNames;
use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\OneFunction;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\Steps;
use XHProf\Format\Units;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Fleet\LineChart;
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
            Asked::links(['In the flame graph' => $query->url('flame', ['sel' => $name])]),
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

        return Names::fn($name) === $fn ? $name : throw new HttpError(404, 'The store has no function of this number.');
    }

    /** @return array<string, string> parameters that name the function */
    private function own(string $name, int $fn): array
    {
        return $this->asked->request->has('symbol') ? ['symbol' => $name] : ['fn' => (string) $fn];
    }

    /** @return array<string, mixed> */
    private function tiles(FunctionFigures $figures): array
    {
        $tile = static fn (string $label, ?float $ns, string $about): array => [
            'label' => $label, 'text' => $ns === null ? '-' : Units::us($ns / 1000), 'exact' => $about,
        ];

        return Asked::tiles([
            $tile('Self per request', $figures->selfPerRequest(), 'Own time, divided by all requests'),
            $tile('Total per request', $figures->totalPerRequest(), 'Time with all it called, divided by all requests'),
            ['label' => 'Samples', 'text' => Units::count($figures->samples()), 'exact' => 'in the function itself'],
            ['label' => 'Requests', 'text' => Units::count($figures->requestCount()), 'exact' => 'of the selection'],
        ]);
    }

    /** @return array<string, mixed>|null */
    private function chart(OneFunction $function): ?array
    {
        $steps = Steps::of($this->client, $this->query->selection);
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
    private function releases(FunctionFigures $figures, array $known): Table
    {
        $table = new Table('releases', 'Releases', 'The function in each release', [
            'release' => Table::words('Release'),
            'self' => Table::number('Self', 'Own time per request'),
            'total' => Table::number('Total', 'Time with all it called, per request'),
            'samples' => Table::number('Samples', 'Samples in the function itself', Table::MEDIUM),
            'requests' => Table::number('Requests', 'Requests of the selection', Table::MEDIUM),
            'links' => Table::words('', 'Where to look'),
        ], '', 'times per request');
        $releases = $figures->releases();
        foreach ([...array_intersect($known, $releases), ...array_diff($releases, $known)] as $release) {
            [$self, $total] = [$figures->selfPerRequest($release), $figures->totalPerRequest($release)];
            $own = ['release' => $release];
            $table->add([
                Table::name($release, null, '(none)'),
                Table::time($self === null ? null : $self / 1000),
                Table::time($total === null ? null : $total / 1000),
                Table::count($figures->samples($release)),
                Table::count($figures->requestCount($release)),
                Table::links([
                    'Flame graph' => $this->query->url('flame', $own + ['sel' => $figures->name]),
                    'Requests' => $this->query->url('requests', $own + ['symbol' => $figures->name]),
                ], $release),
            ]);
        }

        return $table;
    }

    /** @param list<array{route: string, samples: int, self: int, total: int}> $routes */
    private function routes(array $routes, string $name, FunctionFigures $figures): Table
    {
        $table = new Table('routes', 'Routes', 'Routes that the function takes time of', [
            'route' => Table::words('Route'),
            'total' => Table::number('Total', 'Time with all it called, in all requests of the selection'),
            'self' => Table::number('Self', 'Own time, in all requests of the selection', Table::MEDIUM),
            'samples' => Table::number('Samples', 'Samples in the function itself', Table::MEDIUM),
            'links' => Table::words('', 'Where to look'),
        ], '', 'times of all requests together');
        foreach (array_slice($routes, 0, self::MOST) as $one) {
            $own = ['route' => $one['route']];
            $table->add([
                Table::name($one['route'], $this->query->url('functions', $own + $this->own($name, $figures->fn)), '(no route)'),
                Table::time($one['total'] / 1000, $figures->total() / 1000),
                Table::time($one['self'] / 1000),
                Table::count($one['samples']),
                Table::links(['Requests' => $this->query->url('requests', $own + ['symbol' => $name])], $one['route']),
            ]);
        }

        return $table;
    }

    /** @param list<Neighbour> $found */
    private function neighbours(string $id, string $title, array $found, FunctionFigures $figures): Table
    {
        $isCallers = $id === 'callers';
        $table = new Table(
            $id,
            $title,
            $isCallers ? 'What calls the function' : 'What the function calls',
            [
                'function' => Table::words('Function'),
                'total' => Table::number('Total', $isCallers
                    ? 'Time of the function with all it called, below this caller, per request'
                    : 'Time of the callee with all it called, below the function, per request'),
                'samples' => Table::number('Samples', 'Samples below', Table::MEDIUM),
            ],
            $isCallers ? 'Nothing calls it: requests begin here.' : 'It calls nothing that was sampled.',
            'times per request',
        );
        $requests = max(1, $figures->requestCount());
        foreach (array_slice($found, 0, self::MOST) as $one) {
            $table->add([
                Table::name(
                    $one['name'],
                    Table::functionUrl($this->query, $one['name'], Names::fn($one['name'])),
                    '',
                    FiguresTable::place($one['file'], $one['line']),
                ),
                Table::time($one['time'] / 1000 / $requests, $figures->total() / 1000 / $requests),
                Table::count($one['samples']),
            ]);
        }

        return $table;
    }

    private function hosts(OneFunction $function, string $name): Table
    {
        $hosts = $function->hosts($this->query->selection, $this->query->clock);
        $odd = count(array_filter($hosts, static fn (array $host): bool => $host['is_outlier']));
        $note = count($hosts) < HostFigures::LEAST_HOSTS
            ? 'not enough data: it takes ' . HostFigures::LEAST_HOSTS . ' hosts to know whether one stands out'
            : "the slowest first, by own time in requests of the same routes; $odd " . ($odd === 1 ? 'stands out' : 'stand out');
        $table = new Table('hosts', 'Hosts', 'Hosts, with how slow the function is on each', [
            'host' => Table::words('Host'),
            'slowness' => Table::number('Slowness', '1.2: it takes a fifth longer than on the host in the middle'),
            'self' => Table::number('Self', 'Own time per request'),
            'requests' => Table::number('Requests', 'Requests of its routes', Table::MEDIUM),
            'links' => Table::words('', 'Where to look'),
        ], 'It ran on no host.', $note);
        foreach (array_slice($hosts, 0, self::MOST) as $host) {
            $own = ['host' => $host['host']];
            $table->add([
                Table::name(
                    $host['host'],
                    $this->query->url('functions', $own + $this->own($name, $function->fn)),
                    '(no name)',
                    '',
                    $host['is_outlier'] ? 'stands out' : '',
                ),
                Table::ratio($host['slowness']),
                Table::time($host['time'] / 1000 / max(1, $host['requests'])),
                Table::count($host['requests']),
                Table::links(['Requests' => $this->query->url('requests', $own + ['symbol' => $name])], $host['host']),
            ]);
        }

        return $table;
    }
}
