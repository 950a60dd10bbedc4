<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Report\DiffReport;
use XHProf\Report\Noise;
use XHProf\Report\RowDiff;
use XHProf\Report\SymbolDiff;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\DiffPair;
use XHProf\Web\Run\ViewState;

/**
 * The functions of a comparison: which, in what order, and how many of them.
 *
 * Parameters: metric; those of DiffOrder; all, page; q (part of a function's name); changed=1 (without noise); noise=mixed
 * (noise in its place, not last).
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 */
final class DiffFunctions
{
    public readonly DiffOrder $order;
    private readonly DiffTables $tables;
    private readonly string $metric;
    private readonly string $query;
    private readonly bool $changed;
    private readonly bool $mixed;
    private readonly TablePages $pages;

    /** @var array<string, Neighbour> */
    private readonly array $rows;

    /** @var array{functions: int, noise: int} */
    private readonly array $counts;

    public function __construct(
        Request $request,
        private readonly DiffReport $report,
        private readonly DiffPair $pair,
        Noise $noise,
    ) {
        $metrics = $report->metrics();
        $this->metric = self::metric($request, $metrics);
        $columns = $metrics === [] ? ['ct'] : ['ct', "excl_$this->metric", $this->metric];
        $this->order = DiffOrder::from($request, $columns, $columns[1] ?? 'ct');
        $this->tables = new DiffTables($report, $pair, $noise, $this->metric, $this->order, true);
        $this->query = $request->typed('q');
        $this->changed = $request->flag('changed');
        $this->mixed = $request->text('noise') === 'mixed';
        [$this->rows, $this->counts] = $this->select();
        $this->pages = new TablePages($request, count($this->rows));
    }

    /**
     * @param list<string> $metrics base keys, without "ct"
     */
    public static function metric(Request $request, array $metrics): string
    {
        // "a_excl_wt" is a column of "wt"
        $sort = preg_replace('/^[abp]_/', '', $request->text('sort')) ?? '';

        return ViewState::metric($request->with('sort', $sort), $metrics);
    }

    /** @return array<string, string|int|bool|null> parameters that name this table, but for the number of its page */
    public function state(): array
    {
        return $this->order->parameters() + [
            'metric' => $this->metric,
            'all' => $this->pages->all,
            'q' => $this->query,
            'changed' => $this->changed,
            'noise' => $this->mixed ? 'mixed' : null,
        ];
    }

    /** @return array<string, mixed> for the templates */
    public function variables(): array
    {
        $parameters = $this->pair->parameters();
        $state = $this->state();
        $names = array_keys($this->pages->slice($this->rows));
        $link = static fn (array $changes): string => Url::index($parameters + $changes + $state);

        return [
            'rows' => $this->tables->lines(array_intersect_key($this->rows, array_flip($names))),
            'groups' => $this->tables->head($link),
            'name_column' => $this->order->nameColumn($link),
            'metric' => $this->metric,
            'data_url' => Url::api('diff', $parameters),
            'link_url' => Url::index($parameters + ['metric' => $this->metric]),
            'lead' => $this->tables->lead(),
            'lead_group' => match (true) {
                $this->tables->lead() === 'ct' => 'ct',
                default => str_starts_with($this->tables->lead(), 'excl_') ? 'excl' : 'incl',
            },
            'metrics' => MetricTabs::of($this->report->metrics(), $this->metric, $this->order->key, $link),
            'query' => $this->query,
            'hidden' => $parameters + ['q' => null] + $state,
            'clear_url' => $link(['q' => null]),
            'changed' => $this->changed,
            'changed_url' => $link(['changed' => !$this->changed]),
            'mixed' => $this->mixed,
            'mixed_url' => $link(['noise' => $this->mixed ? null : 'mixed']),
            'by_change' => $this->order->isByChange(),
            'functions' => $this->counts['functions'],
            'noisy' => $this->counts['noise'],
        ] + $this->pages->variables($parameters + $state);
    }

    /**
     * @return array{0: array<string, Neighbour>, 1: array{functions: int, noise: int}} in their order
     */
    private function select(): array
    {
        [$before, $after] = [$this->report->before()->rows(), $this->report->after()->rows()];
        $rows = [];
        foreach ($this->report->rows() as $name => $delta) {
            $rows[$name] = [
                'status' => RowDiff::status(isset($before[$name]), isset($after[$name])) ?? DiffReport::BOTH,
                'a' => $before[$name] ?? [],
                'b' => $after[$name] ?? [],
                'delta' => $delta,
            ];
        }
        $plain = [];
        $grey = [];
        foreach ($this->order->names($rows) as $name) {
            if ($this->query !== '' && stripos($name, $this->query) === false) {
                continue;
            }
            if ($this->tables->noise($name, $rows[$name]) === null) {
                $plain[$name] = $rows[$name];
            } else {
                $grey[$name] = $rows[$name];
            }
        }
        $counts = ['functions' => count($rows), 'noise' => count($grey)];
        if ($this->changed) {
            return [$plain, $counts];
        }
        if (!$this->mixed && $this->order->isByChange()) {
            return [$plain + $grey, $counts];
        }
        $kept = $plain + $grey;
        $ordered = [];
        foreach ($this->order->names($kept) as $name) {
            $ordered[$name] = $kept[$name];
        }

        return [$ordered, $counts];
    }
}
