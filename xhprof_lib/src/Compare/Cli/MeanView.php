<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\CliError;
use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\View;
use XHProf\Cli\UsageError;
use XHProf\Compare\Statistics;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Stats\Distribution;
use XHProf\Stats\Outliers;

/** Several runs: the totals of each, and the spread of their functions. */
final class MeanView implements View
{
    /** Column titles, and which column is dropped first on a narrow screen. */
    private const TITLES = [
        'mean' => 'mean',
        'median' => 'median',
        'p95' => '95 %',
        'min' => 'least',
        'max' => 'most',
        'sd' => 'sd',
    ];
    private const WEIGHTS = ['mean' => 1, 'median' => 2, 'p95' => 4, 'min' => 5, 'max' => 3, 'sd' => 7];
    private const VARIATION = 1;
    private const CALLS = 6;

    private readonly MeanRun $run;

    private readonly Statistics $statistics;
    private readonly string $sort;

    /**
     * @param value-of<Distribution::KINDS> $kind
     * @param int $limit 0 for all
     * @param bool $levels whether the levels of a recursion are functions of their own
     * @throws CliError for a single run
     */
    public function __construct(
        Run $run,
        bool $levels,
        ?string $sort,
        private readonly string $kind,
        private readonly int $limit,
    ) {
        $this->run = $run instanceof MeanRun ? $run : throw new UsageError('a mean takes two runs or more');
        $this->statistics = Statistics::ofMean($run, !$levels);
        $run->profile();
        $this->sort = MetricLabel::sort($sort, $this->statistics->metrics());
    }

    public function print(Screen $screen): void
    {
        $screen->writeln(Summary::heading('Run', $this->run, $screen));
        $screen->writeln('');
        $this->runs()->print($screen);
        $screen->writeln('');
        $this->totals()->print($screen);
        $screen->writeln(['', '<options=bold>' . $this->title() . '</>']);
        $names = $this->names();
        $this->functions($names)->print($screen);
        $by = $this->sort === 'fn' ? 'name' : "the {$this->word()} of {$this->sort}";
        $screen->rest(count($names), count($this->statistics->functions()), "functions, sorted by $by");
    }

    public function json(): array
    {
        $functions = [];
        foreach ($this->names() as $name) {
            $stats = [];
            foreach ($this->statistics->columns() as $column) {
                $stats[$column] = self::stats($this->statistics->distribution($name, $column));
            }
            $functions[] = ['name' => $name, 'n' => $this->statistics->runsWith($name), 'stats' => $stats];
        }
        $totals = [];
        foreach (['ct', ...$this->statistics->metrics()] as $metric) {
            $totals[$metric] = self::stats($this->statistics->total($metric))
                + ['runs' => $this->statistics->totalValues($metric)];
        }

        return $this->run->describe() + [
            'metrics' => $this->statistics->metrics(),
            'totals' => $totals,
            'sort' => $this->sort,
            'agg' => $this->kind,
            'functions_total' => count($this->statistics->functions()),
            'functions' => $functions,
        ];
    }

    /** @return array<string, int|float> */
    private static function stats(Distribution $distribution): array
    {
        return array_combine(Distribution::KINDS, array_map($distribution->statistic(...), Distribution::KINDS));
    }

    /** One line per run. */
    private function runs(): Table
    {
        $metrics = [...$this->statistics->metrics(), 'ct'];
        $columns = [Column::name('run')];
        $values = [];
        $odd = [];
        foreach ($metrics as $index => $metric) {
            $columns[] = new Column($this->name($metric), weight: $index);
            $values[$metric] = $this->statistics->totalValues($metric);
            $odd += Outliers::positions($values[$metric]);
        }
        $table = new Table($odd === [] ? $columns : [...$columns, new Column('', Column::LEFT)]);
        foreach ($this->run->names() as $position => $name) {
            $cells = [$name];
            foreach ($metrics as $metric) {
                $cells[] = Units::of($values[$metric][$position] ?? 0, $metric);
            }
            $table->add([...$cells, isset($odd[$position]) ? 'outlier' : '']);
        }

        return $table;
    }

    /** One line per metric: totals of the runs. */
    private function totals(): Table
    {
        $table = new Table([new Column('', Column::LEFT), ...$this->columns()]);
        foreach ([...$this->statistics->metrics(), 'ct'] as $metric) {
            $label = $this->name($metric);
            $table->add([$label, ...self::cells($this->statistics->total($metric), $metric)]);
        }

        return $table;
    }

    /** @param list<string> $names */
    private function functions(array $names): Table
    {
        $column = $this->column();
        $table = new Table([
            ...$this->columns(),
            new Column('runs'),
            new Column(lcfirst(CountKind::of($this->run)->label()), weight: self::CALLS),
            Column::name('function'),
        ]);
        $runs = $this->statistics->count();
        foreach ($names as $name) {
            $with = $this->statistics->runsWith($name);
            $table->add([
                ...self::cells($this->statistics->distribution($name, $column), $column),
                $with < $runs ? "$with/$runs" : (string) $with,
                Units::count($this->statistics->distribution($name, 'ct')->statistic($this->kind)),
                Text::printable($name),
            ]);
        }

        return $table;
    }

    /** @return list<Column> */
    private function columns(): array
    {
        $columns = [];
        foreach (self::TITLES as $kind => $title) {
            $columns[] = new Column($title, weight: $kind === $this->kind ? 0 : self::WEIGHTS[$kind]);
        }

        return [...$columns, new Column('sd %', weight: self::VARIATION)];
    }

    /** @return list<string> */
    private static function cells(Distribution $distribution, string $column): array
    {
        $cells = [];
        foreach (array_keys(self::TITLES) as $kind) {
            $cells[] = Units::of($distribution->statistic($kind), $column);
        }
        $variation = $distribution->variation();

        return [...$cells, $variation === null ? '-' : Units::percent($variation, 1)];
    }

    /** The column that is shown. */
    private function column(): string
    {
        return $this->sort === 'fn' ? MetricLabel::sort(null, $this->statistics->metrics()) : $this->sort;
    }

    /** "exclusive wall". */
    private function title(): string
    {
        $base = MetricLabel::base($this->column());
        $side = str_starts_with($this->column(), 'excl_') ? 'exclusive' : 'inclusive';

        return OutputFormatter::escape($base === null ? $this->name('ct') : "$side " . MetricLabel::name($base));
    }

    /** For "ct" the counted thing, calls or samples. */
    private function name(string $metric): string
    {
        return $metric === 'ct' ? CountKind::of($this->run)->noun() : MetricLabel::name($metric);
    }

    private function word(): string
    {
        return match ($this->kind) {
            'p95' => '95th percentile',
            'min', 'max' => self::TITLES[$this->kind],
            'sd' => 'standard deviation',
            default => $this->kind,
        };
    }

    /** @return list<string> the functions to show, in their order */
    private function names(): array
    {
        $names = $this->statistics->functions();
        if ($this->sort === 'fn') {
            sort($names, SORT_STRING);
        } else {
            $values = array_map(
                fn (string $name): int|float => $this->statistics->distribution($name, $this->sort)->statistic($this->kind),
                $names,
            );
            array_multisort($values, SORT_DESC, SORT_NUMERIC, $names, SORT_ASC, SORT_STRING);
        }

        return $this->limit > 0 ? array_slice($names, 0, $this->limit) : $names;
    }
}
