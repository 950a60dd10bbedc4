<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** All values: by state of opcache, workload and mode, and those of large profiles. */
final class Results
{
    /** @var array<string, array<string, array<string, Figure>>> over the bare engine: added ns per call, or factors */
    public array $over = [];
    /** @var array<string, array<string, array<string, Figure>>> as measured: ns per call, or ms for a program */
    public array $measured = [];
    /** @var array<string, Figure> by a name of LargeProfiles, or that, " " and a peer's */
    public array $large = [];
    /** @var array<string, Figure> µs of CPU by a row of EmptyRequests */
    public array $requests = [];
    /** @var array<string, array<string, array<string, Figure>>> rate, p50, p99, cpu, their factors over the bare engine, by page and mode */
    public array $servers = [];
    /** @var array<string, string> reasons by "state, workload, mode" */
    public array $failures = [];
    /** @var string the clock that the processes had, "cpu" or "wall" */
    public string $clock = '';
    /** @var array<string, bool> whether the JIT was on, by mode */
    public array $jit = [];

    /**
     * @param array<string, non-empty-list<float>> $rounds samples by mode, round by round; those of the bare engine too
     */
    public function add(string $state, WorkloadSpec $workload, array $rounds): void
    {
        $bare = $rounds[Modes::BARE];
        foreach ($rounds as $mode => $samples) {
            $over = [];
            foreach ($samples as $round => $sample) {
                $over[] = $workload->isProgram ? $sample / $bare[$round] : $sample - $bare[$round];
            }
            $this->measured[$state][$workload->name][$mode] = new Figure($samples);
            if ($mode !== Modes::BARE) {
                $this->over[$state][$workload->name][$mode] = new Figure($over);
            }
        }
    }

    /**
     * @param non-empty-list<array{rate: float, p50: float, p99: float, cpu: float}> $samples round by round
     * @param non-empty-list<array{rate: float, p50: float, p99: float, cpu: float}> $bare of the same rounds
     */
    public function addServer(string $page, string $mode, array $samples, array $bare): void
    {
        foreach (['rate', 'p50', 'p99', 'cpu'] as $figure) {
            $over = [];
            foreach ($samples as $round => $sample) {
                $over[] = $sample[$figure] / $bare[$round][$figure];
            }
            $this->servers[$page][$mode][$figure] = new Figure(array_column($samples, $figure));
            $this->servers[$page][$mode]["$figure over bare"] = new Figure($over);
        }
    }

    public function over(string $state, string $workload, string $mode): ?float
    {
        return ($this->over[$state][$workload][$mode] ?? null)?->median;
    }
}
