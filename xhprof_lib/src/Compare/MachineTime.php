<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Exception\XHProfException;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Operations\OperationReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\OperationFunctions;
use XHProf\Run\RunMeta;
use XHProf\Run\RunTimes;

/**
 * The part of a change of wall time that the machine made, not the program, in a comparison of one run with one: another program
 * had the processor, or a file was in memory before. It is what only wall time shows, while calls, CPU time and operations
 * are the same. Several runs on each side are tested instead (Noise).
 *
 * @phpstan-import-type Row from ProfileDiff
 */
final class MachineTime
{
    /** Metrics that are wall time. */
    public const METRICS = ['wt', 'corrected_wt'];

    /** Part of a change of wall time that something else may explain before the change is no longer the machine's alone. */
    private const REST = 0.1;

    /** µs of the larger total below which a change is small. */
    private readonly float $least;

    /** @var array{int|float, int|float} µs that all functions waited less, and more, and those that were called more often took */
    private array $waited = [0, 0];

    /** µs of the whole change that something else explains. */
    private int|float $rest = 0;

    /**
     * @param non-empty-list<string> $cpu metrics whose sum is CPU time
     * @param array<string, float> $recorded µs that functions waited more, by their recorded operations
     */
    private function __construct(
        private readonly ProfileDiff $report,
        private readonly array $cpu,
        private readonly array $recorded,
    ) {
        $totals = $report->totals();
        $this->least = Noise::MIN_SHARE * max(abs($totals['a']['wt'] ?? 0), abs($totals['b']['wt'] ?? 0));
        foreach ($report->rows() as $name => $row) {
            $part = $this->ownPart($name, $row);
            $this->rest += $part;
            $waits = $part - ($this->isQuiet($name, $row) ? $this->cpu($row, 'excl_') : 0);
            $this->waited[$waits > 0 ? 1 : 0] += abs($waits);
        }
    }

    /**
     * @param \Closure(): ?OperationReport $operationsA those of the first run, null if none were recorded
     * @param \Closure(): ?OperationReport $operationsB likewise, of the second one
     *
     * @return self|null null where it is not known: without CPU time, of samples, which have no calls, and where PHP's own
     *     functions are left out and no operation says who waited
     */
    public static function compute(
        ProfileDiff $report,
        RunMeta $a,
        RunMeta $b,
        \Closure $operationsA,
        \Closure $operationsB,
    ): ?self {
        $metrics = $report->metrics();
        $cpu = Metrics::ofCpu($metrics);
        if ($cpu === [] || !in_array('wt', $metrics, true) || !CountKind::ofRuns($a, $b)->isCalls()) {
            return null;
        }
        if (!RunTimes::leavesOutBuiltIns($a) && !RunTimes::leavesOutBuiltIns($b)) {
            // Functions that wait are known by their names.
            return new self($report, $cpu, []);
        }
        try {
            [$before, $after] = [$operationsA(), $operationsB()];
        } catch (XHProfException) {
            return null;
        }
        if ($before === null || $after === null) {
            return null;
        }
        $waited = [];
        $names = [];
        foreach (array_keys($report->rows()) as $name) {
            $name = EdgeKey::stripRecursion((string) $name);
            $names[$report->nameBefore($name) ?? $name] = $name;
        }
        foreach ($after->waits() as $name => $ns) {
            $waited[$name] = $ns / 1000;
        }
        foreach ($before->waits() as $name => $ns) {
            $name = $names[$name] ?? $name;
            $waited[$name] = ($waited[$name] ?? 0.0) - $ns / 1000;
        }

        return new self($report, $cpu, $waited);
    }

    /**
     * Whether the change of a function's wall time is the machine's.
     *
     * @param string $column of FlatReport
     */
    public function is(string $function, string $column): bool
    {
        $row = $this->report->rows()[$function] ?? null;
        if ($row === null) {
            return false;
        }

        return match ($column) {
            'excl_wt', 'excl_corrected_wt' => $this->isRest($row[$column] ?? 0, $this->ownPart($function, $row)),
            'wt', 'corrected_wt' => $function === 'main()' ? $this->isWhole() : $this->isBetween($row),
            default => false,
        };
    }

    /** @return non-empty-list<string> the metrics by which isBetween() decides, besides calls */
    public function metrics(): array
    {
        return ['wt', ...$this->cpu];
    }

    /**
     * Whether the change between a function and another one is, or of a function with its callees. What waited meanwhile is
     * only known of the whole runs.
     *
     * @param array<string, int|float> $delta calls and inclusive values
     */
    public function isBetween(array $delta): bool
    {
        $wall = $delta['wt'] ?? 0;
        $waited = $wall > 0 ? $this->waited[1] : -$this->waited[0];

        return ($delta['ct'] ?? 0) == 0 && $this->isRest($wall, $this->cpu($delta, '') + $waited);
    }

    /** Whether the change of the whole run's wall time is. */
    public function isWhole(): bool
    {
        return $this->isRest($this->report->totals()['delta']['wt'] ?? 0, $this->rest);
    }

    /** @return int|float µs more of the whole run's CPU time */
    public function cpuChange(): int|float
    {
        return $this->cpu($this->report->totals()['delta'], '');
    }

    /** Whether that is less than a hundredth of the CPU time. */
    public function isCpuSame(): bool
    {
        $totals = $this->report->totals();

        return abs($this->cpuChange()) < Noise::MIN_SHARE * max($this->cpu($totals['a'], ''), $this->cpu($totals['b'], ''));
    }

    /** @param int|float $known µs of the change that something else explains */
    private function isRest(int|float $change, int|float $known): bool
    {
        // What goes the other way explains nothing of it.
        return $change != 0 && $known * ($change <=> 0) < max($this->least, self::REST * abs($change));
    }

    /**
     * @param Row $row
     *
     * @return int|float µs of the change of a function's own wall time that something else explains
     */
    private function ownPart(string $function, array $row): int|float
    {
        return $this->isQuiet($function, $row)
            ? $this->cpu($row, 'excl_') + ($this->recorded[EdgeKey::stripRecursion($function)] ?? 0)
            : $row['excl_wt'] ?? 0;
    }

    /**
     * Whether the function is called as often as before, and not one that is known to wait.
     *
     * @param Row $row
     */
    private function isQuiet(string $function, array $row): bool
    {
        return $row['ct'] == 0 && !OperationFunctions::waits($function);
    }

    /** @param array<string, int|float> $row */
    private function cpu(array $row, string $prefix): int|float
    {
        return array_sum(array_map(static fn (string $metric): int|float => $row[$prefix . $metric] ?? 0, $this->cpu));
    }
}
