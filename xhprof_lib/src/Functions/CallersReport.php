<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Exception\UnknownMetric;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/**
 * One function: its own figures, its callers and its callees, which of them and in which order, and its lines.
 *
 * @phpstan-import-type Row from SymbolReport
 */
final class CallersReport
{
    /** Functions named in a sentence or in a cell. */
    private const NAMED = 3;

    public readonly string $sort;

    /** @var list<string> */
    private readonly array $metrics;

    private readonly CountKind $counted;

    /**
     * @param string|null $sort   "ct", a metric or "fn"; null for the usual one
     * @param int         $limit  callers and callees, 0 for all
     * @param bool        $levels whether the levels of a recursion are functions of their own
     * @param FunctionPlaces|null $places shown beside the functions
     * @param bool|null   $descending null: figures from the largest, names from A
     *
     * @throws UnknownMetric
     */
    public function __construct(
        private readonly Run $run,
        public readonly SymbolReport $symbol,
        ?string $sort = null,
        private readonly int $limit = 0,
        private readonly bool $levels = false,
        private readonly ?FunctionPlaces $places = null,
        private readonly ?bool $descending = null,
    ) {
        $this->metrics = $run->profile()->metrics();
        $this->sort = MetricOrder::sort($sort, $this->metrics, true);
        $this->counted = CountKind::ofRuns($run);
    }

    /** @return array<string, Row> the callers that are shown */
    public function callers(): array
    {
        return $this->ranked($this->symbol->parents());
    }

    /** @return array<string, Row> the callees that are shown */
    public function callees(): array
    {
        return $this->ranked($this->symbol->children());
    }

    /**
     * The figures that callers and callees have: a sample belongs to one function, so that there is no count of calls.
     *
     * @return list<string>
     */
    public function figures(): array
    {
        return array_slice(MetricOrder::figures($this->metrics, true), $this->counted->isCalls() ? 0 : 1);
    }

    /** @return list<array{metric: string, exclusive: int|float, inclusive: int|float, per_call: int|float|null}> by metric */
    public function own(): array
    {
        $self = $this->symbol->self();

        return array_map(fn (string $metric): array => [
            'metric' => $metric,
            'exclusive' => $self["excl_$metric"] ?? 0,
            'inclusive' => $self[$metric] ?? 0,
            'per_call' => $self['ct'] > 0 && $this->counted->isCalls() ? ($self[$metric] ?? 0) / $self['ct'] : null,
        ], $this->metrics);
    }

    public function report(): Report
    {
        $symbol = $this->symbol->symbol;
        $lines = $this->lines();
        $corrected = RunHead::correctedNote($this->metrics);
        $place = $this->places?->find($symbol)?->text() ?? '';
        $times = $this->run->times()->ofFunction($symbol);
        $tables = [
            $this->ownTable(),
            $this->neighbours('parents', 'called by', $this->callers(), count($this->symbol->parents())),
            $this->neighbours('children', 'calls', $this->callees(), count($this->symbol->children())),
            ...($lines === null ? [] : [self::linesTable($lines)]),
        ];
        $facts = [
            'run' => $this->run->describe(),
            'symbol' => $symbol,
            ...($this->places?->json($symbol) ?? []),
            'recursion' => $this->levels ? 'levels' : 'merged',
            'recursive_calls' => (object) $this->symbol->recursion(),
            'metrics' => $this->metrics,
            'totals' => $this->symbol->totals(),
            'self' => $this->symbol->self(),
            ...TimeBar::json($times),
            'parents' => $tables[1]->rows,
            'children' => $tables[2]->rows,
            ...($lines === null ? [] : ['lines' => ['metric' => $lines->metric, 'by_line' => $lines->lines]]),
        ] + RunHead::corrected($this->metrics);

        return new Report(
            $tables,
            $corrected === [] ? [] : ['', ...$corrected],
            $facts,
            headings: [
                (new RunHead($this->run))->title(),
                new Heading($symbol, $place === '' ? [] : [$place], bar: TimeBar::of($times)),
            ],
            rowsInJson: false,
        );
    }

    /**
     * @param array<string, Row> $rows
     *
     * @return array<string, Row>
     */
    private function ranked(array $rows): array
    {
        /** @var array<string, Row> */
        return RowRanking::rows($rows, $this->sort, $this->limit, descending: $this->descending);
    }

    /** Lines are optional: the report works without them. */
    private function lines(): ?FunctionLines
    {
        try {
            $hasSamples = $this->run->has(Run::SAMPLES) && !$this->run->hasTooManySamples();
            $samples = $hasSamples ? $this->run->samples() : null;
        } catch (DamagedRun | RunNotFound | StoreError) {
            return null;
        }

        return $samples === null ? null : FunctionLines::compute($samples, $this->symbol->symbol);
    }

    private function ownTable(): Table
    {
        $totals = $this->symbol->totals();
        $share = static fn (string $side): \Closure => static fn (array $row): ?float
            => FunctionsReport::share($totals, $row['metric'], 0)->of($row[$side]);
        $rows = $this->own();
        $calls = ['metric' => 'ct', 'exclusive' => $this->symbol->self()['ct'], 'inclusive' => '', 'per_call' => ''];
        $label = fn (array $row): string => $row['metric'] === 'ct'
            ? lcfirst($this->counted->label())
            : Metrics::of($row['metric'])->short;
        $ofCalls = static fn (array $row): float|string|null => $row['inclusive'] === '' ? '' : $share('inclusive')($row);

        return new Table('self', [
            new Column('label', Unit::Text, '', value: $label),
            new Column('exclusive', Unit::OfMetric, 'exclusive'),
            new Column('exclusive_share', Unit::Percent, '% of run', value: $share('exclusive')),
            new Column('inclusive', Unit::OfMetric, 'inclusive'),
            new Column('inclusive_share', Unit::Percent, '% of run', value: $ofCalls),
            new Column('per_call', Unit::OfMetric, 'per call'),
        ], [...$rows, $calls], '', printed: [
            'label', 'exclusive', 'exclusive_share', 'inclusive', 'inclusive_share', 'per_call',
        ], below: $this->recursion());
    }

    /** Callers of the function while it was already running, in a sentence. */
    private function recursion(): string
    {
        $calls = $this->symbol->recursion();
        if ($calls === [] || !$this->counted->isCalls()) {
            return '';
        }
        $by = array_map(
            fn (int|string $name): string => $name === $this->symbol->symbol ? 'itself' : (string) $name,
            array_slice(array_keys($calls), 0, self::NAMED),
        );

        return sprintf(
            '%s of its calls came from %s%s while it was running; their inclusive figures are in those of the outermost calls.',
            Units::count(array_sum($calls)),
            implode(', ', $by),
            count($calls) > self::NAMED ? ' and others' : '',
        );
    }

    /** @param array<string, Row> $shown */
    private function neighbours(string $key, string $title, array $shown, int $all): Table
    {
        $metrics = MetricOrder::leading($this->metrics, $this->sort);
        $pair = MetricOrder::pair($metrics);
        $columns = [];
        foreach ($metrics as $index => $metric) {
            $columns[] = new Column(
                $metric,
                Unit::ofMetric($metric),
                'incl ' . Metrics::of($metric)->short,
                $index === 0 || $metric === $pair ? 0 : 10 + $index,
                share: $index === 0 ? FunctionsReport::share($this->symbol->self(), $metric, 1) : null,
            );
        }
        $columns = [
            ...$columns,
            ...($this->counted->isCalls() ? [new Column('ct', Unit::Count, 'calls')] : []),
            new Column('name', Unit::Symbol, $title),
            ...($this->places === null ? [] : [$this->places->column()]),
        ];
        $rows = [];
        foreach ($shown as $name => $row) {
            $rows[] = ['name' => (string) $name] + $row + ($this->places?->json((string) $name) ?? []);
        }

        return new Table(
            $key,
            $columns,
            $rows,
            $title === 'calls' ? 'calls nothing' : 'called by nothing',
            printed: array_column($columns, 'key'),
            below: Table::rest(count($rows), $all, ''),
        );
    }

    /** Time of the function per line of code, for runs sampled with lines. */
    private static function linesTable(FunctionLines $lines): Table
    {
        $share = new Share($lines->time(), bar: 0);
        $count = static fn (string $key): \Closure => static fn (array $row): int|string => $row[$key] === 0 ? '' : $row[$key];
        $columns = [
            new Column('line', Unit::Count, 'line', value: static fn (array $row): string => (string) $row['line']),
            new Column('time', Unit::ofMetric($lines->metric), Metrics::of($lines->metric)->short, share: $share),
            new Column('bar', Unit::Bar, '', 3, value: static fn (array $row): float => $share->of($row['time']) ?? 0.0),
            new Column('own', Unit::Count, 'its samples', 1, value: $count('own')),
            new Column('called', Unit::Count, "PHP's", 2, value: $count('called')),
            new Column('in', Unit::Symbol, 'in', value: static fn (array $row): string
                => implode(', ', array_slice($lines->called($row['line']), 0, self::NAMED)), least: 10),
        ];
        $rows = [];
        foreach ($lines->lines as $line => $values) {
            $rows[] = ['line' => $line] + $values;
        }

        return new Table('lines', $columns, $rows, '', printed: array_column($columns, 'key'));
    }
}
