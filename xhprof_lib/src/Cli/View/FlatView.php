<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\OpenedRun;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Report\FlatReport;

/** The flat profile: one line per function. */
final class FlatView
{
    private const BAR = 8;

    private readonly FlatReport $report;
    private readonly string $sort;

    /**
     * @param string|null $sort  column of FlatReport, null for the default
     * @param int         $limit 0 for all
     */
    public function __construct(private readonly OpenedRun $run, ?string $sort, private readonly int $limit)
    {
        $this->report = FlatReport::of($run->profile);
        $this->sort = MetricLabel::sort($sort, $this->report->metrics());
    }

    public function print(OutputInterface $output, Screen $screen): void
    {
        $rows = $this->report->sorted($this->sort, $this->limit);
        $all = count($this->report->rows());
        Summary::print($this->run, $all, $output, $screen);
        $this->table($rows, $screen)->print($output, $screen);
        if (count($rows) < $all) {
            $output->writeln(sprintf(
                '%s of %s functions, sorted by %s; --limit=0 shows all',
                Units::count(count($rows)),
                Units::count($all),
                $this->sort,
            ));
        }
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        $functions = [];
        foreach ($this->report->sorted($this->sort, $this->limit) as $name => $row) {
            $functions[] = ['name' => $name] + $row;
        }

        return [
            'run' => $this->run->describe(),
            'metrics' => $this->report->metrics(),
            'totals' => $this->report->totals(),
            'sort' => $this->sort,
            'functions_total' => count($this->report->rows()),
            'functions' => $functions,
        ];
    }

    /** @param array<string, array<string, int>> $rows */
    private function table(array $rows, Screen $screen): Table
    {
        $metrics = MetricLabel::leading($this->report->metrics(), $this->sort);
        $totals = $this->report->totals();
        $lead = $metrics[0] ?? null;
        $byInclusive = $this->sort === $lead;

        $columns = [];
        foreach ($metrics as $index => $metric) {
            $name = MetricLabel::name($metric);
            // what gives way first when the screen is narrow: the bar, then the figures of the last metric
            $weight = $index === 0 ? 0 : 10 + $index * 2;
            $columns[] = new Column("excl $name", weight: $weight);
            if ($metric === $lead) {
                $columns[] = new Column('%', weight: $byInclusive ? 6 : 0);
            }
            $columns[] = new Column("incl $name", weight: $index === 0 ? 0 : $weight + 1);
            if ($metric === $lead) {
                $columns[] = new Column('%', weight: $byInclusive ? 0 : 6);
            }
        }
        $columns[] = new Column('calls');
        if ($lead !== null) {
            $columns[] = new Column('', Column::LEFT, weight: 11, style: 'fg=cyan');
        }
        $columns[] = Column::name('function');

        $table = new Table($columns);
        foreach ($rows as $name => $row) {
            $cells = [];
            foreach ($metrics as $metric) {
                foreach (["excl_$metric", $metric] as $column) {
                    $cells[] = Units::of($row[$column], $column);
                    if ($metric === $lead) {
                        $cells[] = Units::percent($row[$column], $totals[$metric]);
                    }
                }
            }
            $cells[] = Units::count($row['ct']);
            if ($lead !== null) {
                $share = $totals[$lead] === 0 ? 0.0 : $row[$byInclusive ? $lead : "excl_$lead"] / $totals[$lead];
                $cells[] = $screen->bar($share, self::BAR);
            }
            $cells[] = Text::printable($name);
            $table->add($cells);
        }

        return $table;
    }
}
