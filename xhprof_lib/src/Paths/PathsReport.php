<?php

declare(strict_types=1);

namespace XHProf\Paths;

use XHProf\Exception\UnknownMetric;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\MetricOrder;
use XHProf\Functions\RunHead;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/** The heaviest call paths of a run, each below its caller. */
final class PathsReport
{
    /** @var non-empty-list<string> the metric, and its raw or corrected form where that is shown too */
    private readonly array $metrics;

    /**
     * @param string|null $metric    "wt", "cpu" or corrected ones, by inclusive time
     * @param int         $limit     paths, 0 for all
     * @param bool        $corrected with the corrected times of the tree
     * @param FunctionPlaces|null $places shown beside the functions
     *
     * @throws UnknownMetric
     */
    public function __construct(
        private readonly Run $run,
        private readonly CallTree $tree,
        ?string $metric,
        private readonly int $limit,
        bool $corrected = false,
        private readonly ?FunctionPlaces $places = null,
    ) {
        $metrics = [...$tree->metrics(), ...($corrected ? $tree->correctedMetrics() : [])];
        $times = array_values(array_filter($metrics, Metrics::isTime(...)));
        $metric ??= $times[0] ?? '';
        if (!in_array($metric, $times, true)) {
            // Only times never shrink: a path is then at least as heavy as its callees.
            throw new UnknownMetric('--tree sorts by time (' . implode(', ', $times) . "), not by \"$metric\"");
        }
        $pair = MetricOrder::pair([$metric, ...$times]);
        $this->metrics = $pair === null ? [$metric] : [$metric, $pair];
    }

    public function report(): Report
    {
        $inclusive = [];
        foreach ($this->metrics as $metric) {
            $inclusive[$metric] = $this->tree->inclusive($metric);
        }
        $nodes = CallTree::heaviest($inclusive[$this->metrics[0]], $this->limit);
        sort($nodes);
        $rows = array_map(fn (int $node): array => $this->row($node, $inclusive), $nodes);
        $functions = count(FlatReport::compute($this->run->profile(), true)->rows());
        $columns = $this->columns($inclusive[$this->metrics[0]][0] ?? 0);
        $table = new Table(
            'paths',
            $columns,
            $rows,
            '',
            printed: array_column($columns, 'key'),
            below: Table::rest(count($rows), $this->tree->count(), 'call paths'),
        );

        return new Report([$table], RunHead::correctedNote($this->metrics), [
            'run' => $this->run->describe(),
            'paths_total' => $this->tree->count(),
            'paths' => $rows,
        ] + RunHead::corrected($this->metrics), headings: [(new RunHead($this->run))->heading($functions)]);
    }

    /** @return list<Column> */
    private function columns(int $whole): array
    {
        $columns = [];
        foreach ($this->metrics as $index => $metric) {
            $name = Metrics::of($metric)->short;
            $share = $index === 0 ? new Share($whole, 2, 0) : null;
            $columns[] = new Column("{$metric}_ns", Unit::Nanoseconds, "incl $name", share: $share);
            $columns[] = new Column("excl_{$metric}_ns", Unit::Nanoseconds, "excl $name", 1);
        }
        $columns[] = new Column('ct', Unit::Count, CountKind::ofRuns($this->run)->noun());
        $columns[] = new Column('name', Unit::Nested, 'call path');

        return [...$columns, ...($this->places === null ? [] : [$this->places->column()])];
    }

    /**
     * @param array<string, array<int, int>> $inclusive nanoseconds by metric and node
     *
     * @return array<string, mixed>
     */
    private function row(int $node, array $inclusive): array
    {
        $name = $this->tree->names[$this->tree->fn[$node]];
        $row = ['name' => $name, 'depth' => $this->tree->depth[$node], 'ct' => $this->tree->ct[$node]]
            + ($this->places?->json($name) ?? []);
        foreach ($this->metrics as $metric) {
            $row["{$metric}_ns"] = $inclusive[$metric][$node];
            $row["excl_{$metric}_ns"] = $this->tree->exclusive($metric)[$node];
        }

        return $row;
    }
}
