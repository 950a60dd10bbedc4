<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\DiffReport;
use XHProf\Compare\Noise;
use XHProf\Compare\ProfileDiff;
use XHProf\Compare\SymbolDiff;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\MetricTabs;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Templates;

/**
 * A table of a comparison for the templates: before, after, change, in percent and as a share of the whole change. Of all functions
 * it has the first; assets/js/compare/ shows all, according to the address: sort, dir, q, changed=1 (without noise), noise=mixed
 * (noise in its place). Callers and callees are sorted by assets/js/table/sort-rows.js.
 *
 * Parameters: metric; sort.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 * @phpstan-import-type Line from DiffReport
 * @phpstan-import-type Additions from ReportTable
 */
final class DiffTable
{
    /** Heads above the columns of exclusive and inclusive values. */
    private const GROUPS = ['excl' => 'Self', 'incl' => 'Total'];

    /** Callers and callees that are shown: those that changed most. */
    private const MOST = 5000;

    /** Parts of a column's pair of values: head and title. */
    private const PARTS = [
        // As DiffPair::sides() says.
        'a' => ['', ''],
        'b' => ['', ''],
        'd' => ['Change', 'change'],
        'p' => ['%', 'change in percent'],
        's' => ['Share', "share of the whole run's change"],
    ];

    private const SHOWN = ['ct' => ['a', 'b', 'd'], 'excl' => ['a', 'b', 'd', 'p', 's'], 'incl' => ['a', 'b', 'd', 'p']];

    private readonly DiffReport $report;
    private readonly string $metric;

    /** Column by whose change the rows are sorted. */
    private readonly string $lead;

    /** @var array<string, ShownMetric> group => its column */
    private readonly array $columns;

    /** @param bool $isOfCalls of the calls between two functions, which have inclusive values only */
    public function __construct(
        private readonly Request $request,
        private readonly DiffPair $pair,
        private readonly bool $isOfCalls,
    ) {
        $this->report = $pair->report;
        $this->metric = self::metric($request, $this->report->metrics());
        $isCalls = $this->report->counted()->isCalls();
        $keys = match (true) {
            $this->metric === 'ct' => ['ct' => 'ct'],
            !$isOfCalls => ['ct' => 'ct', 'excl' => "excl_$this->metric", 'incl' => $this->metric],
            // Samples belong to one function: there is no count of calls between functions.
            default => ($isCalls ? ['ct' => 'ct'] : []) + ['incl' => $this->metric],
        };
        $this->columns = array_map(ShownMetric::of(...), $keys);
        // Any side or percentage of a column names it: "a_wt", "wt". Of calls "excl_wt", kept from the functions' table, is "wt".
        $sort = preg_replace($isOfCalls ? '/\A(?:[abp]_)?(?:excl_)?/' : '/\A[abp]_/', '', $request->text('sort')) ?? '';
        $this->lead = in_array($sort, ['ct', ...$keys], true) ? $sort : ($isOfCalls ? $this->metric : $keys['excl'] ?? 'ct');
    }

    /**
     * @param list<string> $metrics base keys, without "ct"
     */
    public static function metric(Request $request, array $metrics): string
    {
        // "a_excl_wt" is a column of "wt"
        return ViewState::metric($request->with('sort', preg_replace('/^[abp]_/', '', $request->text('sort')) ?? ''), $metrics);
    }

    /** @return array<string, string> parameters that name this table */
    public function state(): array
    {
        return ['metric' => $this->metric];
    }

    /** @return array<string, mixed> for diff.html.twig */
    public function functions(): array
    {
        $parameters = $this->pair->parameters();
        $kept = [];
        foreach (['dir', 'q', 'changed', 'noise'] as $key) {
            $kept[$key] = $this->request->text($key);
        }
        $rows = [];
        foreach ($this->report->names($this->lead, Templates::TOP) as $name) {
            $rows[$name] = $this->report->figures()->row($name);
        }
        $link = static fn (array $changes): string => Url::index($parameters + $changes + $kept);

        $noun = $this->pair->grouping?->by->noun() ?? 'function';
        $caption = "Figures of each $noun before and after, and their change";

        return [
            'table' => $this->table($rows, new Table('functions', [], [], "Neither run has a $noun.", caption: $caption)),
            'noise' => $this->report->noise()->explanation(false),
            'functions' => count($this->report->figures()->rows()),
            'metric' => $this->metric,
            'data_url' => Url::api('diff', $parameters),
            'link_url' => Url::index($parameters + ['metric' => $this->metric]),
            'metrics' => MetricTabs::links(
                $this->report->metrics(),
                $this->metric,
                $this->request->text('sort', $this->lead),
                $link,
            ),
            'query' => $this->request->typed('q'),
            'changed' => $this->request->flag('changed'),
            'mixed' => $this->request->text('noise') === 'mixed',
        ];
    }

    /** @return array<string, mixed> callers and callees, for diff_symbol.html.twig */
    public function neighbours(SymbolDiff $diff): array
    {
        $label = lcfirst(ShownMetric::of($this->metric)->label);
        $parents = $this->report->neighbours($diff->parents, $this->lead);
        $children = $this->report->neighbours($diff->children, $this->lead);
        $caption = 'total figures before and after, and their change';

        return [
            'tables' => [
                $this->table($parents, new Table(
                    'callers',
                    [],
                    [],
                    'Nothing calls this function on either side.',
                    'Callers',
                    "Callers: $caption",
                    "$label of this function, by caller",
                )),
                $this->table($children, new Table(
                    'callees',
                    [],
                    [],
                    'This function calls nothing on either side.',
                    'Callees',
                    "Callees: $caption",
                    "$label of its calls",
                )),
            ],
            'noise' => $this->report->noise()->explanation(true),
        ];
    }

    /**
     * @param array<string, Neighbour> $rows those to show, in their order
     * @param Table $table without columns and rows
     *
     * @return array<string, mixed>
     */
    private function table(array $rows, Table $table): array
    {
        $count = count($rows);
        $rows = array_slice($rows, 0, self::MOST, true);
        $keep = $this->pair->parameters() + ['metric' => $this->metric, 'sort' => $this->lead];
        $columns = [Columns::name($this->pair->grouping?->by->noun() ?? 'function')];
        $classes = $parts = [];
        foreach ($this->columns as $group => $metric) {
            $changes = array_map(static fn (array $row): int|float => abs(self::change($row, $metric)), array_values($rows));
            foreach ($this->heads($group, $metric) as $part => $column) {
                $columns[] = $column;
                $classes[$column->key] = "g-$group k-$part";
                $parts[$column->key] = [$part, $metric, max([0, ...$changes])];
            }
        }
        $lines = [];
        foreach ($rows as $name => $row) {
            $noise = $this->noise((string) $name, $row, $this->lead);
            $line = [Columns::BY_NAME => (string) $name, 'noise' => $noise === '' ? null : $noise];
            foreach ($parts as $key => [$part, $metric]) {
                $line[$key] = self::value($row, $part, $metric);
            }
            $lines[] = $line;
        }
        $additions = fn (array $row, string $key): array => $key === Columns::BY_NAME ? [
            'url' => Url::index($keep + Url::symbolParameter($row[$key])),
            'title' => (string) $row['noise'],
            'badge' => $rows[$row[$key]]['status'] === ProfileDiff::BOTH ? '' : $rows[$row[$key]]['status'],
            'moved' => $this->report->figures()->nameBefore($row[$key]),
        ] : $this->cell($row[Columns::BY_NAME], $rows[$row[Columns::BY_NAME]], ...$parts[$key]);
        $lead = $this->lead === 'ct' ? 'ct' : (str_starts_with($this->lead, 'excl_') ? 'excl' : 'incl');

        return (new ReportTable(
            $table->with(['columns' => $columns, 'rows' => $lines, 'faint' => 'noise']),
            $additions,
            class: "lead-$lead",
            classes: $classes,
            look: 'functions compare',
        ))->of($count, null)->scripted(new Order($this->lead), true)->toArray();
    }

    /** @return array<string, Column> by the parts of the metric's pair of values */
    private function heads(string $group, ShownMetric $metric): array
    {
        $counted = $this->report->counted();
        $words = $group === 'ct' ? $counted->label() : $metric->fullLabel();
        $above = new Heading(self::GROUPS[$group] ?? $counted->label(), [$group === 'ct' ? $counted->title() : $words]);
        $unit = Unit::fromWord($metric->unit);
        $columns = [];
        foreach (self::SHOWN[$group] as $part) {
            $side = $this->pair->sides()[$part] ?? null;
            [$label, $title] = $side === null ? self::PARTS[$part] : [$side, lcfirst($side)];
            $isChange = $part === 'd';
            $key = ($isChange ? '' : "{$part}_") . $metric->key;
            $columns[$part] = new Column(
                $key,
                $unit,
                '',
                label: $label,
                help: "$words, $title",
                // The share has the order of the change.
                sort: $part === 's' ? null : '',
                isChange: $isChange,
                above: $above,
            );
        }

        return $columns;
    }

    /** @param Neighbour $row */
    private static function change(array $row, ShownMetric $metric): int|float
    {
        return ($row['b'][$metric->key] ?? 0) - ($row['a'][$metric->key] ?? 0);
    }

    /** @param Neighbour $row */
    private static function value(array $row, string $part, ShownMetric $metric): int|float
    {
        $change = self::change($row, $metric);
        $before = $row['a'][$metric->key] ?? 0;

        return match ($part) {
            'a' => $before,
            'b' => $row['b'][$metric->key] ?? 0,
            // A new function has grown beyond any percentage.
            'p' => $before == 0 ? ($change <=> 0) * PHP_FLOAT_MAX : $change / abs($before),
            default => $change,
        };
    }

    /**
     * @param Neighbour $row
     * @return string why the change of a column is not worth a look; '' if it is
     */
    private function noise(string $name, array $row, string $column): string
    {
        $noise = $this->report->noise();

        return $this->isOfCalls
            ? Noise::words($noise->ofCalls($column, $row['delta']))
            : Noise::words($this->report->noiseOf($name, $column), $noise->chance($name, $column));
    }

    /**
     * @param Neighbour $row
     * @param int|float $largest change that fills the bar, 0 for no bar
     * @return Additions
     */
    private function cell(string $name, array $row, string $part, ShownMetric $metric, int|float $largest): array
    {
        [$before, $after] = [$row['a'][$metric->key] ?? 0, $row['b'][$metric->key] ?? 0];
        $whole = $this->report->figures()->totals()['delta'][$metric->base] ?? 0;

        return ['title' => Unit::fromWord($metric->unit)->changeWords($metric->fullLabel(), $before, $after)]
            + match ($part) {
                'a' => $row['status'] === ProfileDiff::ADDED ? ['text' => ''] : [],
                'b' => $row['status'] === ProfileDiff::GONE ? ['text' => ''] : [],
                'p' => ['text' => Units::growth($before, $after)],
                // Of the whole change, if that is large enough.
                's' => ['text' => $before == $after || $this->report->noise()->isSmall($metric->base, $whole)
                    ? ''
                    : Units::percent($after - $before, $whole)],
                default => [
                    'from' => $before,
                    'bar' => $largest,
                    'growth' => false,
                    'why' => $this->noise($name, $row, $metric->key),
                ],
            };
    }

    /**
     * Values before and after, a line per metric.
     *
     * @param list<Line> $lines
     * @param bool $isWhole whether they are totals
     * @return list<array<string, mixed>>
     */
    public static function sides(DiffReport $report, array $lines, bool $isWhole): array
    {
        $shown = [];
        foreach ($lines as $line) {
            $metric = ShownMetric::of($line['metric']);
            $value = static fn (int|float $value, ?float $spread): array => Cells::value($value, $metric)
                + ['spread' => $spread === null || $spread == 0 ? '' : Units::ofMetric($spread, $metric->key)];
            $shown[$metric->key] = [
                'label' => $isWhole ? ucfirst($metric->label) : $metric->fullLabel(),
                'before' => $value($line['a'], $line['spread_a']),
                'after' => $value($line['b'], $line['spread_b']),
                'change' => ($line['noise'] === null ? [] : ['tone' => 'same']) + Cells::change($line['a'], $line['b'], $metric),
                'noise' => Noise::words($line['noise']),
                'chance' => $line['chance'] === null ? '' : Noise::probability($line['chance']),
            ];
        }

        // Samples count in their time.
        return array_values($report->counted()->isCalls() ? $shown : array_diff_key($shown, ['ct' => true]));
    }
}
