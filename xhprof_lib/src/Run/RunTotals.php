<?php

declare(strict_types=1);

namespace XHProf\Run;

/** How much a run is in all, as its metadata say it. */
final class RunTotals
{
    /**
     * @param int|null           $durationUs   wall time in which it ran, in exact runs without the profiler's own slow work
     * @param int|null           $elapsedUs    the same with it, and with the time in which it was suspended
     * @param int|null           $cpuUs        CPU time of its thread in `durationUs`, of a sampled run; null: not measured
     * @param int|null           $runDelayUs   for which its thread was ready while others had the processor; null: not known
     * @param int|null           $suspendedUs  for which its fiber was suspended: others ran, or the loop waited; null: never
     * @param int|null           $peakMemory   bytes, of the process
     * @param int|null           $nodesDropped calls folded into "(truncated)" are counted here
     * @param array<string, int> $figures      per metric, microseconds and bytes
     */
    private function __construct(
        public readonly ?int $durationUs,
        public readonly ?int $elapsedUs,
        public readonly ?int $cpuUs,
        public readonly ?int $runDelayUs,
        public readonly ?int $suspendedUs,
        public readonly ?int $peakMemory,
        public readonly ?int $calls,
        public readonly ?int $functions,
        public readonly ?int $nodes,
        public readonly ?int $nodesDropped,
        public readonly array $figures,
    ) {
    }

    public static function fromMeta(MetaValues $meta): self
    {
        /** @var array<string, int> $figures */
        $figures = array_filter($meta->list('totals'), static fn ($value, $key): bool => is_int($value) && is_string($key), 1);

        return new self(
            $meta->count('duration_us'),
            $meta->count('elapsed_us'),
            $meta->natural('cpu_us'),
            $meta->natural('run_delay_us'),
            max(0, $meta->count('suspended_us') ?? 0) ?: null,
            // 0 stands for a run without a process of its own: a window.
            $meta->count('peak_memory') ?: null,
            $meta->count('calls'),
            $meta->count('functions'),
            $meta->count('nodes'),
            $meta->count('nodes_dropped'),
            $figures,
        );
    }

    /** @return int|null µs from begin to end, without the profiler's own slow work; null where it is not known */
    public function wholeUs(): ?int
    {
        return $this->durationUs === null ? null : $this->durationUs + ($this->suspendedUs ?? 0);
    }

    /** @return array<string, mixed> in the shape of RunMeta::fromArray() */
    public function toArray(): array
    {
        return [
            'duration_us' => $this->durationUs,
            'elapsed_us' => $this->elapsedUs,
            'cpu_us' => $this->cpuUs,
            'run_delay_us' => $this->runDelayUs,
            'suspended_us' => $this->suspendedUs,
            'peak_memory' => $this->peakMemory,
            'calls' => $this->calls,
            'functions' => $this->functions,
            'nodes' => $this->nodes,
            'nodes_dropped' => $this->nodesDropped,
            'totals' => $this->figures,
        ];
    }
}
