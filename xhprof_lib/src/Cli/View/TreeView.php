<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\OpenedRun;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Report\FlatReport;

/** The heaviest call paths, indented by depth. */
final class TreeView
{
    private readonly CallTree $tree;

    /** @var array<int, int> */
    private readonly array $inclusive;

    private readonly string $metric;

    /**
     * @param string|null $metric "wt" or "cpu", by inclusive time
     * @param int         $limit  paths, 0 for all
     * @throws CliError
     */
    public function __construct(private readonly OpenedRun $run, ?string $metric, private readonly int $limit)
    {
        $this->tree = $run->tree()
            ?? throw new CliError("no call tree was saved with this run; only xhprof_save() and `xhprof run` do");
        $times = array_values(array_filter($this->tree->metrics(), CallTree::isNanoseconds(...)));
        $metric ??= $times[0] ?? '';
        if (!in_array($metric, $times, true)) {
            // only times never shrink: a path is then at least as heavy as what is below it
            throw new CliError("--tree sorts by time (" . implode(', ', $times) . "), not by \"$metric\"");
        }
        $this->metric = $metric;
        $this->inclusive = $this->tree->inclusive($metric);
    }

    public function print(OutputInterface $output, Screen $screen): void
    {
        $functions = Recursion::merge(FlatReport::of($this->run->profile)->rows());
        Summary::print($this->run, count($functions), $output, $screen);
        $name = MetricLabel::name($this->metric);
        $table = new Table([
            new Column("incl $name"),
            new Column('%'),
            new Column("excl $name", weight: 1),
            new Column('calls'),
            Column::name('call path'),
        ]);
        $nodes = $this->heaviest();
        $most = intdiv($screen->width, 4);
        foreach ($nodes as $node) {
            $depth = $this->tree->depth[$node];
            $table->add([
                Units::us($this->inclusive[$node] / 1000),
                Units::percent($this->inclusive[$node], $this->inclusive[0]),
                Units::us($this->tree->self[$this->metric][$node] / 1000),
                Units::count($this->tree->ct[$node]),
                ($depth > $most ? "[$depth] " : str_repeat(' ', $depth))
                    . Text::printable($this->tree->names[$this->tree->fn[$node]]),
            ]);
        }
        $table->print($output, $screen);
        if (count($nodes) < $this->tree->count()) {
            $output->writeln(sprintf(
                '%s of %s call paths; --limit=0 shows all',
                Units::count(count($nodes)),
                Units::count($this->tree->count()),
            ));
        }
    }

    /** @return array<string, mixed> times in nanoseconds */
    public function json(): array
    {
        $paths = [];
        foreach ($this->heaviest() as $node) {
            $paths[] = [
                'name' => $this->tree->names[$this->tree->fn[$node]],
                'depth' => $this->tree->depth[$node],
                'ct' => $this->tree->ct[$node],
                "{$this->metric}_ns" => $this->inclusive[$node],
                "excl_{$this->metric}_ns" => $this->tree->self[$this->metric][$node],
            ];
        }

        return ['run' => $this->run->describe(), 'paths_total' => $this->tree->count(), 'paths' => $paths];
    }

    /** @return list<int> the heaviest nodes and what leads to them, in preorder */
    private function heaviest(): array
    {
        $nodes = range(0, $this->tree->count() - 1);
        if ($this->limit === 0 || count($nodes) <= $this->limit) {
            return $nodes;
        }
        $heavy = $this->inclusive;
        // of equal ones the first, which is the one above
        array_multisort($heavy, SORT_DESC, SORT_NUMERIC, $nodes, SORT_ASC, SORT_NUMERIC);
        $nodes = array_slice($nodes, 0, $this->limit);
        sort($nodes);

        return $nodes;
    }
}
