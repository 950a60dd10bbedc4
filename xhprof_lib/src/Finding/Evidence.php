<?php

declare(strict_types=1);

namespace XHProf\Finding;

use XHProf\Format\Units;
use XHProf\Memory\MemoryProfile;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\OperationFunctions;
use XHProf\Profile\Profile;
use XHProf\Report\Counted;
use XHProf\Report\FlatReport;
use XHProf\Store\RunMeta;

/** What the rules look at: the figures of one run, in the forms that they share. Each is computed once. */
final class Evidence
{
    /** @var array<string, array<string, int|float>>|null */
    private ?array $rows = null;

    /** @var array<string, array<string, array<string, int|float>>>|null */
    private ?array $calls = null;

    /** @var list<Operation>|null */
    private ?array $operations = null;

    /**
     * @param \Closure(): ?MemoryProfile $memory reads what the run has of live memory, null if nothing was recorded
     */
    public function __construct(
        public readonly Profile $profile,
        public readonly RunMeta $meta,
        private readonly \Closure $memory,
    ) {
    }

    /** Whether "ct" are calls and not samples. */
    public function isCalls(): bool
    {
        return Counted::of($this->meta)->isCalls();
    }

    public function memory(): ?MemoryProfile
    {
        return ($this->memory)();
    }

    /** The time that most was recorded of: "wt", else "cpu"; null for a run without times. */
    public function time(): ?string
    {
        return array_values(array_intersect(['wt', 'cpu'], $this->profile->metrics()))[0] ?? null;
    }

    public function total(string $metric): int|float
    {
        return $this->profile->totals()[$metric] ?? 0;
    }

    /** @return array<string, array<string, int|float>> function => row of FlatReport, a recursion as one function */
    public function rows(): array
    {
        return $this->rows ??= FlatReport::of($this->profile, true)->rows();
    }

    /**
     * @return array<string, array<string, array<string, int|float>>> callee => caller => figures of these calls, without levels of
     *     recursions and calls of a function to itself
     */
    public function callers(): array
    {
        if ($this->calls !== null) {
            return $this->calls;
        }
        $calls = [];
        foreach ($this->profile->edges() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse((string) $key);
            $callee = EdgeKey::stripRecursion($callee);
            $caller = $caller === null ? null : EdgeKey::stripRecursion($caller);
            if ($caller === null || $caller === $callee) {
                continue;
            }
            foreach ($row as $metric => $value) {
                $calls[$callee][$caller][$metric] = ($calls[$callee][$caller][$metric] ?? 0) + $value;
            }
        }

        return $this->calls = $calls;
    }

    /**
     * What the run asked of other programs, by caller. This is the one place where the rules learn of operations; here they come
     * from the functions that make them.
     *
     * @return list<Operation>
     */
    public function operations(): array
    {
        if ($this->operations === null) {
            $this->operations = [];
            foreach ($this->isCalls() ? $this->callers() : [] as $function => $callers) {
                $kind = OperationFunctions::kind($function);
                if ($kind === null) {
                    continue;
                }
                $time = $this->time();
                foreach ($callers as $caller => $row) {
                    $this->operations[] = new Operation($kind, $caller, $row['ct'] ?? 0, $time === null ? 0 : $row[$time] ?? 0);
                }
            }
        }

        return $this->operations;
    }

    /**
     * @param string|null $metric null for time()
     *
     * @return string "12.3 % of the wall time"; '' for a run without it
     */
    public function share(int|float $value, ?string $metric = null): string
    {
        $metric ??= $this->time();

        return $metric === null ? '' : Units::percent($value, $this->total($metric)) . ' of the ' . Metrics::of($metric)->words();
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
