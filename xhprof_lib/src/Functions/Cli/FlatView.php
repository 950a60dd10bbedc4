<?php

declare(strict_types=1);

namespace XHProf\Functions\Cli;

use XHProf\Cli\Run\CorrectedNote;
use XHProf\Cli\Run\FilesColumn;
use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Cli\Terminal\View;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\NegativeMemory;
use XHProf\Functions\RowRanking;
use XHProf\Run\Run;

/** The flat profile: one line per function. */
final class FlatView implements View
{
    private const BAR = 8;

    /** Order of dropping columns on a narrow screen: exclusive and inclusive values of the first metric, the second... */
    private const WEIGHTS = [[3, 3], [4, 6], [8, 9]];
    private const PERCENT_SORTED = 2;
    private const PERCENT = 5;
    private const BAR_WEIGHT = 7;
    private const LAST = 10;

    /** The column of --corrected is dropped last: the one beside the metric sorted by, or beside its raw form. */
    private const CORRECTED = 1;

    /** Least columns for names: with corrected times the table then fits into 80. */
    private const NAME = 26;
    private const NAME_CORRECTED = 23;

    private readonly FlatReport $report;
    private readonly FilesColumn $files;
    private readonly string $sort;

    /** @var array<string, array<string, int|float>> */
    private readonly array $rows;

    /**
     * @param string|null $sort   column of FlatReport, null for the default
     * @param int         $limit  0 for all
     * @param bool        $levels whether the levels of a recursion are functions of their own
     * @param bool        $files  whether the file of each is shown
     */
    public function __construct(
        private readonly Run $run,
        ?string $sort,
        private readonly int $limit,
        private readonly bool $levels = false,
        bool $files = false,
    ) {
        $this->files = FilesColumn::of($run, $files);
        $this->report = FlatReport::of($run->profile(), !$levels);
        $this->sort = MetricLabel::sort($sort, $this->report->metrics());
        $this->rows = $this->report->rows();
    }

    public function print(Screen $screen): void
    {
        $rows = RowRanking::rows($this->rows, $this->sort, $this->limit);
        $all = count($this->rows);
        Summary::print($this->run, $all, $screen);
        $table = $this->table($rows, $screen);
        $table->print($screen);
        $leftOut = array_diff($table->leftOut($screen), ['%', '']);
        if ($leftOut !== []) {
            $line = 'With --wide: ' . implode(', ', $leftOut);
            $screen->text(TextFit::shorten($line, $screen->width, $screen->ellipsis()));
        }
        CorrectedNote::print($this->report->metrics(), $screen);
        $screen->say(NegativeMemory::in($rows) ? NegativeMemory::MEANING : '', 'comment');
        $screen->rest(count($rows), $all, "functions, sorted by $this->sort");
    }

    /** Whether it shows corrected times. */
    public function isCorrected(): bool
    {
        return CorrectedNote::json($this->report->metrics()) !== [];
    }

    public function json(): array
    {
        $functions = [];
        $rows = RowRanking::rows($this->rows, $this->sort, $this->limit);
        foreach ($rows as $name => $row) {
            $functions[] = ['name' => $name] + $row + $this->files->json($name);
        }

        return [
            'run' => $this->run->describe(),
            'metrics' => $this->report->metrics(),
            'totals' => $this->report->totals(),
            'sort' => $this->sort,
            'recursion' => $this->levels ? 'levels' : 'merged',
            'functions_total' => count($this->rows),
            'functions' => $functions,
        ] + CorrectedNote::json($this->report->metrics()) + NegativeMemory::json($rows);
    }

    /** @param array<string, array<string, int|float>> $rows */
    private function table(array $rows, Screen $screen): Table
    {
        $metrics = MetricLabel::leading($this->report->metrics(), $this->sort);
        $totals = $this->report->totals();
        $lead = $metrics[0] ?? null;
        $byInclusive = $this->sort === $lead;
        $pair = MetricLabel::pair($metrics);

        $columns = [];
        foreach ($metrics as $index => $metric) {
            $name = MetricLabel::name($metric);
            $isPair = $pair !== null && ($metric === $lead || $metric === $pair);
            foreach (["excl $name", "incl $name"] as $side => $title) {
                $isSorted = $metric === $lead && $byInclusive === ($side === 1);
                $weight = $isPair ? self::CORRECTED : self::WEIGHTS[$index][$side] ?? self::LAST;
                $columns[] = new Column($title, weight: $isSorted ? 0 : $weight);
                if ($metric === $lead) {
                    $columns[] = new Column('%', weight: $isSorted ? self::PERCENT_SORTED : self::PERCENT);
                }
            }
        }
        $columns[] = new Column(lcfirst(CountKind::of($this->run)->label()));
        if ($lead !== null) {
            $columns[] = new Column('', Column::LEFT, weight: self::BAR_WEIGHT, style: 'fg=cyan');
        }
        $columns[] = Column::name('function', $pair === null ? self::NAME : self::NAME_CORRECTED);

        $table = new Table([...$columns, ...$this->files->columns()]);
        foreach ($rows as $name => $row) {
            $cells = [];
            foreach ($metrics as $metric) {
                foreach (["excl_$metric", $metric] as $column) {
                    $cells[] = Units::of($row[$column], $column);
                    if ($metric === $lead) {
                        $cells[] = MetricLabel::share($row[$column], $totals[$metric], $metric);
                    }
                }
            }
            $cells[] = Units::count($row['ct']);
            if ($lead !== null) {
                $share = $totals[$lead] == 0 ? 0.0 : $row[$byInclusive ? $lead : "excl_$lead"] / $totals[$lead];
                $cells[] = $screen->bar($share, self::BAR);
            }
            $cells[] = Text::printable($name);
            $table->add([...$cells, ...$this->files->cells($name)]);
        }

        return $table;
    }
}
