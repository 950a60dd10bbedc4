<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\StableNumbers;
use XHProf\Fleet\Question\FlameRun;
use XHProf\Fleet\Question\FunctionNames;
use XHProf\Fleet\Question\ReleaseFigures;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Report\FunctionsReport;
use XHProf\Fleet\Report\GroupsReport;
use XHProf\Fleet\Report\OneFunctionReport;
use XHProf\Format\Units;
use XHProf\Owners\Grouping;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunGroups;
use XHProf\Web\Table\ReportTable;

/**
 * show=functions: which functions take most time per request; with groups=plugin... which plug-ins do. With symbol=NAME: a function
 * per request, by release and over time, with its callers and callees, on which hosts it is slower, and single requests.
 * Parameters: symbol, its name; or fn, the number that the store has for a name that no address holds.
 */
final class FunctionsPage extends FleetPart
{
    /** Rows of the table of functions, of the other ones. */
    private const FUNCTIONS = 300;
    private const MOST = 20;
    private const KEPT = 10;

    public function respond(): Response
    {
        $query = $this->query->needsService();
        $which = $query->selection;
        if (!$this->asked->request->has('symbol') && !$this->asked->request->has('fn')) {
            return $this->all(RunGroups::fromRequest($this->asked->request->with('view', '')));
        }
        $name = $this->name();
        $function = new OneFunctionReport($this->client, $which, $query->clock, $name);
        $figures = $function->figures;
        $own = $this->asked->request->has('symbol') ? ['symbol' => $name] : ['fn' => (string) $function->fn];
        $top = ['keep' => $own] + $this->asked->top('functions', $name, $name);
        if ($figures === null || ($figures->samples() === 0 && $figures->total() === 0)) {
            return $this->asked->page($top, [$this->asked->nothing('functions', 'samples of this function')]);
        }
        $routes = $function->routes();
        // Requests in which it is seen: those of the route that it takes most time of.
        $route = (string) ($routes->rows[0]['route'] ?? '');
        $perRequest = $figures->totalPerRequest() ?? 0;

        return $this->asked->page(['sub' => $function->place()] + $top, [
            $this->tiles($figures),
            FleetContext::links(['In the flame graph' => $query->url('flame', ['sel' => $name])]),
            $this->chart($function),
            $this->asked->table(
                $function->releases($top['choices']['releases']),
                'releases',
                static fn (array $row, string $key): array => $key === 'release' && $row[$key] === '' ? ['text' => '(none)'] : [],
                static fn (array $row): array => [
                    'Flame graph' => $query->url('flame', ['release' => (string) $row['release'], 'sel' => $name]),
                    'Requests' => $query->url('requests', ['release' => (string) $row['release'], 'symbol' => $name]),
                ],
            ),
            $which->route === '' ? $this->part($routes, $own, $name, 'route', 'total', $figures->total()) : null,
            $this->part($function->callers(), $own, $name, '', 'total_ns', $perRequest),
            $this->part($function->callees(), $own, $name, '', 'total_ns', $perRequest),
            $this->part($function->hosts(), $own, $name, 'host'),
            (new KeptRequestsPage($this->asked))->table('Slowest requests that were kept', self::KEPT, $name, $route),
        ]);
    }

    /** All functions, or what they are added up by. */
    private function all(?Grouping $grouping): Response
    {
        $links = [];
        foreach (RunGroups::links($grouping, $this->asked->request, []) as $link) {
            $links[] = ['url' => $this->query->url('functions', ['groups' => $link['by']])] + $link;
        }
        $own = RunGroups::parameters($grouping);
        $tabs = ['kind' => 'tabs', 'label' => 'Add up by', 'tabs' => $links];
        $top = ['keep' => array_filter($own)] + $this->asked->top('functions', 'Functions');
        $table = $grouping === null
            ? $this->functions(ReleasePair::choose($this->client, $this->query->selection))
            : $this->groups($grouping);

        return $this->asked->page($top, [$tabs, $this->asked->sortable($table, 'functions', $own)]);
    }

    /** Packages, plug-ins or owners, by the call paths of the selection. */
    private function groups(Grouping $grouping): ReportTable
    {
        $flame = FlameRun::read($this->client, $this->query->selection, $this->query->clock);
        $table = GroupsReport::table($flame, $this->query->clock, $grouping);

        return $this->asked->table($table, 'functions', static fn (array $row, string $key): array
            => $key === 'share' ? ['bar' => 1] : []);
    }

    /**
     * Functions of the selection, the most own time first, and what the last release changed.
     *
     * @param string $title '' for the page of functions
     */
    public function functions(?ReleasePair $pair, int $most = self::FUNCTIONS, string $title = ''): ReportTable
    {
        $query = $this->query;
        $table = FunctionsReport::withChange($this->client, $query->selection, $query->clock, $most, $pair, $title);
        $whole = array_sum(array_column($table->rows, 'self_ns'));

        return $this->asked->table($table, 'functions', static fn (array $row, string $key): array => match ($key) {
            'self_ns' => ['share' => $whole, 'bar' => $whole],
            'change_ns' => ['from' => self::figure($row['before_ns'])],
            default => [],
        });
    }

    /**
     * The first rows of a part of one function.
     *
     * @param array<string, string> $own parameters that name the function
     * @param string $field of the selection that the rows name; '' for functions
     * @param string $part  key of a column that is a part of the whole
     */
    private function part(
        Table $table,
        array $own,
        string $name,
        string $field,
        string $part = '',
        int|float $whole = 0,
    ): ReportTable {
        $query = $this->query;

        return $this->asked->table(
            $table->first(self::MOST),
            $table->key,
            static fn (array $row, string $key): array => match ($key) {
                $part => ['share' => $whole, 'bar' => $whole],
                $field => ['url' => $query->url('functions', [$field => (string) $row[$field]] + $own)],
                default => [],
            },
            $field === '' ? null : static fn (array $row): array => [
                'Requests' => $query->url('requests', [$field => (string) $row[$field], 'symbol' => $name]),
            ],
        );
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

    /** @return array<string, mixed> */
    private function tiles(ReleaseFigures $figures): array
    {
        $tile = static fn (string $label, ?float $ns, string $about): array => [
            'label' => $label, 'text' => Unit::Nanoseconds->text($ns), 'exact' => $about,
        ];

        return FleetContext::tiles([
            $tile('Self per request', $figures->selfPerRequest(), 'Own time, divided by all requests'),
            $tile('Total per request', $figures->totalPerRequest(), 'Time with all it called, divided by all requests'),
            ['label' => 'Samples', 'text' => Units::count($figures->samples()), 'exact' => 'in the function itself'],
            ['label' => 'Requests', 'text' => Units::count($figures->requestCount()), 'exact' => 'of the selection'],
        ]);
    }

    /** @return array<string, mixed>|null */
    private function chart(OneFunctionReport $function): ?array
    {
        $steps = $function->timeSteps();
        if ($steps === null) {
            return null;
        }
        $found = $function->overTime($steps);
        // What it took itself, unless that is nothing: then what it called.
        $key = array_sum(array_column($found, 'self_ns')) > 0 ? 'self_ns' : 'total_ns';
        $points = array_map(static fn (array $step): array => [
            'at' => $step['at'], 'line' => $step['release'], 'value' => $step[$key],
        ], $found);

        return LineChart::draw($key === 'self_ns' ? 'Self per request' : 'Total per request', $steps, $points, Unit::Nanoseconds);
    }
}
