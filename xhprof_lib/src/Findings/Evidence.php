<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationCaller;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\InternalFunctions;
use XHProf\Profile\Metrics;
use XHProf\Profile\OperationFunctions;
use XHProf\Profile\Profile;
use XHProf\Profile\TimeParts;
use XHProf\Run\RunMeta;
use XHProf\Run\RunTimes;

/**
 * What the rules look at: the figures of one run, in the forms that they share. Each is computed once.
 *
 * @phpstan-type Calls array{by: array<string, array<int, string>>, figures: array<string, list<int|float>>}
 */
final class Evidence
{
    /** @var array<string, array<string, int|float>>|null */
    private ?array $rows = null;

    /** @var array<string, array<string, array<string, int|float>>> by function, as they were asked for */
    private array $callers = [];

    /** @var Calls|null of all functions */
    private ?array $calls = null;

    /** @var list<Operation>|null */
    private ?array $operations = null;

    /** @var list<OperationReport>|null null until it has been read, then at most one */
    private ?array $report = null;

    /** Kinds of the extension's operations that are asked of other programs. */
    private const KINDS = [
        'sql' => OperationFunctions::QUERY,
        'http' => OperationFunctions::HTTP,
        'cache' => OperationFunctions::CACHE,
    ];

    /** µs of a whole run below which no part of it is worth a word. */
    private const SHORT = 1000;

    /** What comes before an operation of the same text. */
    private const PREPARES = '/(?:prepare|mysqli_stmt::__construct)\z/i';

    /**
     * @param \Closure(): ?MemoryProfile $memory reads what the run has of live memory, null if nothing was recorded
     * @param \Closure(): ?OperationReport $recorded reads its operations, null if none were recorded
     * @param FlatReport|null $flat of the profile, a recursion as one function, if it is there already
     * @param bool $ofRequests whether the profile lacks what a window has between its requests
     * @param RunTimes|null $times of the profile, if they are there already
     */
    public function __construct(
        public readonly Profile $profile,
        public readonly RunMeta $meta,
        private readonly \Closure $memory,
        private readonly \Closure $recorded,
        private readonly ?FlatReport $flat = null,
        private readonly bool $ofRequests = false,
        private ?RunTimes $times = null,
    ) {
    }

    /** Whether "ct" are calls and not samples. */
    public function isCalls(): bool
    {
        return CountKind::ofRuns($this->meta)->isCalls();
    }

    public function memory(): ?MemoryProfile
    {
        return ($this->memory)();
    }

    /** Returns the metric of the run's time: "wt", else "cpu"; null for a run without times. */
    public function time(): ?string
    {
        return array_values(array_intersect(['wt', 'cpu'], $this->profile->metrics()))[0] ?? null;
    }

    public function total(string $metric): int|float
    {
        return $this->profile->totals()[$metric] ?? 0;
    }

    /** Whether the run took so little time that no part of it is worth a word. */
    public function isShort(): bool
    {
        $time = $this->time();

        return $time !== null && $this->total($time) < self::SHORT;
    }

    /** @return array<string, array<string, int|float>> function => row of FlatReport, a recursion as one function */
    public function rows(): array
    {
        return $this->rows ??= ($this->flat ?? FlatReport::compute($this->profile, true))->rows();
    }

    /** Where the time was: on the processor, waiting, not running. */
    public function times(): RunTimes
    {
        return $this->times ??= RunTimes::ofPart($this->profile, $this->meta, $this->recorded);
    }

    /** The same, without the time in which it was suspended; null without times. */
    public function parts(): ?TimeParts
    {
        return $this->times()->whole()?->withSuspended(0);
    }

    /**
     * @return array<string, array<string, int|float>> by caller its calls of a function ("ct") and their time(), without levels of
     *     recursions and calls of the function to itself
     */
    public function callers(string $function): array
    {
        return $this->callers[$function] ??= $this->callersOf($function);
    }

    /** @return array<string, array<string, int|float>> */
    private function callersOf(string $function): array
    {
        if ($this->calls === null && !$this->profile->isFolded()) {
            // Few functions are asked for, as a rule; where that takes longer than all edges, it folds them.
            $calls = $this->callsOf($this->profile->around($function));
        } else {
            $calls = $this->calls ??= $this->callsOf($this->profile);
        }
        $found = [];
        foreach ($calls['by'][$function] ?? [] as $edge => $caller) {
            foreach ($calls['figures'] as $metric => $column) {
                $found[$caller][$metric] = ($found[$caller][$metric] ?? 0) + $column[$edge];
            }
        }

        return $found;
    }

    /** @return Calls by callee the edges to their callers, and the figures of the edges */
    private function callsOf(Profile $profile): array
    {
        $names = array_map(EdgeKey::stripRecursion(...), $profile->symbols());
        ['caller' => $callers, 'callee' => $callees] = $profile->calls();
        $by = [];
        foreach ($callees as $edge => $to) {
            $from = $callers[$edge];
            if ($from >= 0 && $names[$from] !== $names[$to]) {
                $by[$names[$to]][$edge] = $names[$from];
            }
        }
        $figures = [];
        foreach (array_filter(['ct', $this->time()], is_string(...)) as $metric) {
            $figures[$metric] = $profile->figures($metric);
        }

        return ['by' => $by, 'figures' => $figures];
    }

    /** Reads the operations of the run, of all kinds, with their texts; null if none were recorded, as in a sampled run. */
    public function report(): ?OperationReport
    {
        if ($this->report === null) {
            $report = $this->isCalls() ? ($this->recorded)() : null;
            $this->report = $report === null || $report->operations->isSampled() ? [] : [$report];
        }

        return $this->report[0] ?? null;
    }

    /**
     * What the run asked of other programs, by caller. This is the one place where the rules learn of operations: from what was
     * recorded of them, else from the functions that make them.
     *
     * @return list<Operation>
     */
    public function operations(): array
    {
        if ($this->operations === null) {
            $report = $this->report();
            $this->operations = match (true) {
                !$this->isCalls() => [],
                $report === null => $this->callsOfFunctions(),
                default => self::recorded($report),
            };
        }

        return $this->operations;
    }

    /** @return list<Operation> */
    private function callsOfFunctions(): array
    {
        $operations = [];
        $time = $this->time();
        $functions = array_unique(array_map(EdgeKey::stripRecursion(...), $this->profile->symbols()));
        foreach ($functions as $function) {
            $kind = OperationFunctions::kind($function);
            if ($kind === null || OperationFunctions::onlyBegins($function)) {
                continue;
            }
            foreach ($this->callers($function) as $caller => $row) {
                $took = $time === null ? 0 : $row[$time] ?? 0;
                $operations[] = new Operation($kind, $caller, $row['ct'] ?? 0, $took, function: $function);
            }
        }

        return $operations;
    }

    /** @return list<Operation> */
    private static function recorded(OperationReport $report): array
    {
        $operations = [];
        foreach ($report->rows(null, 'total', 2) as $row) {
            $kind = self::KINDS[$row->kind] ?? null;
            foreach ($row->callers as $caller) {
                if ($kind !== null && self::asks($row, $caller)) {
                    $time = $caller->total / 1000;
                    $operations[] = new Operation(
                        $kind,
                        self::callerOf($caller),
                        $caller->ct,
                        $time,
                        $row->text,
                        $row->id(),
                        $caller->path[0] ?? '',
                        $caller->node,
                    );
                }
            }
        }

        return $operations;
    }

    /**
     * Whether an operation asks for data. One that connects, prepares a statement, or begins or ends a transaction does not: its
     * text is only a name, or is recorded again when the statement is executed.
     */
    private static function asks(OperationRow $row, OperationCaller $caller): bool
    {
        $did = $caller->path[0] ?? '';

        return (str_contains($row->text, ' ') || OperationFunctions::kind($did) !== null)
            && preg_match(self::PREPARES, $did) !== 1 && !OperationFunctions::onlyBegins($did);
    }

    /** Returns the function that made an operation: of the program, as one of PHP's own functions only passes it on. */
    public static function callerOf(OperationCaller $caller): string
    {
        $did = $caller->path[0] ?? '';
        $isOwn = OperationFunctions::kind($did) !== null || InternalFunctions::has($did);

        return EdgeKey::stripRecursion($isOwn ? $caller->path[1] ?? $did : $did);
    }

    /**
     * @param string|null $metric null for time()
     *
     * @return string "12.3 % of the wall time"; '' for a run without it
     */
    public function share(int|float $value, ?string $metric = null): string
    {
        $metric ??= $this->time();

        return $metric === null ? '' : Units::percent($value, $this->total($metric)) . $this->ofThe($metric);
    }

    /** @return string " of the wall time"; " of the requests' wall time" where the page has more of it, also of suspended time */
    public function ofThe(string $metric): string
    {
        if ($metric === 'wt' && $this->meta->totals->suspendedUs !== null) {
            return ' of the running time';
        }

        return ' of the ' . ($this->ofRequests ? "requests' " : '') . Metrics::of($metric)->words();
    }

    /**
     * @param string|null $metric null for time()
     *
     * @return float the same as a number, 0 to 1
     */
    public function part(int|float $value, ?string $metric = null): float
    {
        $metric ??= $this->time();
        $total = $metric === null ? 0 : $this->total($metric);

        return $total > 0 ? max(0.0, min(1.0, $value / $total)) : 0.0;
    }
}
