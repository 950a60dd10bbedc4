<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Functions\CountKind;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;
use XHProf\Run\MeanRun;
use XHProf\Stats\Distribution;
use XHProf\Stats\Outliers;

/**
 * Several runs, function by function: a statistic of each figure over the runs, and how far it spreads. What `xhprof mean`
 * prints, and the page of several runs and api.php show.
 *
 * @phpstan-type Kind value-of<Distribution::KINDS>
 */
final class MeanReport
{
    /** Kinds of statistics: head on a terminal, on a page, and the weight of the column. */
    public const KINDS = [
        'mean' => ['mean', 'Mean', 1],
        'median' => ['median', 'Median', 2],
        'p95' => ['95 %', 'p95', 4],
        'min' => ['least', 'Min', 5],
        'max' => ['most', 'Max', 3],
        'sd' => ['sd', 'Std dev', 7],
    ];

    /** Orders by the name of a function, and by the number of runs that have it. */
    public const BY_NAME = 'fn';
    public const BY_RUNS = 'n';

    /** Before a column: the order by its spread. */
    public const VARIATION = 'cv_';

    public readonly Statistics $statistics;

    /**
     * @param bool $levels whether the levels of a recursion are functions of their own
     * @param string $noun what its functions are, where they are added up: "package"
     */
    public function __construct(public readonly MeanRun $run, bool $levels, private readonly string $noun = 'function')
    {
        $this->statistics = Statistics::ofMean($run, !$levels);
        // They come with the mean.
        $run->profile();
    }

    public function counted(): CountKind
    {
        return CountKind::ofRuns($this->run);
    }

    /** @return list<string> metrics with totals, calls last */
    public function metrics(): array
    {
        return [...$this->statistics->metrics(), 'ct'];
    }

    /** @return array<int, true> positions of the runs whose total of a metric is far from the others */
    public function outliers(string $metric): array
    {
        return Outliers::positions($this->statistics->totalValues($metric));
    }

    /** The column of an order: of one by name or by runs the first. */
    public function column(string $sort): string
    {
        $first = Metrics::leading($this->statistics->metrics());

        return match ($sort) {
            self::BY_NAME, self::BY_RUNS => $first === null ? 'ct' : "excl_$first",
            default => (string) preg_replace('/\A' . self::VARIATION . '/', '', $sort),
        };
    }

    /**
     * @param string $sort BY_NAME, BY_RUNS, a column of FlatReport, or one behind VARIATION
     * @param Kind $kind
     * @param bool|null $descending null: figures from the largest, names from A
     * @param string $query part of a name
     *
     * @return list<string> functions, equal ones by name
     */
    public function names(string $sort, string $kind, ?bool $descending = null, string $query = ''): array
    {
        $isFound = static fn (string $name): bool => stripos($name, $query) !== false;
        $names = array_values(array_filter($this->statistics->functions(), $isFound));
        if ($sort === self::BY_NAME) {
            sort($names, SORT_STRING);

            return $descending === true ? array_reverse($names) : $names;
        }
        $column = $this->column($sort);
        $values = array_map(fn (string $name): int|float => match (true) {
            $sort === self::BY_RUNS => $this->statistics->runsWith($name),
            $sort !== $column => $this->statistics->distribution($name, $column)->variation() ?? -1,
            default => $this->statistics->distribution($name, $column)->statistic($kind),
        }, $names);
        array_multisort($values, $descending === false ? SORT_ASC : SORT_DESC, SORT_NUMERIC, $names, SORT_ASC, SORT_STRING);

        return $names;
    }

    /** The totals of each run. */
    public function runs(): Table
    {
        $columns = [new Column('run', Unit::Symbol, 'run')];
        $rows = array_map(static fn (string $name): array => ['run' => $name], $this->run->names());
        $odd = [];
        foreach ($this->metrics() as $index => $metric) {
            $columns[] = new Column($metric, Unit::ofMetric($metric), $this->name($metric), $index);
            foreach ($this->statistics->totalValues($metric) as $position => $value) {
                $rows[$position][$metric] = $value;
            }
            $odd += $this->outliers($metric);
        }
        foreach ($odd as $position => $_) {
            $rows[$position]['odd'] = 'outlier';
        }
        $order = ['run', ...$this->metrics(), ...($odd === [] ? [] : ['odd'])];
        $rows = array_map(static fn (array $row): array => $row + ['odd' => ''], $rows);

        return new Table('runs', [...$columns, new Column('odd', Unit::Mark, '')], $rows, '', printed: $order);
    }

    /**
     * The spread of the totals, a line per metric.
     *
     * @param Kind $kind that is always shown
     */
    public function totals(string $kind): Table
    {
        $columns = [new Column('label', Unit::Mark, ''), ...self::columns($kind, Unit::OfMetric)];
        $rows = array_map(
            fn (string $metric): array => ['label' => $this->name($metric), 'metric' => $metric]
                + self::spread($this->statistics->total($metric)),
            $this->metrics(),
        );

        return new Table('totals', $columns, $rows, '', printed: array_column($columns, 'key'));
    }

    /**
     * The spread of a column.
     *
     * @param list<string> $names functions, in their order
     * @param Kind $kind
     */
    public function functions(array $names, string $column, string $kind): Table
    {
        $runs = $this->statistics->count();
        $rows = [];
        foreach ($names as $name) {
            $with = $this->statistics->runsWith($name);
            $rows[] = ['name' => $name] + self::spread($this->statistics->distribution($name, $column)) + [
                'n' => $with < $runs ? "$with/$runs" : $with,
                'ct' => $this->statistics->distribution($name, 'ct')->statistic($kind),
            ];
        }

        return new Table('functions', [
            new Column('name', Unit::Symbol, $this->noun),
            ...self::columns($kind, Unit::ofMetric($column)),
            new Column('n', Unit::Count, 'runs'),
            new Column('ct', Unit::Count, lcfirst($this->counted()->label()), 6),
        ], $rows, '');
    }

    /**
     * @param Kind $kind
     *
     * @return list<Column>
     */
    private static function columns(string $kind, Unit $unit): array
    {
        $columns = [];
        foreach (self::KINDS as $key => [$title, $label, $weight]) {
            $columns[] = new Column($key, $unit, $title, $key === $kind ? 0 : $weight, $label);
        }

        return [...$columns, new Column('variation', Unit::Percent, 'sd %', 1, '± %')];
    }

    /** @return array<string, int|float|null> */
    private static function spread(Distribution $distribution): array
    {
        return self::statistics($distribution) + ['variation' => $distribution->variation()];
    }

    /** @return array<Kind, int|float> */
    public static function statistics(Distribution $distribution): array
    {
        return array_combine(Distribution::KINDS, array_map($distribution->statistic(...), Distribution::KINDS));
    }

    /** For "ct" the counted thing, calls or samples. */
    private function name(string $metric): string
    {
        return $metric === 'ct' ? $this->counted()->noun() : Metrics::of($metric)->short;
    }

    /** "exclusive wall". */
    public function title(string $column): string
    {
        $metric = MetricOrder::base($column) ?? $column;

        return ($column === 'ct' ? '' : ($metric === $column ? 'inclusive ' : 'exclusive ')) . $this->name($metric);
    }

    /**
     * The order in words.
     *
     * @param Kind $kind
     */
    public function order(string $sort, string $kind): string
    {
        $words = match ($kind) {
            'p95' => '95th percentile',
            'sd' => 'standard deviation',
            default => self::KINDS[$kind][0],
        };

        return match (true) {
            $sort === self::BY_NAME => 'name',
            $sort === self::BY_RUNS => 'the number of runs',
            str_starts_with($sort, self::VARIATION) => 'the spread of ' . $this->column($sort),
            default => "the $words of $sort",
        };
    }

    /**
     * @param list<string> $names functions, in their order
     * @param Kind $kind
     *
     * @return array<string, mixed> what programs read
     */
    public function json(array $names, string $sort, string $kind): array
    {
        $functions = [];
        foreach ($names as $name) {
            $stats = [];
            foreach ($this->statistics->columns() as $column) {
                $stats[$column] = self::statistics($this->statistics->distribution($name, $column));
            }
            $functions[] = ['name' => $name, 'n' => $this->statistics->runsWith($name), 'stats' => $stats];
        }
        $totals = [];
        foreach (['ct', ...$this->statistics->metrics()] as $metric) {
            $totals[$metric] = self::statistics($this->statistics->total($metric))
                + ['runs' => $this->statistics->totalValues($metric)];
        }

        return $this->run->describe() + [
            'metrics' => $this->statistics->metrics(),
            'totals' => $totals,
            ...TimeBar::json($this->run->times()->whole()),
            'sort' => $sort,
            'agg' => $kind,
            'functions_total' => count($this->statistics->functions()),
            'functions' => $functions,
        ];
    }
}
