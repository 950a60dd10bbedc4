<?php

declare(strict_types=1);

namespace XHProf\Bench;

/**
 * Measures workloads. Every sample is a process of its own; in a round all modes of a workload run in turn, so that they
 * meet the same state of the machine, in reverse order every second time.
 */
final class Benchmark implements Part
{
    private const BUDGET = 0.1;
    /** Budget with JIT, long enough for it to compile the workload. */
    private const JIT_BUDGET = 0.3;
    /** Seconds that a process takes beside its budget, for the estimate. */
    private const AROUND = ['calls' => 0.05, 'program' => 0.11];
    /** The same for modes that slow programs down many times. */
    private const AROUND_SLOW = ['calls' => 0.1, 'program' => 0.4];

    /**
     * @param non-empty-array<string, Mode> $modes
     * @param list<WorkloadSpec> $workloads
     * @param list<string> $states
     */
    public function __construct(
        private readonly Php $php,
        private readonly array $modes,
        private readonly array $workloads,
        private readonly array $states,
        private readonly int $rounds,
        private readonly bool $quick,
    ) {
    }

    public function steps(): int
    {
        $workloads = array_sum(array_map(fn(string $state): int => count($this->workloads($state)), $this->states));

        return $workloads * count($this->modes) * $this->rounds;
    }

    /** Estimated duration in seconds. */
    public function estimate(): float
    {
        $seconds = 0.0;
        foreach ($this->states as $state) {
            foreach ($this->workloads($state) as $workload) {
                $kind = $workload->isProgram ? 'program' : 'calls';
                foreach ($this->modes as $mode) {
                    $around = $mode->divisor > 1 ? self::AROUND_SLOW[$kind] : self::AROUND[$kind];
                    $seconds += $around + $this->budget($state);
                }
            }
        }

        return $seconds * $this->rounds;
    }

    /**
     * A quick run has all with opcache off; with it, one of each kind shows that a mode works.
     *
     * @return list<WorkloadSpec>
     */
    private function workloads(string $state): array
    {
        if (!$this->quick || $state === $this->states[0]) {
            return $this->workloads;
        }
        $first = [];
        foreach ($this->workloads as $workload) {
            $first[(int) $workload->isProgram] ??= $workload;
        }

        return array_values($first);
    }

    /** Seconds that a process measures for; it runs the workload at least once. */
    private function budget(string $state): float
    {
        return $this->quick ? 0.0 : ($state === Opcache::JIT ? self::JIT_BUDGET : self::BUDGET);
    }

    public function run(Results $results, Progress $progress): void
    {
        foreach ($this->states as $state) {
            foreach ($this->workloads($state) as $workload) {
                $samples = [];
                $modes = $this->modes;
                for ($round = 1; $round <= $this->rounds; $round++) {
                    foreach ($modes as $mode) {
                        $progress->step(sprintf(
                            '%s%s, round %d/%d, %s',
                            $state === Opcache::JIT ? 'JIT, ' : "opcache $state, ",
                            $workload->name,
                            $round,
                            $this->rounds,
                            $mode->name,
                        ));
                        if (isset($results->failures["$state, $workload->name, $mode->name"])) {
                            continue;
                        }
                        try {
                            $samples[$mode->name][] = $this->sample($results, $state, $workload, $mode);
                        } catch (Failure $failure) {
                            $this->failed($results, "$state, $workload->name, $mode->name", $workload, $mode, $failure);
                            unset($samples[$mode->name]);
                            if ($mode->name === Modes::BARE) {
                                continue 3;
                            }
                        }
                    }
                    $modes = array_reverse($modes);
                }
                /** @var array<string, non-empty-list<float>> $inOrder */
                $inOrder = array_intersect_key(array_replace(array_fill_keys(array_keys($this->modes), []), $samples), $samples);
                $results->add($state, $workload, $inOrder);
            }
        }
    }

    /** A failing peer loses its value, a program that fails even bare loses all of them; XHProf must not fail. */
    private function failed(Results $results, string $what, WorkloadSpec $workload, Mode $mode, Failure $failure): void
    {
        if (!$mode->isForeign() && ($mode->name !== Modes::BARE || $workload->needs === null)) {
            throw new Failure("$what: {$failure->getMessage()}");
        }
        $results->failures[$what] = $failure->getMessage();
    }

    /** @return float ns per call, or ms of a program */
    private function sample(Results $results, string $state, WorkloadSpec $workload, Mode $mode): float
    {
        $units = $this->quick ? $workload->quickUnits : $workload->units;
        if (!$workload->isProgram) {
            $units = max(1, intdiv($units, $mode->divisor));
        }
        $settings = [...Opcache::settings($state), ...$this->php->load($workload->extensions), ...$mode->settings];
        $result = $this->php->json($settings, [
            dirname(__DIR__) . '/worker.php',
            $workload->name,
            $mode->warm,
            $mode->profiler,
            (string) $units,
            (string) $this->budget($state),
        ], $mode->isForeign());
        if (!is_array($result) || !isset($result['ns'], $result['calls'], $result['clock'])) {
            throw new Failure('the benchmark process gave no time');
        }
        $results->clock = (string) $result['clock'];
        if ($state === Opcache::JIT) {
            $results->jit[$mode->name] = (bool) $result['jit'];
        }

        return $workload->isProgram ? $result['ns'] / 1e6 : $result['ns'] / $result['calls'];
    }
}
