<?php

declare(strict_types=1);

namespace XHProf\Paths\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Run\CorrectedNote;
use XHProf\Cli\Run\FilesColumn;
use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\View;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;

/** The heaviest call paths, indented by depth. */
final class TreeView implements View
{
    /** Deepest indentation; deeper calls have their depth as a number. */
    private const DEEPEST = 100;

    private readonly CallTree $tree;
    private readonly FilesColumn $files;

    /** @var array<string, array<int, int>> per column and node */
    private readonly array $inclusive;

    private readonly string $metric;

    /** @var list<string> the metric, and its raw or corrected form where that is shown too */
    private readonly array $columns;

    /**
     * @param string|null $metric    "wt", "cpu" or corrected ones, by inclusive time
     * @param int         $limit     paths, 0 for all
     * @param bool        $corrected with the corrected times of the tree
     * @param bool        $files     whether the file of each function is shown
     * @throws CliError
     */
    public function __construct(
        private readonly Run $run,
        ?string $metric,
        private readonly int $limit,
        bool $corrected = false,
        bool $files = false,
    ) {
        $this->files = FilesColumn::of($run, $files);
        $this->tree = $run->tree()
            ?? throw new CliError('this run has no call tree; xhprof_save(), `xhprof run` and imports of files that have call paths'
                . ' save one');
        if ($corrected && $this->tree->correctedMetrics() === []) {
            throw new CliError(CorrectedNote::NONE);
        }
        $metrics = [...$this->tree->metrics(), ...($corrected ? $this->tree->correctedMetrics() : [])];
        $times = array_values(array_filter($metrics, Metrics::isTime(...)));
        $metric ??= $times[0] ?? '';
        if (!in_array($metric, $times, true)) {
            // only times never shrink: a path is then at least as heavy as its callees
            throw new CliError("--tree sorts by time (" . implode(', ', $times) . "), not by \"$metric\"");
        }
        $this->metric = $metric;
        $pair = MetricLabel::pair([$metric, ...$times]);
        $this->columns = $pair === null ? [$metric] : [$metric, $pair];
        foreach ($this->columns as $column) {
            $inclusive[$column] = $this->tree->inclusive($column);
        }
        $this->inclusive = $inclusive;
    }

    public function print(Screen $screen): void
    {
        $functions = FlatReport::of($this->run->profile(), true)->rows();
        Summary::print($this->run, count($functions), $screen);
        $columns = [];
        foreach ($this->columns as $index => $metric) {
            $name = MetricLabel::name($metric);
            $columns[] = new Column("incl $name");
            if ($index === 0) {
                $columns[] = new Column('%', weight: 2);
            }
            $columns[] = new Column("excl $name", weight: 1);
        }
        $columns[] = new Column(CountKind::of($this->run)->noun());
        $table = new Table([...$columns, Column::name('call path'), ...$this->files->columns()]);
        $nodes = $this->heaviest();
        $most = min(self::DEEPEST, intdiv($screen->width, 4));
        foreach ($nodes as $node) {
            $cells = [];
            foreach ($this->columns as $index => $metric) {
                $inclusive = $this->inclusive[$metric];
                $cells[] = Units::us($inclusive[$node] / 1000);
                if ($index === 0) {
                    $cells[] = Units::percent($inclusive[$node], $inclusive[0]);
                }
                $cells[] = Units::us($this->tree->exclusive($metric)[$node] / 1000);
            }
            $depth = $this->tree->depth[$node];
            $name = $this->tree->names[$this->tree->fn[$node]];
            $table->add([
                ...$cells,
                Units::count($this->tree->ct[$node]),
                ($depth > $most ? "[$depth] " : str_repeat(' ', $depth))
                    . Text::printable($name),
                ...$this->files->cells($name),
            ]);
        }
        $table->print($screen);
        CorrectedNote::print($this->columns, $screen);
        $screen->rest(count($nodes), $this->tree->count(), 'call paths');
    }

    /** @return array<string, mixed> times in nanoseconds */
    public function json(): array
    {
        $paths = [];
        foreach ($this->heaviest() as $node) {
            $path = [
                'name' => $this->tree->names[$this->tree->fn[$node]],
                'depth' => $this->tree->depth[$node],
                'ct' => $this->tree->ct[$node],
            ] + $this->files->json($this->tree->names[$this->tree->fn[$node]]);
            foreach ($this->columns as $metric) {
                $path["{$metric}_ns"] = $this->inclusive[$metric][$node];
                $path["excl_{$metric}_ns"] = $this->tree->exclusive($metric)[$node];
            }
            $paths[] = $path;
        }

        return ['run' => $this->run->describe(), 'paths_total' => $this->tree->count(), 'paths' => $paths]
            + CorrectedNote::json($this->columns);
    }

    /** @return list<int> the heaviest nodes and their callers, in preorder */
    private function heaviest(): array
    {
        $nodes = range(0, $this->tree->count() - 1);
        if ($this->limit === 0 || count($nodes) <= $this->limit) {
            return $nodes;
        }
        $heavy = $this->inclusive[$this->metric];
        // among equal ones the first, which is the outermost
        array_multisort($heavy, SORT_DESC, SORT_NUMERIC, $nodes, SORT_ASC, SORT_NUMERIC);
        $nodes = array_slice($nodes, 0, $this->limit);
        sort($nodes);

        return $nodes;
    }
}
