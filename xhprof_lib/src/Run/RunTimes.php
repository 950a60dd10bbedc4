<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\XHProfException;
use XHProf\Format\Units;
use XHProf\Operations\OperationReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\NodeRanges;
use XHProf\Profile\Profile;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;
use XHProf\Profile\TimeSplit;
use XHProf\Profile\TreeNodes;

/**
 * Where the time of a run was: on the processor, waiting, not running. All that shows, compares or judges such parts asks this one
 * (Run::times()); each answer is computed once.
 *
 * @phpstan-import-type Shares from TimeSplit
 */
final class RunTimes
{
    /** The flag of runs that leave out PHP's own functions. */
    public const NO_BUILTINS = 'NO_BUILTINS';

    public const NO_CPU = 'CPU time was not recorded: what of the time was computing, and what waiting, is not known. Record it'
        . ' with CPU time (XHPROF_FLAGS_CPU, xhprof.flags=cpu).';
    public const SAMPLES = 'Samples of wall time do not show whether the processor ran: what they did not meet waiting was'
        . ' computing or not running. A profile of every call tells both apart.';
    public const NO_WALL = 'Samples of CPU time do not meet what waits: xhprof.sampling_clock=wall shows it.';
    public const NO_OPERATIONS = 'PHP\'s own functions were left out, and no operations were recorded: what of the idle time was'
        . ' waiting is not known. Record it without XHPROF_FLAGS_NO_BUILTINS, or with xhprof.collect_additional_info.';

    /** Share of the time by which samples may differ from it without a word, and by an interval. */
    private const SAME = 0.02;

    private const OTHER = 'Its samples are of %s, and it ran for %s: CPU time was measured for all of that, and has the same share'
        . ' here.';

    /** Share of the wall time from which a kind of waiting is named where CPU time is not known. */
    private const NAMED = 0.01;

    private ?TimeSplit $split = null;

    /** @var array<string, float> as of TimeSplit::delayed(), once `split` is known */
    private array $delayed = [];

    /** @var array{?TimeParts}|null */
    private ?array $whole = null;

    /**
     * @param \Closure(): Profile $profile
     * @param \Closure(): non-empty-list<RunMeta> $metas of its runs
     * @param \Closure(list<array{int, int}>|null): (array<string, array<string, int|float>>|null) $operations as of
     *     Run::operationsOfFunctions()
     * @param (\Closure(): ?TreeNodes)|null $nodes its call paths
     * @param bool $isWhole whether the metadata are of exactly these figures
     * @param list<\Closure(): Run> $runs those of a mean, each with its weight
     * @param list<int> $weights none: all alike
     * @param (\Closure(string): list<array{int, int}>)|null $ranges of nodes within a function, where it is no function of theirs
     */
    private function __construct(
        private readonly \Closure $profile,
        private readonly \Closure $metas,
        private readonly \Closure $operations,
        private readonly ?\Closure $nodes = null,
        private readonly bool $isWhole = false,
        private readonly array $runs = [],
        private readonly array $weights = [],
        private readonly ?\Closure $ranges = null,
    ) {
    }

    /**
     * @internal Run::times() has it
     *
     * @param Run $asked whose functions it is asked about
     */
    public static function ofRun(Run $run, Run $asked): self
    {
        return new self(
            $run->profile(...),
            $run->metas(...),
            $run->operationsOfFunctions(...),
            $run instanceof MeanRun ? null : $run->pathNodes(...),
            !$run instanceof PartOfRun,
            $asked instanceof MeanRun ? $asked->open : [],
            $asked instanceof MeanRun ? $asked->weights : [],
            $asked->ranges(),
        );
    }

    /**
     * Of figures that are a part of a run.
     *
     * @param \Closure(): ?OperationReport $operations of the run; null if none were recorded
     */
    public static function ofPart(Profile $profile, RunMeta $meta, \Closure $operations): self
    {
        return new self(
            static fn (): Profile => $profile,
            static fn (): array => [$meta],
            static fn (?array $ranges): ?array => $operations()?->ofFunctions($ranges),
        );
    }

    /** Of the whole run, with the time in which it was suspended; null for a run without times. */
    public function whole(): ?TimeParts
    {
        $this->whole ??= [$this->compute()];

        return $this->whole[0];
    }

    /**
     * Of a function with its callees, a recursion once; null where the run has no times, or no call paths, and for a level of a
     * recursion.
     */
    public function ofFunction(string $function): ?TimeParts
    {
        if (EdgeKey::stripRecursion($function) !== $function) {
            return null;
        }
        if ($this->runs !== []) {
            return $this->mean($function);
        }
        $nodes = $this->hasWall() && $this->nodes !== null ? ($this->nodes)() : null;

        return $nodes === null ? null : $this->within($this->ranges === null
            ? NodeRanges::ofFunction($nodes, $function)
            : NodeRanges::at($nodes, ($this->ranges)($function)), $this->measured($function));
    }

    /**
     * Of some of its call paths; null where the run has no times, or no call paths.
     *
     * @param list<array{int, int}> $ranges of nodes, in order, none within another: each with the first behind it
     */
    public function of(array $ranges): ?TimeParts
    {
        $nodes = $this->hasWall() && $this->nodes !== null ? ($this->nodes)() : null;

        return $nodes === null ? null : $this->within(NodeRanges::at($nodes, $ranges));
    }

    /** Of a call path with all below it; null where the run has no times, or no call paths. */
    public function below(int $node): ?TimeParts
    {
        $nodes = $this->hasWall() && $this->nodes !== null ? ($this->nodes)() : null;

        return $nodes === null ? null : $this->within(NodeRanges::below($nodes, $node));
    }

    /**
     * What the time of functions themselves was spent on, for whoever draws it: see TimeSplit::shares(). The others were idle for
     * rest().
     *
     * @return array<string, Shares> by function; [] without CPU time
     */
    public function shares(): array
    {
        return $this->hasWall() ? $this->split()->shares() : [];
    }

    /** The part of idle time that is in no function of shares(). */
    public function rest(): TimePart
    {
        return $this->hasWall() ? $this->split()->rest() : TimePart::Unknown;
    }

    /** @return array<string, int|float> µs that each function itself waited, the most first; [] without CPU time */
    public function waiting(): array
    {
        return $this->hasWall() ? ($this->profile)()->divideColumn('excl_wt', $this->split()->waiting()) : [];
    }

    /** @return array<string, int|float> µs for which each function itself did not run, the most first; [] where it is not known */
    public function notRunning(): array
    {
        return $this->hasWall() && $this->rest() === TimePart::NotRunning
            ? ($this->profile)()->divideColumn('excl_wt', $this->split()->idle())
            : [];
    }

    /** @return list<string> metrics whose sum is the CPU time; [] if the run has none */
    public function cpuMetrics(): array
    {
        return Metrics::ofCpu(($this->profile)()->metrics());
    }

    /** The mean of what a function took in each run, without a tree of all of them; null where it is not known of one. */
    private function mean(string $function): ?TimeParts
    {
        $all = [];
        foreach ($this->runs as $i => $open) {
            $parts = $open()->times()->ofFunction($function);
            if ($parts === null) {
                return null;
            }
            $all[] = $parts->times($this->weights[$i] ?? 1);
        }

        return TimeParts::sum($all)->dividedBy(max(1, $this->weights === [] ? count($this->runs) : array_sum($this->weights)));
    }

    /**
     * Groups of parts by which pictures are sized.
     *
     * @return list<array{k: string, label: string, group: string}> as metrics; [] where none of them is known
     */
    public function metrics(): array
    {
        $hasCpu = $this->cpuMetrics() !== [];

        return $hasCpu || $this->shares() !== [] ? self::metricsOf($hasCpu, $this->rest()) : [];
    }

    /** @return list<array{k: string, label: string, group: string}> */
    public static function metricsOf(bool $hasCpu, TimePart $rest): array
    {
        return array_map(
            static fn (string $group): array => [
                'k' => "time_$group", 'label' => ucfirst(TimePart::groupLabel($group)), 'group' => $group,
            ],
            [...($hasCpu ? [TimePart::ON_CPU] : []), TimePart::WAITING, $rest->value],
        );
    }

    private function compute(): ?TimeParts
    {
        $profile = ($this->profile)();
        if (!$this->hasWall()) {
            return $this->ofCpuSamples();
        }
        $split = $this->split();
        [$wall, $cpu] = $this->nanoseconds($split->whole);
        // A run of other tools may have roots beside main(), or more time than its functions.
        $missing = $this->ns($profile->total('wt')) - $wall;
        $parts = $this->parts($split, $wall, $cpu, onCpu: $this->measured(null), notes: $this->otherThanSamples($wall));
        $suspended = $this->suspended();
        if ($missing > 0) {
            $parts = TimeParts::sum([$parts, TimeParts::of([TimePart::Unknown->value => $missing])]);
        }

        return $suspended === null ? $parts : $parts->withSuspended($suspended * 1000);
    }

    /** Samples of CPU time: the wall time of a window's requests is known, and what they waited for is not. */
    private function ofCpuSamples(): ?TimeParts
    {
        $profile = ($this->profile)();
        if ($this->cpuMetrics() === []) {
            return null;
        }
        $cpu = 0;
        foreach ($this->cpuMetrics() as $metric) {
            $cpu += $this->ns($profile->total($metric));
        }
        $wall = max($cpu, $this->ns($this->one()?->wall() ?? 0));

        return TimeParts::split($wall, $cpu, [], TimePart::Unknown, $this->isSampled(), [self::NO_WALL]);
    }

    private function split(): TimeSplit
    {
        if ($this->split === null) {
            $figures = ($this->profile)()->functions();
            $columns = $figures->columns;
            $own = array_map(static fn (string $metric): array => $columns["excl_$metric"], $this->columns());
            $this->split = $this->splitOf($figures->names, $own, null);
            $delay = $this->cpuMetrics() === []
                ? 0
                : $this->ofRuns(static fn (RunTotals $totals): ?int => $totals->runDelayUs) ?? 0;
            $this->delayed = $this->split->delayed($delay * 1000 * $this->perNs());
            if ($this->delayed !== []) {
                $this->split = $this->splitOf($figures->names, $own, null);
            }
        }

        return $this->split;
    }

    /** @return float how much of the unit of the profile's sums a nanosecond is */
    private function perNs(): float
    {
        return 1 / (1000 * ($this->profile)()->divideColumn('excl_wt', [1.0])[0]);
    }

    /** @param float|null $onCpu as of measured() */
    private function within(NodeRanges $ranges, ?float $onCpu = null): TimeParts
    {
        $this->split();
        ['names' => $names, 'columns' => $columns] = $ranges->functions($this->columns());
        $own = array_map(static fn (string $metric): array => $columns[$metric] ?? [], $this->columns());
        $split = $this->splitOf($names, $own, $ranges->ranges, 1.0);

        // Columns of nodes are in nanoseconds.
        return $this->parts($split, (int) $split->whole[0], (int) $split->whole[1], 1.0, $onCpu);
    }

    /**
     * @param list<string> $names
     * @param non-empty-list<list<int|float>> $own wall and CPU times of the functions themselves, in the order of columns()
     * @param list<array{int, int}>|null $ranges of nodes; null for the whole run
     * @param float|null $perNs how much of the unit a nanosecond is; null: that of the profile
     */
    private function splitOf(array $names, array $own, ?array $ranges, ?float $perNs = null): TimeSplit
    {
        $operations = $this->operations($ranges);
        $perNs ??= $this->perNs();
        $inUnit = array_map(static fn (array $kinds): array
            => array_map(static fn (int|float $ns): int|float => $perNs === 1.0 ? $ns : $ns * $perNs, $kinds), $operations ?? []);
        $cpu = match (count($own)) {
            1 => null,
            2 => $own[1],
            default => array_map(static fn (int|float $user, int|float $system): int|float => $user + $system, $own[1], $own[2]),
        };

        return new TimeSplit(
            $names,
            $own[0],
            $cpu,
            $inUnit,
            $operations !== null || !$this->hidesBuiltIns(),
            $this->isSampled(),
            $this->delayed,
        );
    }

    /** @return non-empty-list<string> the metric of wall time, and those whose sum is CPU time */
    private function columns(): array
    {
        return ['wt', ...$this->cpuMetrics()];
    }

    /**
     * The requests of a window have measured CPU times, while its samples have none. What ran between requests has samples too, and
     * no wall time: then only that of single routes is known. Of other sampled runs the CPU time of the whole is known.
     *
     * @param string|null $route null for all
     *
     * @return float|null CPU time as a share of the time in which they ran; null where it is not known
     */
    private function measured(?string $route): ?float
    {
        $window = $this->one()?->window;
        if ($window === null || ($route === null && $window->routeStats(RequestWindow::BETWEEN) !== null)) {
            [$cpu, $duration] = $route === null && $window === null ? $this->measuredOfRuns() : [0, 0];

            return $duration > 0 ? min(1.0, $cpu / $duration) : null;
        }

        return $route !== null
            ? $window->routeStats($route)?->onCpu()
            : RouteFigures::sum(array_filter(array_map($window->routeStats(...), $window->routes())))->onCpu();
    }

    /** @return array{int|float, int|float} µs of CPU time in µs of time, mean of all runs; 0 of 0 where it is not known of one */
    private function measuredOfRuns(): array
    {
        $cpu = $this->ofRuns(static fn (RunTotals $totals): ?int => $totals->cpuUs);
        $duration = $this->ofRuns(static fn (RunTotals $totals): ?int => $totals->durationUs);

        return $cpu === null || $duration === null ? [0, 0] : [$cpu, max(0, $duration)];
    }

    /**
     * @param \Closure(RunTotals): ?int $value
     *
     * @return int|float|null mean of all runs; null where it is not known of one, and of a part of a run
     */
    private function ofRuns(\Closure $value): int|float|null
    {
        [$sum, $runs] = [0, 0];
        foreach ($this->isWhole ? ($this->metas)() : [] as $i => $meta) {
            $one = $value($meta->totals);
            if ($one === null) {
                return null;
            }
            $weight = $this->weights[$i] ?? 1;
            $sum += $weight * $one;
            $runs += $weight;
        }

        return $runs > 0 ? $sum / $runs : null;
    }

    /**
     * @param int $wall ns of its samples
     *
     * @return list<string> a sentence where they are of other time than the CPU time
     */
    private function otherThanSamples(int $wall): array
    {
        $duration = $this->measuredOfRuns()[1];
        $intervals = array_map(static fn (RunMeta $meta): int => $meta->recording->sampleInterval ?? 0, ($this->metas)());

        return $duration > 0 && abs($wall / 1000 - $duration) > max(self::SAME * $duration, ...$intervals)
            ? [sprintf(self::OTHER, Units::us($wall / 1000), Units::us($duration))]
            : [];
    }

    /**
     * @param float|null $perNs as of splitOf()
     * @param float|null $onCpu as of measured(), for samples
     * @param list<string> $notes for the same
     */
    private function parts(
        TimeSplit $split,
        int $wall,
        int $cpu,
        ?float $perNs = null,
        ?float $onCpu = null,
        array $notes = [],
    ): TimeParts {
        $hasCpu = count($this->columns()) > 1;
        $known = $split->known();
        $known = $perNs === null
            ? $this->nanoseconds($known)
            : array_map(static fn (int|float $ns): int => (int) round($ns), $known);
        if (!$hasCpu && $this->isSampled() && $onCpu !== null) {
            $delay = $this->ofRuns(static fn (RunTotals $totals): ?int => $totals->runDelayUs) ?? 0;
            $duration = $this->ofRuns(static fn (RunTotals $totals): ?int => $totals->durationUs) ?? 0;
            $delayed = $duration > 0 ? (int) round($wall * min(1, $delay / $duration)) : 0;

            return TimeParts::measured($wall, (int) round($wall * $onCpu), $known, TimePart::NotRunning, $notes, $delayed);
        }
        $most = $hasCpu || $this->isSampled() ? '' : $this->mayWait($split, $wall, $perNs);
        $notes = match (true) {
            !$hasCpu && $this->isSampled() => [self::SAMPLES],
            !$hasCpu => [self::NO_CPU, ...($most === '' ? [] : [$most])],
            $split->rest() === TimePart::Unknown => [self::NO_OPERATIONS],
            default => [],
        };

        return TimeParts::split($wall, $cpu, $known, $split->rest(), $this->isSampled(), $notes);
    }

    /** @param float|null $perNs as of splitOf() */
    private function mayWait(TimeSplit $split, int $wall, ?float $perNs): string
    {
        $known = array_map(static fn (int|float $time): int => (int) round($time), $split->mayWait());
        $words = [];
        foreach ($perNs === null ? $this->nanoseconds($known) : $known as $part => $ns) {
            if ($ns >= self::NAMED * $wall) {
                $label = TimePart::from($part)->label();
                $words[] = sprintf('%s %s (%s)', $label, Units::us($ns / 1000), Units::percent($ns, $wall));
            }
        }

        return $words === [] ? '' : 'Of it functions that wait took: ' . implode(', ', $words) . '. They waited for that at most.';
    }

    /**
     * @template K of array-key
     *
     * @param array<K, int|float> $values in the unit of the profile's sums
     *
     * @return array<K, int>
     */
    private function nanoseconds(array $values): array
    {
        return array_map($this->ns(...), ($this->profile)()->divideColumn('excl_wt', $values));
    }

    private function ns(int|float $us): int
    {
        return (int) round($us * 1000);
    }

    /**
     * @param list<array{int, int}>|null $ranges
     *
     * @return array<string, array<string, int|float>>|null function => kind => ns; null if none were recorded
     */
    private function operations(?array $ranges): ?array
    {
        try {
            return ($this->operations)($ranges);
        } catch (XHProfException) {
            // The times are as good without them; the page of the operations says what is wrong.
            return null;
        }
    }

    /** The metadata; null for several runs, and for a part of one. */
    private function one(): ?RunMeta
    {
        $metas = ($this->metas)();

        return $this->isWhole && count($metas) === 1 ? $metas[0] : null;
    }

    /** @return int|null µs; null if it never was: how long one of several was is no figure of all */
    private function suspended(): ?int
    {
        return $this->one()?->totals->suspendedUs;
    }

    private function hasWall(): bool
    {
        return in_array('wt', ($this->profile)()->metrics(), true);
    }

    private function isSampled(): bool
    {
        return array_filter(($this->metas)(), static fn (RunMeta $meta): bool => $meta->recording->samples !== null) !== [];
    }

    private function hidesBuiltIns(): bool
    {
        return array_filter(($this->metas)(), self::leavesOutBuiltIns(...)) !== [];
    }

    public static function leavesOutBuiltIns(RunMeta $meta): bool
    {
        return in_array(self::NO_BUILTINS, $meta->recording->flagNames, true);
    }
}
