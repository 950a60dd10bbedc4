<?php

declare(strict_types=1);

namespace XHProf\Operations\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\View;
use XHProf\Cli\UsageError;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Operations\OperationCaller;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;

/** The operations of a run: by kind, and by text. */
final class OperationsView implements View
{
    /** Callers of a text that are printed. */
    private const CALLERS = 5;

    private readonly OperationReport $report;

    /**
     * @param string|null                       $kind    null for all
     * @param value-of<OperationReport::SORTS> $sort
     * @param int                               $limit   rows, 0 for all
     * @param bool                              $callers print them too
     *
     * @throws CliError
     */
    public function __construct(
        private readonly Run $run,
        private readonly ?string $kind,
        private readonly string $sort,
        private readonly int $limit,
        private readonly bool $callers,
    ) {
        if ($run instanceof MeanRun) {
            throw new UsageError('operations takes one run, not the mean of several');
        }
        $this->report = $run->operations() ?? throw new CliError(
            'this run has no operations: exact profiles record them unless xhprof.collect_additional_info is off',
        );
        $kinds = array_keys($this->report->kinds());
        if ($kind !== null && !in_array($kind, $kinds, true)) {
            $others = $kinds === [] ? '' : ', but ' . implode(', ', $kinds);
            throw new CliError("this run has no operations of the kind \"$kind\"$others");
        }
    }

    public function print(Screen $screen): void
    {
        $rows = $this->report->rows($this->kind, $this->sort);
        $subject = $this->run->subject() === '' ? '' : ": {$this->run->subject()}";
        $screen->text("run {$this->run->name()}$subject");
        if ($rows === []) {
            $screen->writeln('no operations');

            return;
        }
        $this->printKinds($screen);
        $screen->writeln('');
        $shown = $this->limit === 0 ? $rows : array_slice($rows, 0, $this->limit);
        $this->printRows($shown, $screen);
        $this->printRepeated($shown, $screen);
        $screen->rest(count($shown), count($rows), 'operations');
        if ($this->report->operations->lost > 0) {
            $screen->writeln(Units::count($this->report->operations->lost) . ' more could not be recorded');
        }
    }

    /** @return array<string, mixed> times in nanoseconds */
    public function json(): array
    {
        $rows = $this->report->rows($this->kind, $this->sort);
        $sampled = $this->report->operations->isSampled();

        return [
            'run' => $this->run->describe(),
            'sampled' => $sampled,
            'kinds' => (object) $this->report->kinds(),
            'operations_total' => count($rows),
            'operations' => array_map(
                $this->rowJson(...),
                $this->limit === 0 ? $rows : array_slice($rows, 0, $this->limit),
            ),
        ];
    }

    /** @return array<string, mixed> */
    private function rowJson(OperationRow $row): array
    {
        return [
            'kind' => $row->kind,
            'text' => $row->text,
            'ct' => $row->ct,
            'total_ns' => $row->total,
            'max_ns' => $row->max,
            'median_ns' => $row->median,
            'p95_ns' => $row->p95,
            'duplicates' => $this->report->operations->isSampled() ? null : $row->duplicates,
            'repeated_in' => $row->repeated()?->loop,
            'callers_total' => count($row->callers),
            // Whole call paths: much to read for who did not ask.
            ...($this->callers ? ['callers' => array_map(self::callerJson(...), $row->callers)] : []),
        ];
    }

    /** @return array<string, mixed> */
    private static function callerJson(OperationCaller $caller): array
    {
        return [
            'path' => array_reverse($caller->path),
            'ct' => $caller->ct,
            'total_ns' => $caller->total,
            'max_ns' => $caller->max,
            'duplicates' => $caller->duplicates,
            'repeated_in' => $caller->loop,
        ];
    }

    private function calls(): string
    {
        return $this->report->operations->isSampled() ? 'samples' : 'calls';
    }

    private function printKinds(Screen $screen): void
    {
        $table = new Table([new Column('total'), new Column($this->calls()), new Column('texts', weight: 1), Column::name('kind')]);
        foreach ($this->report->kinds() as $kind => $figures) {
            $table->add([
                Units::us($figures['total'] / 1000),
                Units::count($figures['ct']),
                Units::count($figures['texts']),
                Text::printable(OperationReport::label($kind)),
            ]);
        }
        $table->print($screen);
    }

    /** @param list<OperationRow> $rows */
    private function printRows(array $rows, Screen $screen): void
    {
        $exact = !$this->report->operations->isSampled();
        $time = static fn (?int $ns): string => $ns === null ? '' : Units::us($ns / 1000);
        $ofCalls = [
            new Column('max'),
            new Column('median', weight: 2),
            new Column('p95', weight: 2),
            new Column('dup', weight: 1),
        ];
        $table = new Table([
            new Column('total'),
            new Column($this->calls()),
            ...($exact ? $ofCalls : []),
            new Column('kind', Column::LEFT, weight: 1),
            Column::name('operation'),
        ]);
        foreach ($rows as $row) {
            $blanks = array_fill(0, $exact ? 7 : 3, '');
            $table->add([
                $time($row->total),
                Units::count($row->ct),
                ...($exact ? [
                    $time($row->max),
                    $time($row->median),
                    $time($row->p95),
                    $row->duplicates === 0 ? '' : Units::count($row->duplicates),
                ] : []),
                $row->kind,
                Text::printable($row->text),
            ]);
            foreach ($this->callers ? array_slice($row->callers, 0, self::CALLERS) : [] as $caller) {
                $cells = $blanks;
                $cells[0] = $time($caller->total);
                $cells[1] = Units::count($caller->ct);
                $table->add([...$cells, '  ' . Text::printable(implode(' ← ', $caller->path))]);
            }
            if ($this->callers && count($row->callers) > self::CALLERS) {
                $table->add([...$blanks, sprintf('  and %s more', Units::count(count($row->callers) - self::CALLERS))]);
            }
        }
        $table->print($screen);
    }

    /** @param list<OperationRow> $rows */
    private function printRepeated(array $rows, Screen $screen): void
    {
        $cells = [];
        foreach ($rows as $row) {
            $caller = $row->repeated();
            if ($caller !== null) {
                $cells[] = [
                    Units::count($caller->ct),
                    Units::us($caller->total / 1000),
                    Text::printable((string) $caller->loop),
                    Text::printable($row->text),
                ];
            }
        }
        if ($cells === []) {
            return;
        }
        $screen->writeln(['', 'Repeated in a loop:']);
        $table = new Table([new Column('calls'), new Column('total'), Column::name('in', 16), Column::name('operation')]);
        array_map($table->add(...), $cells);
        $table->print($screen);
    }
}
