<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Exception\UnknownMetric;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/**
 * The functions of a run, or of the mean of several: which of them, in which order, with which figures.
 *
 * @phpstan-type Figures array{ct: int|float, ...<string, int|float>}
 */
final class FunctionsReport
{
    /** Weights of the exclusive and the inclusive figures of the first metric, the second... */
    private const WEIGHTS = [[3, 3], [4, 6], [8, 9]];
    private const OTHERS = 10;

    /** Weights of the shares: that of the column sorted by, and that of the other column. */
    private const SORTED_SHARE = 2;
    private const OTHER_SHARE = 5;
    private const BAR = 7;

    /** Weight of the corrected form of the metric sorted by, or of its raw form. */
    private const PAIR = 1;

    /** Least width for names beside such a pair: the table then fits into 80. */
    private const NAME_BESIDE_PAIR = 23;

    public readonly string $sort;

    /** @var list<string> */
    public readonly array $metrics;

    /** All functions, in no order. */
    public readonly FlatReport $flat;

    /** @var array<string, Figures> the shown ones, in order */
    public readonly array $rows;

    /** Number of functions that match. */
    public readonly int $count;

    public readonly NameSearch $search;

    /**
     * @param string|null $sort   a figure of MetricOrder, or "fn"; null for the usual one
     * @param int         $limit  0 for all
     * @param bool        $levels whether the levels of a recursion are functions of their own
     * @param FunctionPlaces|null $places shown beside the functions
     * @param string      $query  what NameSearch takes
     * @param bool|null   $descending null: figures from the largest, names from A
     *
     * @throws UnknownMetric
     */
    public function __construct(
        private readonly Run $run,
        ?string $sort = null,
        int $limit = 0,
        private readonly bool $levels = false,
        private readonly ?FunctionPlaces $places = null,
        string $query = '',
        ?bool $descending = null,
    ) {
        $this->flat = FlatReport::compute($run->profile(), !$levels);
        $this->metrics = $this->flat->metrics();
        $this->sort = MetricOrder::sort($sort, $this->metrics);
        $this->search = new NameSearch($query);
        $matching = $this->search->among($this->flat->rows());
        $this->count = count($matching);
        /** @var array<string, Figures> $rows */
        $rows = RowRanking::rows($matching, $this->sort, $limit, descending: $descending);
        $this->rows = $rows;
    }

    /** @return string what negative memory means; '' where no row has some */
    public function negative(): string
    {
        return NegativeMemory::in($this->rows) ? NegativeMemory::MEANING : '';
    }

    public function report(): Report
    {
        $corrected = RunHead::corrected($this->metrics);
        $negative = $this->negative();
        $table = $this->table();
        $facts = [
            'run' => $this->run->describe(),
            'metrics' => $this->metrics,
            'totals' => $this->flat->totals(),
            ...TimeBar::json($this->run->times()->whole()),
            'sort' => $this->sort,
            'recursion' => $this->levels ? 'levels' : 'merged',
            'functions_total' => $this->count,
            'functions' => $table->rows,
        ] + $corrected + ($negative === '' ? [] : ['negative_memory' => $negative]);
        $all = count($this->flat->rows());

        return new Report(
            [$table],
            [...RunHead::correctedNote($this->metrics), ...($negative === '' ? [] : [$negative])],
            $facts,
            headings: [(new RunHead($this->run))->heading($all)],
        );
    }

    private function table(): Table
    {
        $metrics = MetricOrder::leading($this->metrics, $this->sort);
        $pair = MetricOrder::pair($metrics);
        $totals = $this->flat->totals();
        $lead = $metrics[0] ?? null;
        $byInclusive = $this->sort === $lead;
        $columns = [];
        foreach ($metrics as $index => $metric) {
            $isPair = $pair !== null && ($metric === $lead || $metric === $pair);
            foreach (["excl_$metric" => 'excl', $metric => 'incl'] as $key => $word) {
                $isInclusive = $key === $metric;
                $isSorted = $metric === $lead && $byInclusive === $isInclusive;
                $weight = $isPair ? self::PAIR : self::WEIGHTS[$index][(int) $isInclusive] ?? self::OTHERS;
                $columns[] = new Column(
                    $key,
                    Unit::ofMetric($key),
                    "$word " . Metrics::of($metric)->short,
                    $isSorted ? 0 : $weight,
                    label: ($isInclusive ? 'Total ' : 'Self ') . Metrics::of($metric)->words(),
                    share: $metric !== $lead ? null
                        : self::share($totals, $metric, $isSorted ? self::SORTED_SHARE : self::OTHER_SHARE),
                );
            }
        }
        $columns[] = new Column('ct', Unit::Count, lcfirst(CountKind::ofRuns($this->run)->label()));
        if ($lead !== null) {
            $key = $byInclusive ? $lead : "excl_$lead";
            $whole = $totals[$lead];
            $columns[] = new Column('bar', Unit::Bar, '', self::BAR, value: static fn (array $row): float|int
                => $whole == 0 ? 0 : $row[$key] / $whole);
        }
        $least = $pair === null ? 0 : self::NAME_BESIDE_PAIR;
        $columns = [
            ...$columns,
            new Column('name', Unit::Symbol, 'function', least: $least),
            ...($this->places === null ? [] : [$this->places->column()]),
        ];
        $rows = [];
        foreach ($this->rows as $name => $row) {
            $rows[] = ['name' => (string) $name] + $row + ($this->places?->json((string) $name) ?? []);
        }

        return new Table(
            'functions',
            $columns,
            $rows,
            $this->search->text === '' ? '' : $this->search->none(),
            printed: array_column($columns, 'key'),
            below: Table::rest(count($rows), $this->count, "functions, sorted by $this->sort"),
            namesHidden: true,
        );
    }

    /** @param array<string, int|float> $totals */
    public static function share(array $totals, string $metric, int $weight): Share
    {
        return new Share($totals[$metric] ?? 0, $weight, 0, Metrics::isSigned($metric));
    }
}
