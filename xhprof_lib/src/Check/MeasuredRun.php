<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Findings\Evidence;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Format\Text;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Operations\WaitReport;
use XHProf\Profile\CodePlace;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\OperationFunctions;
use XHProf\Profile\TimePart;
use XHProf\Run\OriginText;
use XHProf\Run\Run;
use XHProf\Run\RunTimes;

/** The figures of one run, each computed when a limit asks for it. */
final class MeasuredRun implements Measured
{
    private const SAMPLED = 'this run was sampled: samples are no calls; record it exactly';

    /** Where exceptions are made: see Findings\ThrownOften. */
    private const CONSTRUCTORS = ['Exception::__construct', 'Error::__construct'];

    /** @var array<string, array<string, int|float>>|null */
    private ?array $rows = null;

    /** @var list<string>|null */
    private ?array $names = null;

    private ?FunctionPlaces $places = null;

    /** @var list<Finding>|null */
    private ?array $findings = null;

    public function __construct(private readonly Run $run, private readonly string $subject)
    {
    }

    public function run(): Run
    {
        return $this->run;
    }

    public function subject(): string
    {
        return $this->subject;
    }

    public function missing(): string
    {
        return Text::printable(OriginText::end($this->run->meta()) ?? '');
    }

    public function place(string $function): ?CodePlace
    {
        $this->places ??= FunctionPlaces::ofRun($this->run);
        $place = $this->places->find($function);

        return $place === null || $place->extension() !== null ? null : $place;
    }

    /** @return list<Finding> */
    public function findings(): array
    {
        return $this->findings ??= array_values(array_filter(
            Findings::all(Findings::evidence($this->run)),
            static fn (Finding $finding): bool => $finding->isProgram,
        ));
    }

    public function figure(FigureName $name): Figure
    {
        return match (true) {
            in_array($name->base, [FigureName::WAITING, FigureName::NOT_RUNNING], true) => $this->ofTime($name, $name->functions),
            $name->functions !== null => $this->ofFunctions($name, $name->functions),
            $name->base === FigureName::OPERATIONS => $this->ofOperations($name),
            default => $this->ofRun($name->base),
        };
    }

    private function ofRun(string $base): Figure
    {
        $run = $this->run;

        return match ($base) {
            FigureName::CALLS => $this->isCalls() ? Figure::of($run->profile()->totals()['ct']) : Figure::unknown(self::SAMPLED),
            FigureName::FILES => $this->callsWhere(static fn (string $name): bool => str_starts_with($name, 'load::')),
            FigureName::EXCEPTIONS => $this->exceptions(),
            FigureName::ALLOCATED => $this->allocated('allocated_bytes'),
            FigureName::BLOCKS => $this->allocated('allocated_blocks'),
            FigureName::PEAK => $this->total('pmu', 'memory was not recorded (XHPROF_FLAGS_MEMORY)'),
            FigureName::MEMORY => $this->total('mu', 'memory was not recorded (XHPROF_FLAGS_MEMORY)'),
            FigureName::WALL => $this->total('wt', 'wall time was not recorded'),
            FigureName::CPU => $this->total('cpu', 'CPU time was not recorded (XHPROF_FLAGS_CPU)'),
            FigureName::PROCESS_PEAK => $run->meta()->totals->peakMemory === null
                ? Figure::unknown('the run does not say how much memory its process took')
                : Figure::of($run->meta()->totals->peakMemory),
            default => Figure::unknown("only windows of requests have \"$base\""),
        };
    }

    /** A part of where the time was, of the run or of one function. */
    private function ofTime(FigureName $name, ?FunctionPattern $function): Figure
    {
        $times = $this->run->times();
        $found = $function?->among($this->names()) ?? [];
        if ($function !== null && $found === []) {
            return $this->notCalled($function);
        }
        $symbol = $found[0] ?? '';
        $parts = $function === null ? $times->whole() : $times->ofFunction($symbol);
        if ($parts === null || $parts->ns(TimePart::Unknown) > 0) {
            $why = implode(' ', $parts->notes ?? []);

            return Figure::unknown(Text::printable(rtrim($why, '.')) ?: 'the run does not say what its time was spent on', $symbol);
        }
        $ns = match (true) {
            $name->base === FigureName::NOT_RUNNING => $parts->ns(TimePart::NotRunning),
            $name->part === null => $parts->group(TimePart::WAITING),
            default => $parts->ns(TimePart::from($name->part)),
        };

        return Figure::of($ns / 1000, $symbol);
    }

    private function isCalls(): bool
    {
        return CountKind::ofRuns($this->run)->isCalls();
    }

    private function total(string $metric, string $missing): Figure
    {
        return in_array($metric, $this->run->metrics(), true)
            ? Figure::of($this->run->total($metric))
            : Figure::unknown("$missing in this run");
    }

    /** @return array<string, array<string, int|float>> of FlatReport, a recursion as one function */
    private function rows(): array
    {
        return $this->rows ??= FlatReport::compute($this->run->profile(), true)->rows();
    }

    /** @return list<string> */
    private function names(): array
    {
        return $this->names ??= array_map(strval(...), array_keys($this->rows()));
    }

    /** @param \Closure(string): bool $isCounted */
    private function callsWhere(\Closure $isCounted): Figure
    {
        if (!$this->isCalls()) {
            return Figure::unknown(self::SAMPLED);
        }
        $calls = array_column($this->rows(), 'ct');
        $most = ['', 0];
        $sum = 0;
        foreach ($this->names() as $i => $name) {
            if ($isCounted($name)) {
                $sum += $calls[$i];
                $most = $calls[$i] > $most[1] ? [$name, $calls[$i]] : $most;
            }
        }

        return Figure::of($sum, $most[0]);
    }

    private function exceptions(): Figure
    {
        if ($this->isWithoutBuiltins()) {
            return Figure::unknown("functions of PHP's own were left out of this run, and exceptions are made by them");
        }
        $made = $this->callsWhere(static fn (string $name): bool => in_array($name, self::CONSTRUCTORS, true));
        if (($made->value ?? 0) == 0) {
            return $made->value === null ? $made : Figure::of(0);
        }
        $callers = [];
        $evidence = Findings::evidence($this->run);
        foreach (self::CONSTRUCTORS as $constructor) {
            foreach ($evidence->callers($constructor) as $caller => $row) {
                $callers[$caller] = ($callers[$caller] ?? 0) + $row['ct'];
            }
        }
        arsort($callers);

        return Figure::of($made->value, (string) array_key_first($callers));
    }

    private function allocated(string $column): Figure
    {
        $tree = $this->run->has(Run::TREE) ? $this->run->tree() : null;
        $values = $tree === null ? null : ($tree->self + $tree->allocations)[$column] ?? null;
        if ($tree === null || $values === null) {
            return Figure::unknown('allocations were not recorded in this run (XHPROF_FLAGS_ALLOC, bin/xhprof run --alloc)');
        }
        if ($this->run->meta()->recording->sampling?->intervalBytes !== null) {
            return Figure::unknown('allocations were sampled in this run: their number is an estimate');
        }
        $most = $values === [] ? null : array_search(max($values), $values, true);

        return Figure::of(array_sum($values), is_int($most) ? $tree->names[$tree->fn[$most]] : '');
    }

    private function ofFunctions(FigureName $name, FunctionPattern $functions): Figure
    {
        if ($name->base === FigureName::CALLS && !$this->isCalls()) {
            return Figure::unknown(self::SAMPLED);
        }
        $metric = [FigureName::CALLS => 'ct', FigureName::WALL => 'wt', FigureName::CPU => 'cpu'][$name->base];
        if ($metric !== 'ct' && !in_array($metric, $this->run->metrics(), true)) {
            return Figure::unknown(Metrics::of($metric)->words() . ' was not recorded in this run');
        }
        $found = $functions->among($this->names());
        if ($found === []) {
            return $this->notCalled($functions);
        }
        $column = $name->isSelf ? "excl_$metric" : $metric;
        $values = array_map(fn (string $function): int|float => $this->rows()[$function][$column] ?? 0, $found);
        $most = array_search(max($values), $values, true);

        return Figure::of(array_sum($values), $found[(int) $most]);
    }

    /** It passes only where it must not be called, and no function has almost that name. */
    private function notCalled(FunctionPattern $functions): Figure
    {
        $meant = $functions->meant($this->names());
        $text = Text::printable($functions->text());

        return $meant === null
            ? Figure::of(0)->with("no function \"$text\" was called")
            : Figure::unknown("no function \"$text\" was called; did you mean \"" . Text::printable($meant) . '"?');
    }

    private function ofOperations(FigureName $name): Figure
    {
        if (!$this->isCalls()) {
            return Figure::unknown(self::SAMPLED);
        }
        $report = $this->run->operations();
        if ($report === null || $report->operations->isSampled()) {
            return $this->withoutOperations($name);
        }
        if ($report->operations->lost > 0) {
            return Figure::unknown("{$report->operations->lost} operations of this run could not be recorded");
        }
        $sum = 0;
        /** @var array{OperationRow, int}|null $most */
        $most = null;
        foreach ($report->rows($name->kind, 'ct') as $row) {
            // The engine's own work varies with its caches.
            $isWanted = $name->kind !== null || !in_array($row->kind, OperationReport::ENGINE, true);
            $count = $isWanted && ($name->like?->matches($row->text) ?? true) ? self::count($row, $name) : 0;
            $sum += $count;
            $most = $count > ($most[1] ?? 0) ? [$row, $count] : $most;
        }

        return $most === null ? Figure::of(0) : self::withCaller($sum, $most[0]);
    }

    /** A run that did no operation has none recorded, as one that was recorded without them: its functions tell which it is. */
    private function withoutOperations(FigureName $name): Figure
    {
        if ($this->isWithoutBuiltins() || in_array($name->kind, OperationReport::ENGINE, true)) {
            return Figure::unknown(WaitReport::NONE);
        }
        foreach ($this->names() as $function) {
            $kind = OperationFunctions::recordedAs($function)?->value;
            if ($kind !== null && ($name->kind ?? $kind) === $kind) {
                return Figure::unknown(WaitReport::NONE, $function);
            }
        }

        return Figure::of(0);
    }

    private function isWithoutBuiltins(): bool
    {
        return in_array(RunTimes::NO_BUILTINS, $this->run->meta()->recording->flagNames, true);
    }

    private static function count(OperationRow $row, FigureName $name): int
    {
        if ($name->duplicates) {
            return $row->duplicates;
        }
        $sum = 0;
        foreach ($name->loops ? $row->callers : [] as $caller) {
            $sum += $caller->loop === null ? 0 : $caller->ct;
        }

        return $name->loops ? $sum : $row->ct;
    }

    private static function withCaller(int $sum, OperationRow $row): Figure
    {
        $caller = $row->repeated();
        foreach ($row->callers as $other) {
            $caller = $caller === null || $other->ct > $caller->ct ? $other : $caller;
        }
        if ($caller === null) {
            return Figure::of($sum, what: $row->text);
        }
        $symbol = $caller->loop ?? Evidence::callerOf($caller);

        return Figure::of($sum, EdgeKey::stripRecursion($symbol), $caller->path, $row->text);
    }
}
