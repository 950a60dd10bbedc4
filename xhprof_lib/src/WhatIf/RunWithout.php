<?php

declare(strict_types=1);

namespace XHProf\WhatIf;

use XHProf\Exception\NotOfMean;
use XHProf\Exception\UnknownSymbol;
use XHProf\Format\Units;
use XHProf\Functions\FlatReport;
use XHProf\Functions\RunHead;
use XHProf\Operations\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;

/** The totals of a run as they would be if what is struck took no time: less its outermost calls with all that they call. */
final class RunWithout
{
    private const METRICS = ['wt', 'cpu'];

    /**
     * @param list<array{metric: string, total: int|float, struck: int|float|null, left: int|float|null}> $figures µs; null:
     *     not known
     * @param int|float|null $calls outermost ones; null of samples
     */
    private function __construct(
        private readonly Run $run,
        private readonly Strike $strike,
        public readonly array $figures,
        public readonly int|float|null $calls,
    ) {
    }

    /** @throws UnknownSymbol where several functions cannot be struck, because the run has no call paths */
    public static function of(Run $run, Strike $strike): self
    {
        $tree = $run->has(Run::TREE) ? $run->tree() : null;
        $metrics = array_values(array_intersect(self::METRICS, $run->metrics()));
        [$struck, $calls] = $tree === null ? self::ofEdges($run, $strike) : self::ofTree($tree, $strike, $metrics);
        // Operations are measured by the wall clock.
        [$time, $count] = $strike->operationTime(
            $strike->operations === [] ? null : self::operations($run),
            $tree === null ? [] : $strike->subtrees($tree),
        );
        $figures = [];
        foreach ($metrics as $metric) {
            $total = $run->total($metric);
            $part = $metric === 'wt' ? ($struck[$metric] ?? 0) + $time / 1000 : $struck[$metric] ?? 0;
            $isKnown = $metric === 'wt' || $strike->operations === [];
            $part = max(0, min($total, $part));
            $figures[] = [
                'metric' => $metric,
                'total' => $total,
                'struck' => $isKnown ? $part : null,
                'left' => $isKnown ? $total - $part : null,
            ];
        }

        return new self($run, $strike, $figures, $run->meta()->recording->samples === null ? $calls + $count : null);
    }

    public function report(): Report
    {
        $facts = ['without' => $this->strike->words()];

        return new Report(
            [$this->table(), ...RoutesWithout::tables($this->run, $this->strike)],
            [...$this->notes(), ...RoutesWithout::notes($this->run)],
            $this->run->describe() + $facts + ['calls' => $this->calls],
            [(new RunHead($this->run))->title()],
        );
    }

    public function table(): Table
    {
        return new Table(
            'totals',
            [
                new Column('metric', Unit::Text, 'figure', value: static fn (array $row): string
                    => Metrics::of($row['metric'])->label),
                new Column('total', Unit::Microseconds, 'total', label: 'Total'),
                new Column('struck', Unit::Microseconds, 'struck out', label: 'Struck out'),
                new Column('left', Unit::Microseconds, 'would be', label: 'Would be'),
                new Column('change', Unit::Text, 'change', label: 'Change', value: static fn (array $row): string
                    => $row['struck'] === null || $row['total'] <= 0 ? '' : '-' . Units::percent($row['struck'], $row['total'])),
            ],
            $this->figures,
            'This run has no times.',
            'If it took no time',
            'Totals of the run, and what they would be',
            implode(', ', $this->strike->words()),
            ['total', 'struck', 'left', 'change', 'metric'],
            lead: 'Without ' . implode(', ', $this->strike->words()),
        );
    }

    /** @return list<string> how it was computed */
    public function notes(): array
    {
        $isSampled = $this->run->meta()->recording->samples !== null;

        $how = ($isSampled
            ? 'From samples, an estimate: the total less the samples in it, and in what it calls.'
            : 'Exact for what was recorded: the total less ' . Units::counted((int) round($this->calls ?? 0), 'outermost call')
                . ' of it, with all that they call.')
            . ' What else would change, as caches that it fills, is not in it.';
        $isHalf = $this->strike->operations !== [] && count($this->figures) > 1;

        return $isHalf ? [$how, 'Operations are timed by the wall clock: what CPU time they take is not known.'] : [$how];
    }

    /**
     * @param list<string> $metrics
     *
     * @return array{array<string, int|float>, int|float} µs by metric, outermost calls
     */
    private static function ofTree(CallTree $tree, Strike $strike, array $metrics): array
    {
        $subtrees = $strike->subtrees($tree);
        $sums = [];
        foreach (array_intersect($metrics, $tree->metrics()) as $metric) {
            $sums[$metric] = self::sum($tree, $metric, $subtrees) / 1000;
        }
        $calls = array_sum(array_map(static fn (array $part): int => $tree->ct[$part[0]], $subtrees));

        return [$sums, $calls];
    }

    /**
     * @param list<array{int, int}> $subtrees
     *
     * @return int ns of them
     */
    public static function sum(CallTree $tree, string $metric, array $subtrees): int
    {
        $self = $tree->exclusive($metric);
        $sum = 0;
        foreach ($subtrees as [$from, $end]) {
            for ($node = $from; $node < $end; $node++) {
                $sum += $self[$node];
            }
        }

        return $sum;
    }

    /** @return array{array<string, int|float>, int|float} the same */
    private static function ofEdges(Run $run, Strike $strike): array
    {
        if (count($strike->names) > 1) {
            throw new UnknownSymbol('this run has no call paths: it does not know how much of one function is in another, and one '
                . 'alone can be struck out');
        }
        $row = $strike->names === [] ? null : FlatReport::compute($strike->calls($run), true)->rows()[$strike->names[0]] ?? null;

        return [array_intersect_key($row ?? [], array_flip(self::METRICS)), $row['ct'] ?? 0];
    }

    private static function operations(Run $run): ?OperationReport
    {
        return $run instanceof MeanRun
            ? throw new NotOfMean('Operations are shown for one run, not for the mean of several')
            : $run->operations();
    }
}
