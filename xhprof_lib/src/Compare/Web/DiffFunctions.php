<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\DiffReport;
use XHProf\Compare\RowDiff;
use XHProf\Compare\SymbolDiff;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\MetricTabs;
use XHProf\Web\Templates;

/**
 * The functions of a comparison that changed most, possible noise last. assets/js/compare/ shows all, according to the
 * address: sort, dir, q, changed=1 (without noise), noise=mixed (noise in its place).
 *
 * Parameters: metric; sort.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 */
final class DiffFunctions
{
    private readonly DiffTables $tables;
    private readonly string $metric;

    public function __construct(private readonly Request $request, private readonly DiffPair $pair)
    {
        $metrics = $pair->report()->metrics();
        $this->metric = self::metric($request, $metrics);
        $columns = $metrics === [] ? ['ct'] : ['ct', "excl_$this->metric", $this->metric];
        $lead = DiffTables::column($request, $columns, $columns[1] ?? 'ct');
        $this->tables = new DiffTables($pair, $this->metric, $lead, true);
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

    /** @return array<string, string> parameters that name this table */
    public function state(): array
    {
        return ['metric' => $this->metric];
    }

    /** @return array<string, mixed> for the templates */
    public function variables(): array
    {
        $parameters = $this->pair->parameters();
        $sort = $this->request->text('sort', $this->tables->lead);
        $shown = [];
        foreach (['dir', 'q', 'changed', 'noise'] as $key) {
            $shown[$key] = $this->request->text($key);
        }

        return [
            'rows' => $this->tables->lines($this->rows()),
            'functions' => count($this->pair->report()->rows()),
            'groups' => $this->tables->head(),
            'metric' => $this->metric,
            'data_url' => Url::api('diff', $parameters),
            'link_url' => Url::index($parameters + ['metric' => $this->metric]),
            'lead_group' => $this->tables->leadGroup(),
            'metrics' => MetricTabs::of($this->pair->report()->metrics(), $this->metric, $sort, static fn (array $changes): string
                => Url::index($parameters + $changes + $shown)),
            'query' => $this->request->typed('q'),
            'changed' => $this->request->flag('changed'),
            'mixed' => $this->request->text('noise') === 'mixed',
        ];
    }

    /** @return array<string, Neighbour> in their order */
    private function rows(): array
    {
        [$before, $after] = [$this->pair->report()->before()->rows(), $this->pair->report()->after()->rows()];
        $plain = [];
        $grey = [];
        foreach ($this->pair->report()->sorted($this->tables->lead) as $name => $delta) {
            if (count($plain) === Templates::TOP) {
                break;
            }
            $row = [
                'status' => RowDiff::status(isset($before[$name]), isset($after[$name])) ?? DiffReport::BOTH,
                'a' => $before[$name] ?? [],
                'b' => $after[$name] ?? [],
                'delta' => $delta,
            ];
            if ($this->tables->noise($name, $row, $this->tables->lead) === '') {
                $plain[$name] = $row;
            } elseif (count($grey) < Templates::TOP) {
                $grey[$name] = $row;
            }
        }

        return array_slice($plain + $grey, 0, Templates::TOP, true);
    }
}
