<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Functions\MetricOrder;
use XHProf\Operations\OperationReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\NameMatch;
use XHProf\Profile\NameRules;
use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;
use XHProf\Run\ChangedRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Stats\Distribution;

/**
 * Two runs, or two sets of runs, function by function: what `xhprof diff` prints, pages and api.php show, and a file has of a
 * comparison. Changes are those of b from a, more (+) or less (-). What is not worth a look comes last: see Noise.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 * @phpstan-import-type Sentence from Verdict
 * @phpstan-type Line array{metric: string, a: int|float, b: int|float, delta: int|float, share: ?float, spread_a: ?float,
 *     spread_b: ?float, chance: ?float, noise: Noise::MACHINE|null}
 */
final class DiffReport
{
    /** Marks changes on a terminal that are not worth a look. */
    public const NOISE = '~';

    private ?ProfileDiff $figures = null;
    private ?Noise $noise = null;

    /**
     * @param Run $a its functions have the names that they have in b
     * @param array<string, string> $renamed names in a => in b, where they differ: see NameMatch
     * @param bool $levels whether the levels of a recursion are functions of their own
     * @param Statistics|null $statisticsA of several runs
     */
    private function __construct(
        public readonly Run $a,
        public readonly Run $b,
        public readonly array $renamed,
        public readonly bool $levels,
        public readonly ?Statistics $statisticsA,
        public readonly ?Statistics $statisticsB,
        public readonly string $noun,
    ) {
    }

    /**
     * @param NameRules|null $rules null: functions are the same only under the same name
     * @param string $noun what is compared, where the functions of the runs are others: "package"
     */
    public static function between(Run $a, Run $b, bool $levels, ?NameRules $rules, string $noun = 'function'): self
    {
        // They are there as soon as the profiles have been read.
        [$statisticsA, $statisticsB] = [Statistics::ofMean($a, !$levels), Statistics::ofMean($b, !$levels)];
        [$before, $after] = [$a->profile(), $b->profile()];
        $renamed = $rules === null ? [] : NameMatch::between($before, $after, $a->treeNames(), $b->treeNames(), $rules);

        $statisticsA = $statisticsA?->renamed($renamed);

        return new self(ChangedRun::renamed($a, $renamed), $b, $renamed, $levels, $statisticsA, $statisticsB, $noun);
    }

    public function figures(): ProfileDiff
    {
        return $this->figures ??= ProfileDiff::between($this->a->profile(), $this->b->profile(), !$this->levels, $this->renamed);
    }

    /** @return list<string> metrics that both have, without "ct" */
    public function metrics(): array
    {
        return $this->figures()->metrics();
    }

    public function counted(): CountKind
    {
        return CountKind::ofRuns($this->a, $this->b);
    }

    public function noise(): Noise
    {
        $operations = static fn (Run $run): \Closure => static fn (): ?OperationReport
            => $run->has(Run::OPERATIONS) ? $run->operations() : null;

        return $this->noise ??= new Noise(
            $this->figures(),
            $this->statisticsA,
            $this->statisticsB,
            !$this->counted()->isCalls(),
            MachineTime::compute(
                $this->figures(),
                $this->a->meta(),
                $this->b->meta(),
                $operations($this->a),
                $operations($this->b),
            ),
        );
    }

    /**
     * Where the time was on both sides.
     *
     * @param string|null $symbol a function with its callees, by its name here; null for the whole runs
     */
    public function times(?string $symbol = null): ?TimeChange
    {
        [$a, $b] = [$this->a->times(), $this->b->times()];

        return $symbol === null
            ? TimeChange::between($a->whole(), $b->whole())
            : TimeChange::between($a->ofFunction($symbol), $b->ofFunction($symbol));
    }

    /** The name that a function has here: that in b, for a name in a. */
    public function nameOf(string $symbol): string
    {
        return $this->b->profile()->hasSymbol($symbol) ? $symbol : EdgeKey::renamed($symbol, $this->renamed);
    }

    /**
     * The comparison in a few sentences.
     *
     * @param string|null $metric the one that is looked at; null or another one than both have: none
     *
     * @return list<Sentence>
     */
    public function verdict(?string $metric): array
    {
        return !isset($this->figures()->totals()['delta'][$metric]) ? [] : Verdict::sentences(
            $this->figures(),
            $this->noise(),
            (string) $metric,
            $this->counted()->isCalls(),
            "{$this->noun}s",
            $this->times(),
        );
    }

    /** @return list<string> what makes the two hard to compare: sentences without a full stop, printable */
    public function notes(): array
    {
        [$a, $b] = [$this->a->metas(), $this->b->metas()];
        $name = static fn (RunMeta $meta): string => "$meta->id $meta->source";
        $both = count($a) + count($b) === 2 ? 0 : count(array_intersect(array_map($name, $a), array_map($name, $b)));
        $left = [];
        foreach (['A' => [$this->a, $this->b], 'B' => [$this->b, $this->a]] as $side => [$has, $lacks]) {
            $only = array_diff($has->profile()->metrics(), $lacks->profile()->metrics());
            $labels = array_map(static fn (string $metric): string => Metrics::of($metric)->label, $only);
            $left = $only === [] ? $left : [...$left, implode(', ', $labels) . " (only in $side)"];
        }

        return array_map(Text::printable(...), array_values(array_filter([
            $this->recordedOtherwise(),
            $both === 0 ? null : ($both === 1 ? 'One run is on both sides' : "$both runs are on both sides"),
            $left === [] ? null : 'Left out: ' . implode('; ', $left),
        ])));
    }

    /** What keeps times of the two, or of the first of several, from being compared. CPU clocks all show the same time. */
    private function recordedOtherwise(): ?string
    {
        [$a, $b] = [$this->a->meta()->recording, $this->b->meta()->recording];
        $flags = array_map(static fn (RunMeta $meta): string => match (true) {
            $meta->recording->flagNames !== [] => implode(', ', $meta->recording->flagNames),
            $meta->recording->flags === 0 => 'none',
            default => (string) $meta->recording->flags,
        }, [$this->a->meta(), $this->b->meta()]);
        $clocks = [$a->clock['wall'] ?? '', $b->clock['wall'] ?? ''];
        $differ = [
            ...($a->flags === null || $b->flags === null || $a->flags === $b->flags ? [] : ["flags ($flags[0] / $flags[1])"]),
            ...(in_array('', $clocks, true) || $clocks[0] === $clocks[1] ? [] : ["wall clocks ($clocks[0] / $clocks[1])"]),
        ];

        return $differ === [] ? null : 'Recorded with different ' . implode(' and ', $differ) . ': times are not comparable';
    }

    /** The column that decides what is noise: of an order by name the first one. */
    public function leading(string $sort): string
    {
        $first = Metrics::leading($this->metrics());

        return $sort !== 'fn' ? $sort : ($first === null ? 'ct' : "excl_$first");
    }

    /**
     * Functions by the size of their change.
     *
     * @param string $sort column of FlatReport, or "fn": the order of names, in which noise has its place
     * @param int $limit 0 for all
     * @param string $query part of their names
     * @param bool $changed only those of which any figure changed
     *
     * @return list<string>
     */
    public function names(string $sort, int $limit = 0, string $query = '', bool $changed = false): array
    {
        $column = $this->leading($sort);
        $clear = [];
        $noise = [];
        foreach ($this->figures()->sorted($sort) as $name => $row) {
            $name = (string) $name;
            if ($limit > 0 && count($clear) === $limit) {
                break;
            }
            if (stripos($name, $query) === false || ($changed && array_filter($row) === [])) {
                continue;
            }
            if ($sort === 'fn' || $this->noise()->of($name, $column, $row[$column] ?? 0) === null) {
                $clear[] = $name;
            } elseif ($limit === 0 || count($noise) < $limit) {
                $noise[] = $name;
            }
        }
        $all = [...$clear, ...$noise];

        return $limit > 0 ? array_slice($all, 0, $limit) : $all;
    }

    /** @return array{int, int} number of functions with this text in their name, and of those of which any figure changed */
    public function counts(string $query): array
    {
        $rows = array_filter(
            $this->figures()->rows(),
            static fn (string $name): bool => stripos($name, $query) !== false,
            ARRAY_FILTER_USE_KEY,
        );

        return [count($rows), count(array_filter($rows, static fn (array $row): bool => array_filter($row) !== []))];
    }

    /** @return Noise::SMALL|Noise::CHANCE|Noise::MACHINE|null why a function's change of a column is not worth a look */
    public function noiseOf(string $name, string $column): ?string
    {
        return $this->noise()->of($name, $column, $this->figures()->rows()[$name][$column] ?? 0);
    }

    /**
     * Callers or callees of a function.
     *
     * @param array<string, Neighbour> $rows
     * @param string $column by whose change they are sorted
     *
     * @return array<string, Neighbour> the largest change first, noise last
     */
    public function neighbours(array $rows, string $column): array
    {
        uasort($rows, static fn (array $a, array $b): int => abs($b['delta'][$column] ?? 0) <=> abs($a['delta'][$column] ?? 0));

        return array_filter($rows, fn (array $row): bool => $this->noise()->ofCalls($column, $row['delta']) === null) + $rows;
    }

    /** @return list<Line> the whole runs, a line per metric, then calls and the number of functions */
    public function totals(): array
    {
        $totals = $this->figures()->totals();
        $none = array_fill_keys(['spread_a', 'spread_b', 'chance', 'noise'], null);
        $functions = [count($this->figures()->before()->rows()), count($this->figures()->after()->rows())];
        $lines = array_map(fn (string $metric): array => $this->line(
            $metric,
            $totals['a'][$metric] ?? 0,
            $totals['b'][$metric] ?? 0,
            static fn (Statistics $side): Distribution => $side->total($metric),
            $this->noise()->chanceOfTotal($metric),
            $this->noise()->ofTotal($metric, $totals['delta'][$metric] ?? 0) === Noise::MACHINE,
        ), [...$this->metrics(), 'ct']);

        return [...$lines, $none + self::change("{$this->noun}s", ...$functions)];
    }

    /** @return list<Line> a function's own figures, a line per column, calls first */
    public function own(SymbolDiff $diff): array
    {
        $columns = ['ct'];
        foreach ($this->metrics() as $metric) {
            array_push($columns, $metric, "excl_$metric");
        }

        return array_map(fn (string $column): array => $this->line(
            $column,
            $diff->self['a'][$column] ?? 0,
            $diff->self['b'][$column] ?? 0,
            static fn (Statistics $side): Distribution => $side->distribution($diff->symbol, $column),
            $this->noise()->chance($diff->symbol, $column),
            $this->noise()->machine?->is($diff->symbol, $column) === true,
        ), $columns);
    }

    /**
     * @param \Closure(Statistics): Distribution $spread of a side
     *
     * @return Line
     */
    private function line(string $metric, int|float $a, int|float $b, \Closure $spread, ?float $chance, bool $isMachine): array
    {
        return self::change($metric, $a, $b) + [
            'spread_a' => $this->statisticsA === null ? null : $spread($this->statisticsA)->deviation(),
            'spread_b' => $this->statisticsB === null ? null : $spread($this->statisticsB)->deviation(),
            'chance' => $chance,
            'noise' => $isMachine ? Noise::MACHINE : null,
        ];
    }

    /** @return array{metric: string, a: int|float, b: int|float, delta: int|float, share: ?float} share of a; null where that is 0 */
    private static function change(string $metric, int|float $a, int|float $b): array
    {
        $delta = $b - $a;

        return ['metric' => $metric, 'a' => $a, 'b' => $b, 'delta' => $delta, 'share' => $a == 0 ? null : $delta / abs($a)];
    }

    /**
     * @param list<Line> $lines
     * @param string $counted meaning of "ct"
     */
    public function sides(array $lines, string $counted): Table
    {
        return new Table('totals', [
            new Column('label', Unit::Mark, ''),
            new Column('a', Unit::OfMetric, 'A'),
            new Column('b', Unit::OfMetric, 'B'),
            new Column('delta', Unit::OfMetric, 'B - A', isChange: true),
            new Column('share', Unit::Percent, '%', isChange: true),
        ], array_map(static fn (array $line): array => $line + [
            'label' => $line['metric'] === 'ct' ? $counted : self::title($line['metric'], ''),
        ], $lines), '', printed: ['label', 'a', 'b', 'delta', 'share'], faint: 'noise');
    }

    /**
     * Changes of functions.
     *
     * @param string $sort as in names()
     * @param int $limit 0 for all
     * @param string $query part of their names
     * @param list<string> $metrics the most important first
     */
    public function functions(string $sort, int $limit, string $query, array $metrics): Table
    {
        $columns = [];
        foreach ($metrics as $metric) {
            array_push($columns, "excl_$metric", $metric);
        }
        $rows = [];
        foreach ($this->names($sort, $limit, $query, true) as $name) {
            $rows[$name] = $this->figures()->row($name) + ['noise' => $this->noiseOf($name, $this->leading($sort))];
        }

        return $this->changes('functions', $rows, $columns, $this->noun, lcfirst($this->counted()->label()), $sort);
    }

    /**
     * Changes of the calls between a function and others.
     *
     * @param array<string, Neighbour> $rows
     */
    public function callsOf(array $rows, string $key, string $title, int $limit): Table
    {
        $column = $this->metrics()[0] ?? 'ct';
        $rows = $this->neighbours($rows, $column);
        $rows = array_map(fn (array $row): array => $row + ['noise' => $this->noise()->ofCalls($column, $row['delta'])], $rows);
        // Samples belong to one function: there is no count of calls between functions.
        $counted = $this->counted()->isCalls() ? 'calls' : null;

        return $this->changes($key, $limit === 0 ? $rows : array_slice($rows, 0, $limit, true), $this->metrics(), $title, $counted);
    }

    /**
     * @param array<string, array{status: string, noise: ?string, delta: array<string, int|float>, ...}> $rows
     * @param list<string> $columns of FlatReport, the most important first
     * @param string|null $counted meaning of "ct"; null for no such column
     * @param string $always column that narrow screens have too
     */
    private function changes(string $key, array $rows, array $columns, string $title, ?string $counted, string $always = ''): Table
    {
        $heads = [new Column('name', Unit::Symbol, $title), new Column('mark', Unit::Mark, '')];
        foreach ($columns as $i => $column) {
            $weight = $i === 0 || $column === $always ? 0 : 10 + $i;
            $label = (str_starts_with($column, 'excl_') ? 'Self ' : 'Total ')
                . Metrics::of(MetricOrder::base($column) ?? $column)->words();
            $heads[] = new Column(
                $column,
                Unit::ofMetric($column),
                self::title($column, 'incl '),
                $weight,
                $label,
                isChange: true,
            );
        }
        $heads[] = new Column('ct', Unit::Count, $counted ?? '', 5, isChange: true);
        $lines = [];
        foreach ($rows as $name => ['status' => $status, 'noise' => $noise, 'delta' => $delta]) {
            $mark = trim(($status === ProfileDiff::BOTH ? '' : $status) . ($noise === null ? '' : ' ' . self::NOISE));
            $lines[] = ['name' => (string) $name, 'mark' => $mark, 'noise' => $noise] + $delta;
        }

        return new Table($key, $heads, $lines, "$title nothing", faint: 'noise');
    }

    /** "excl wall"; "incl wall", or "wall". */
    private static function title(string $column, string $inclusive): string
    {
        return str_starts_with($column, 'excl_')
            ? 'excl ' . Metrics::of(substr($column, 5))->short
            : $inclusive . Metrics::of($column)->short;
    }

    /**
     * The growth, and how likely it is chance.
     *
     * @param string $column of FlatReport
     * @param string|null $symbol a function; null for the whole runs
     *
     * @return array{growth: float, chance: ?float, text: string} growth as a share of the value before, INF if that was 0
     *
     * @throws \XHProf\Exception\UnknownSymbol
     */
    public function budget(string $column, ?string $symbol): array
    {
        // The whole run has no caller: its inclusive and its exclusive value are the same.
        $column = $symbol === null ? MetricOrder::base($column) ?? $column : $column;
        $symbol = $symbol === null ? null : $this->nameOf($symbol);
        $lines = $symbol === null ? $this->totals() : $this->own($this->figures()->symbol($symbol));
        $line = array_column($lines, null, 'metric')[$column];
        ['a' => $a, 'b' => $b, 'chance' => $chance] = $line;
        $words = Metrics::of(MetricOrder::base($column) ?? $column)->words();
        $words = (str_starts_with($column, 'excl_') ? 'exclusive ' : '') . $words;

        return [
            'growth' => Judgement::share($a, $b),
            'chance' => $chance,
            'text' => sprintf(
                '%s: %s, from %s to %s%s%s',
                $symbol === null ? "total $words" : "$words of " . Text::printable($symbol),
                Units::growth($a, $b) === '' ? Units::signed($b - $a, $column) : Units::growth($a, $b),
                Units::ofMetric($a, $column),
                Units::ofMetric($b, $column),
                $chance === null ? '' : ', p = ' . Noise::probability($chance),
                $line['noise'] === null || $b <= $a ? '' : ', but CPU time and calls did not change with it: run it several times',
            ),
        ];
    }

    /**
     * @param string $sort as in names()
     * @param int $limit 0 for all
     * @param string $query part of their names
     * @param list<string> $notes
     *
     * @return array<string, mixed> what programs read
     */
    public function json(string $sort, int $limit, string $query, array $notes): array
    {
        $column = $this->leading($sort);
        $totals = $this->figures()->totals();
        $functions = [];
        foreach ($this->names($sort, $limit, $query) as $name) {
            $row = $this->figures()->row($name);
            $functions[] = [
                'name' => $name,
                'status' => $row['status'],
                'a' => $row['a'] === [] ? null : $row['a'],
                'b' => $row['b'] === [] ? null : $row['b'],
                'delta' => $row['delta'],
                'noise' => $this->noiseOf($name, $column),
                'before' => $this->figures()->nameBefore($name),
            ] + ($this->noise()->isTested() ? ['p' => $this->noise()->chance($name, $column)] : []);
        }

        return $this->described($notes) + [
            'sum' => $this->sum($sort),
            'metrics' => $this->metrics(),
            'totals' => $totals,
            TimeBar::KEY => $this->times()?->toArray(),
            'totals_noise' => array_combine(
                array_keys($totals['delta']),
                array_map($this->noise()->ofTotal(...), array_keys($totals['delta']), $totals['delta']),
            ),
            'sort' => $sort,
            'recursion' => $this->levels ? 'levels' : 'merged',
            'functions_total' => count($this->figures()->rows()),
            'functions' => $functions,
        ] + ($this->noun === 'function' ? [] : ['by' => $this->noun]);
    }

    /**
     * @param list<string> $notes
     *
     * @return array<string, mixed> what programs read of one function
     */
    public function symbolJson(SymbolDiff $diff, array $notes): array
    {
        $named = static fn (array $rows): array => array_map(
            static fn (int|string $name, array $row): array => ['name' => $name] + $row,
            array_keys($rows),
            $rows,
        );

        return $this->described($notes) + [
            'symbol' => $diff->symbol,
            'status' => $diff->self['status'],
            'before' => $this->figures()->nameBefore($diff->symbol),
            'self' => $diff->self,
            TimeBar::KEY => $this->times($diff->symbol)?->toArray(),
            'self_noise' => (object) array_filter(array_column($this->own($diff), 'noise', 'metric')),
            'parents' => $named($diff->parents),
            'children' => $named($diff->children),
        ];
    }

    /**
     * @param list<string> $notes
     *
     * @return array<string, mixed>
     */
    private function described(array $notes): array
    {
        return ['a' => $this->a->describe(), 'b' => $this->b->describe(), 'notes' => $notes];
    }

    /** The verdict as one text, '' without a metric; printable. */
    public function sum(string $sort): string
    {
        $metric = MetricOrder::base($this->leading($sort)) ?? $this->metrics()[0] ?? null;

        return Text::printable(Verdict::text($this->verdict($metric)));
    }
}
