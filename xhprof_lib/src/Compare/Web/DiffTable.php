<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\DiffReport;
use XHProf\Compare\Noise;
use XHProf\Compare\ProfileDiff;
use XHProf\Compare\SymbolDiff;
use XHProf\Format\Units;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ViewState;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\MetricTabs;
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
 */
final class DiffTable
{
    /** Heads above the columns of exclusive and inclusive values. */
    private const GROUPS = ['excl' => 'Self', 'incl' => 'Total'];

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

        return $this->head() + [
            'rows' => $this->lines($rows),
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
        return $this->head() + [
            'parents' => $this->lines($this->report->neighbours($diff->parents, $this->lead)),
            'children' => $this->lines($this->report->neighbours($diff->children, $this->lead)),
            'metric_label' => ShownMetric::of($this->metric)->label,
        ];
    }

    /** @return array{groups: list<array<string, mixed>>, lead_group: string, noise: string} the group that narrow screens keep */
    private function head(): array
    {
        $counted = $this->report->counted();
        $groups = [];
        foreach ($this->columns as $name => $metric) {
            $columns = [];
            foreach (self::SHOWN[$name] as $part) {
                [$label, $title] = self::PARTS[$part];
                $side = $this->pair->sides()[$part] ?? null;
                [$label, $title] = $side === null ? [$label, $title] : [$side, lcfirst($side)];
                $key = ($part === 'd' || $part === 's' ? '' : "{$part}_") . $metric->key;
                $columns[] = [
                    'part' => $part,
                    'key' => $key,
                    'label' => $label,
                    'title' => ($name === 'ct' ? $counted->label() : $metric->fullLabel()) . ", $title",
                    'url' => null,
                    // By size, without the sign.
                    'aria' => $part === 'd' && $key === $this->lead ? 'other' : null,
                ];
            }
            $groups[] = [
                'name' => $name,
                'label' => self::GROUPS[$name] ?? $counted->label(),
                'title' => $name === 'ct' ? $counted->title() : $metric->fullLabel(),
                'columns' => $columns,
            ];
        }
        $lead = $this->lead === 'ct' ? 'ct' : (str_starts_with($this->lead, 'excl_') ? 'excl' : 'incl');

        return ['groups' => $groups, 'lead_group' => $lead, 'noise' => $this->report->noise()->explanation($this->isOfCalls)];
    }

    /**
     * @param array<string, Neighbour> $rows those to show, in their order
     * @return list<array<string, mixed>>
     */
    private function lines(array $rows): array
    {
        $largest = array_map(static fn (ShownMetric $metric): int|float => max([0, ...array_map(
            static fn (array $row): int|float => abs(($row['b'][$metric->key] ?? 0) - ($row['a'][$metric->key] ?? 0)),
            array_values($rows),
        )]), $this->columns);
        $keep = $this->pair->parameters() + ['metric' => $this->metric, 'sort' => $this->lead];
        $lines = [];
        foreach ($rows as $name => $row) {
            $name = (string) $name;
            $cells = [];
            foreach ($this->columns as $group => $metric) {
                array_push($cells, ...$this->cells($name, $group, $metric, $row, $largest[$group] ?? 0));
            }
            $lines[] = [
                'name' => $name,
                'status' => $row['status'],
                'was' => $this->report->figures()->nameBefore($name),
                'noise' => $this->noise($name, $row, $this->lead),
                'url' => Url::index($keep + Url::symbolParameter($name)),
                'cells' => $cells,
            ];
        }

        return $lines;
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
     * @return list<array<string, mixed>>
     */
    private function cells(string $name, string $group, ShownMetric $metric, array $row, int|float $largest): array
    {
        [$a, $b] = [$row['a'][$metric->key] ?? 0, $row['b'][$metric->key] ?? 0];
        $change = Cells::change($a, $b, $metric, $largest, $metric->key === $this->lead)
            + ['noise' => $this->noise($name, $row, $metric->key)];
        $plain = ['noise' => '', 'tone' => '', 'width' => 0.0, 'share' => '', 'main' => false] + $change;
        $whole = $this->report->figures()->totals()['delta'][$metric->base] ?? 0;
        $isSmall = $a == $b || $this->report->noise()->isSmall($metric->base, $whole);
        $textA = $row['status'] === ProfileDiff::ADDED ? '' : Units::ofMetric($a, $metric->key);
        $textB = $row['status'] === ProfileDiff::GONE ? '' : Units::ofMetric($b, $metric->key);
        $cells = [];
        foreach (self::SHOWN[$group] as $part) {
            $cells[] = ['part' => $part, 'group' => $group] + match ($part) {
                'a' => ['value' => $a, 'text' => $textA] + $plain,
                'b' => ['value' => $b, 'text' => $textB] + $plain,
                'd' => ['share' => ''] + $change,
                // A new function has grown beyond any percentage.
                'p' => ['value' => $a == 0 ? ($b <=> 0) * PHP_FLOAT_MAX : ($b - $a) / abs($a), 'text' => Units::growth($a, $b)]
                    + $plain,
                // Of the whole change, if that is large enough.
                's' => ['text' => $isSmall ? '' : Units::percent($b - $a, $whole)] + $plain,
            };
        }

        return $cells;
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
