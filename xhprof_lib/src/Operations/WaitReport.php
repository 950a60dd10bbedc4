<?php

declare(strict_types=1);

namespace XHProf\Operations;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** The report on what a run waited for: by kind, by text, and what is repeated in loops. */
final class WaitReport
{
    /** Advice for a run without operations. */
    public const NONE = 'this run has no operations: exact profiles record them unless xhprof.collect_additional_info is off';

    /** The order of rows, unless another one is asked for. */
    public const USUAL = 'total';

    /** Callers of a text on a terminal. */
    private const CALLERS = 5;

    /** Texts that are repeated in loops. */
    private const REPEATED = 5;

    /** @var list<OperationRow> of the kind, in order */
    public readonly array $all;

    /**
     * @param string|null $kind   null for all
     * @param Order       $order  by one of OperationReport::SORTS
     * @param int|float   $whole  µs of the run; 0: not known
     * @param int         $frames of a call path
     */
    public function __construct(
        private readonly OperationReport $operations,
        ?string $kind,
        private readonly Order $order,
        private readonly int|float $whole,
        int $frames = 12,
    ) {
        $this->all = $operations->rows($kind, $order->by, $frames, $order->descending);
    }

    /**
     * @param int  $limit   of texts, 0 for all
     * @param bool $callers whether to have who did each
     */
    public function report(int $limit, bool $callers): Report
    {
        $shown = $limit === 0 ? $this->all : array_slice($this->all, 0, $limit);
        $rest = Table::rest(count($shown), count($this->all), 'operations');

        return new Report(
            $this->all === [] ? [$this->rows($shown)] : [$this->kinds(), $this->rows($shown, $callers, $rest), $this->repeated()],
            $this->notes(),
            [
                'sampled' => $this->operations->operations->isSampled(),
                'kinds' => (object) $this->operations->kinds(),
                'operations_total' => count($this->all),
            ],
        );
    }

    /** @return list<string> what is not known */
    public function notes(): array
    {
        $lost = $this->operations->operations->lost;

        return array_values(array_filter([
            $this->operations->operations->isSampled()
                ? 'By samples of functions: without texts, durations and values. Exact profiles record those.'
                : '',
            $lost === 0 ? '' : Units::counted($lost, 'operation') . ' could not be recorded.',
        ]));
    }

    /** The kinds, the slowest first; where there are several, all of them above. */
    public function kinds(): Table
    {
        $kinds = $this->operations->kinds();
        $all = ['ct' => 0, 'total' => 0, 'texts' => 0];
        foreach ($kinds as $figures) {
            foreach ($figures as $name => $value) {
                $all[$name] += $value;
            }
        }
        $rows = [];
        foreach ((count($kinds) > 1 ? ['' => $all] : []) + $kinds as $kind => $figures) {
            $us = $figures['total'] / 1000;
            $rows[] = [
                'kind' => $kind,
                'label' => $kind === '' ? 'All' : OperationReport::label($kind),
                // Those of other fibers, and within each other, add up to more than the whole.
                'share' => $this->whole > 0 && $us <= $this->whole ? Units::percent($us, $this->whole) : '',
            ] + $figures;
        }

        return new Table('kinds', [
            new Column('label', Unit::Symbol, 'kind'),
            new Column('total', Unit::Nanoseconds, 'total'),
            ...implode('', array_column($rows, 'share')) === '' ? [] : [new Column('share', Unit::Count, '%', 2)],
            new Column('ct', Unit::Count, $this->calls()),
            new Column('texts', Unit::Count, 'texts', 1),
        ], $rows, '');
    }

    /** @param list<OperationRow> $shown of all */
    public function rows(array $shown, bool $callers = false, string $below = ''): Table
    {
        $sampled = $this->operations->operations->isSampled();
        $columns = [
            new Column('text', Unit::Symbol, 'operation'),
            new Column('total_ns', Unit::Nanoseconds, 'total', help: 'Time of all calls', sort: 'total'),
            new Column('ct', Unit::Count, $this->calls(), help: 'Number of ' . $this->calls()),
            ...$sampled ? [] : [
                new Column('max_ns', Unit::Nanoseconds, 'max', label: 'Longest', help: 'Time of the longest call', sort: 'max'),
                new Column(
                    'duplicates',
                    Unit::Count,
                    'dup',
                    1,
                    'Duplicates',
                    'Calls with the same values as one before, as far as values are known',
                    value: static fn (array $row): int|string => $row['duplicates'] ?: '',
                ),
                new Column('median_ns', Unit::Nanoseconds, 'median', 2, help: 'Half of the calls took no longer; to a quarter'),
                new Column('p95_ns', Unit::Nanoseconds, 'p95', 2, 'p95', '95 of 100 calls took no longer; to a quarter'),
            ],
            new Column('kind', Unit::Text, 'kind', 1, ''),
            new Column('operation', Unit::Text, '', label: '', inJson: false),
        ];
        $printed = ['total_ns', 'ct', ...($sampled ? [] : ['max_ns', 'median_ns', 'p95_ns', 'duplicates']), 'kind', 'text'];

        return new Table(
            'operations',
            $columns,
            array_map(fn (OperationRow $row): array => $this->row($row, $callers), $shown),
            'This run has no operations.',
            caption: 'Operations by text, with their callers',
            printed: $printed,
            below: $below,
            parts: $callers ? self::parts(...) : null,
        );
    }

    /** What is repeated in loops and takes most time. */
    public function repeated(): Table
    {
        $rows = [];
        foreach ($this->all as $row) {
            $caller = $row->repeated();
            if ($caller !== null) {
                $rows[] = [
                    'ct' => $caller->ct,
                    'total' => $caller->total,
                    'loop' => (string) $caller->loop,
                    'text' => $row->text,
                    'loops' => $caller->loops,
                    'duplicates' => $caller->duplicates,
                ];
            }
        }
        $columns = [
            new Column('ct', Unit::Count, 'calls'),
            new Column('total', Unit::Nanoseconds, 'total'),
            new Column('loop', Unit::Symbol, 'in'),
            new Column('text', Unit::Symbol, 'operation'),
        ];

        return (new Table('', $columns, $rows, '', printed: array_column($columns, 'key'), lead: 'Repeated in a loop:'))
            ->ordered(new Order('total'))->first(self::REPEATED);
    }

    /** @return array<string, mixed> */
    private function row(OperationRow $row, bool $callers): array
    {
        return [
            'kind' => $row->kind,
            'text' => $row->text,
            'ct' => $row->ct,
            'total_ns' => $row->total,
            'max_ns' => $row->max,
            'median_ns' => $row->median,
            'p95_ns' => $row->p95,
            'duplicates' => $this->operations->operations->isSampled() ? null : $row->duplicates,
            'repeated_in' => $row->repeated()?->loop,
            'callers_total' => count($row->callers),
            // Whole call paths: much to read for who did not ask.
            ...($callers ? ['callers' => array_map(static fn (OperationCaller $caller): array => [
                'path' => array_reverse($caller->path),
                'ct' => $caller->ct,
                'total_ns' => $caller->total,
                'max_ns' => $caller->max,
                'duplicates' => $caller->duplicates,
                'repeated_in' => $caller->loop,
            ], $row->callers)] : []),
            'operation' => $row,
        ];
    }

    /**
     * @param array<string, mixed> $row
     *
     * @return list<array<string, mixed>> who did it, on a terminal
     */
    private static function parts(array $row): array
    {
        $blank = array_fill_keys(array_keys($row), '');
        $parts = [];
        foreach (array_slice($row['callers'], 0, self::CALLERS) as $caller) {
            $path = '  ' . implode(' ← ', array_reverse($caller['path']));
            $parts[] = ['total_ns' => $caller['total_ns'], 'ct' => $caller['ct'], 'text' => $path] + $blank;
        }
        $more = count($row['callers']) - count($parts);

        return $more === 0 ? $parts : [...$parts, ['text' => '  and ' . Units::count($more) . ' more'] + $blank];
    }

    private function calls(): string
    {
        return $this->operations->operations->isSampled() ? 'samples' : 'calls';
    }
}
