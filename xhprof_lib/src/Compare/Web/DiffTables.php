<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\DiffReport;
use XHProf\Compare\DiffSummary;
use XHProf\Compare\Noise;
use XHProf\Compare\Statistics;
use XHProf\Compare\SymbolDiff;
use XHProf\Format\Units;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;

/**
 * The tables of a comparison, ready for the templates: before, after, change, in percent and as a share of the whole change.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 */
final class DiffTables
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

    /**
     * @param string $metric the one whose columns are shown
     * @param string $lead column by whose change the rows are sorted
     * @param bool $exclusive with the column of exclusive figures
     */
    public function __construct(
        private readonly DiffPair $pair,
        private readonly string $metric,
        public readonly string $lead,
        private readonly bool $exclusive,
    ) {
    }

    /**
     * The column whose change `sort` names, from any side or percentage of it: "a_wt", "wt".
     *
     * @param list<string> $columns of FlatReport
     */
    public static function column(Request $request, array $columns, string $default): string
    {
        $column = preg_replace('/^[abp]_/', '', $request->text('sort'));

        return in_array($column, $columns, true) ? $column : $default;
    }

    /** The group of columns kept on narrow screens. */
    public function leadGroup(): string
    {
        return match (true) {
            $this->lead === 'ct' => 'ct',
            str_starts_with($this->lead, 'excl_') => 'excl',
            default => 'incl',
        };
    }

    /**
     * @return list<array{name: string, label: string, title: string, columns: list<array<string, mixed>>}>
     */
    public function head(): array
    {
        $groups = [];
        foreach ($this->columns() as $name => $metric) {
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
                    'title' => ($name === 'ct' ? $this->pair->counted()->label() : $metric->fullLabel()) . ", $title",
                    'url' => null,
                    // By size, without the sign.
                    'aria' => $part === 'd' && $key === $this->lead ? 'other' : null,
                ];
            }
            $groups[] = [
                'name' => $name,
                'label' => self::GROUPS[$name] ?? $this->pair->counted()->label(),
                'title' => $name === 'ct' ? $this->pair->counted()->title() : $metric->fullLabel(),
                'columns' => $columns,
            ];
        }

        return $groups;
    }

    /**
     * @param array<string, Neighbour> $rows those to show, in their order
     * @return list<array<string, mixed>>
     */
    public function lines(array $rows): array
    {
        $largest = [];
        foreach ($this->columns() as $group => $metric) {
            $largest[$group] = max([0, ...array_map(
                static fn (array $row): int|float => abs(($row['b'][$metric->key] ?? 0) - ($row['a'][$metric->key] ?? 0)),
                array_values($rows),
            )]);
        }
        $keep = $this->pair->parameters() + ['metric' => $this->metric, 'sort' => $this->lead];
        $lines = [];
        foreach ($rows as $name => $row) {
            $cells = [];
            foreach ($this->columns() as $group => $metric) {
                array_push($cells, ...$this->cells($name, $group, $metric, $row, $largest[$group]));
            }
            $lines[] = [
                'name' => $name,
                'status' => $row['status'],
                'was' => $this->pair->report()->nameBefore($name),
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
    public function noise(string $name, array $row, string $column): string
    {
        // Values between two functions are not known per run.
        $why = $this->exclusive
            ? $this->pair->noise()->of($name, $column, ($row['b'][$column] ?? 0) - ($row['a'][$column] ?? 0))
            : $this->pair->noise()->ofCalls($column, $row['delta']);

        return match ($why) {
            null => '',
            Noise::SMALL => 'Under 1 % of the total',
            Noise::MACHINE => ucfirst(Noise::MACHINE_WORDS),
            Noise::CHANCE => 'May be chance: p = ' . DiffSummary::probability($this->pair->noise()->chance($name, $column) ?? 1.0),
        };
    }

    /**
     * Totals of both sides, one line per metric.
     *
     * @return list<array<string, mixed>>
     */
    public static function totals(DiffPair $pair): array
    {
        [$report, $noise] = [$pair->report(), $pair->noise()];
        $totals = $report->totals();
        $lines = [];
        foreach (ShownMetric::list([...$report->metrics(), ...($pair->counted()->isCalls() ? ['ct'] : [])]) as $metric) {
            $key = $metric->key;
            $spread = static fn (?Statistics $side): ?float => $side?->total($key)->deviation();
            $lines[] = self::beforeAfter($metric->label, $metric, $totals['a'][$key] ?? 0, $totals['b'][$key] ?? 0, [
                $spread($pair->before->statistics),
                $spread($pair->after->statistics),
            ], $noise->chanceOfTotal($key), $noise->ofTotal($key, $totals['delta'][$key] ?? 0) === Noise::MACHINE);
        }
        $functions = ShownMetric::of('functions');
        [$before, $after] = [count($report->before()->rows()), count($report->after()->rows())];

        return [...$lines, self::beforeAfter('Functions', $functions, $before, $after)];
    }

    /**
     * A function's own values on both sides.
     *
     * @return list<array<string, mixed>>
     */
    public static function own(SymbolDiff $diff, DiffPair $pair): array
    {
        $self = $diff->self();
        $noise = $pair->noise();
        $keys = $pair->counted()->isCalls() ? ['ct'] : [];
        foreach ($pair->report()->metrics() as $metric) {
            array_push($keys, $metric, "excl_$metric");
        }
        $lines = [];
        foreach (ShownMetric::list($keys) as $metric) {
            $key = $metric->key;
            $spread = static fn (?Statistics $side): ?float => $side?->distribution($diff->symbol, $key)->deviation();
            $lines[] = self::beforeAfter($metric->fullLabel(), $metric, $self['a'][$key] ?? 0, $self['b'][$key] ?? 0, [
                $spread($pair->before->statistics),
                $spread($pair->after->statistics),
            ], $noise->chance($diff->symbol, $key), $noise->machine?->is($diff->symbol, $key) === true);
        }

        return $lines;
    }

    /** @return array<string, ShownMetric> group => its column */
    private function columns(): array
    {
        if ($this->metric === 'ct') {
            return ['ct' => ShownMetric::of('ct')];
        }
        // Samples belong to one function: there is no count of calls between functions.
        $columns = $this->exclusive || $this->pair->counted()->isCalls() ? ['ct' => ShownMetric::of('ct')] : [];
        if ($this->exclusive) {
            $columns['excl'] = ShownMetric::of("excl_$this->metric");
        }

        return $columns + ['incl' => ShownMetric::of($this->metric)];
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
        $whole = $this->pair->report()->totals()['delta'][$metric->base] ?? 0;
        $isSmall = $a == $b || $this->pair->noise()->isSmall($metric->base, $whole);
        $cells = [];
        foreach (self::SHOWN[$group] as $part) {
            $cells[] = ['part' => $part, 'group' => $group] + match ($part) {
                'a' => ['value' => $a, 'text' => $row['status'] === DiffReport::ADDED ? '' : Units::of($a, $metric->key)] + $plain,
                'b' => ['value' => $b, 'text' => $row['status'] === DiffReport::GONE ? '' : Units::of($b, $metric->key)] + $plain,
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

    /** @param float|null $spread null and 0 are not shown */
    private static function spread(?float $spread, ShownMetric $metric): string
    {
        return $spread === null || $spread == 0 ? '' : Units::of($spread, $metric->key);
    }

    /**
     * @param array{0: ?float, 1: ?float} $spread standard deviations before and after, null of single runs
     * @param float|null $chance how often chance alone does that, null if unknown
     * @param bool $machine whether the machine did it
     * @return array<string, mixed>
     */
    private static function beforeAfter(
        string $label,
        ShownMetric $metric,
        int|float $a,
        int|float $b,
        array $spread = [null, null],
        ?float $chance = null,
        bool $machine = false,
    ): array {
        return [
            'label' => $label,
            'before' => Cells::value($a, $metric) + ['spread' => self::spread($spread[0], $metric)],
            'after' => Cells::value($b, $metric) + ['spread' => self::spread($spread[1], $metric)],
            'change' => ($machine ? ['tone' => 'same'] : []) + Cells::change($a, $b, $metric),
            'noise' => $machine ? ucfirst(Noise::MACHINE_WORDS) : '',
            'chance' => $chance === null ? '' : DiffSummary::probability($chance),
        ];
    }
}
