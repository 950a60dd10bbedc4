<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Bench\Profiler\Profiler;
use XHProf\Bench\Workload\Workload;

/**
 * Runs a workload again and again in this process and keeps the fastest run: the least disturbed by the machine.
 * Calls are measured in one long profile, so that the costs of first calls do not count; a program gets a fresh
 * profile each time, as every request does.
 */
final class Timing
{
    private const MAX_RUNS = 50;

    public readonly Clock $clock;

    public function __construct(
        private readonly Workload $workload,
        private readonly int $units,
        private readonly bool $freshProfiles,
    ) {
        $this->clock = new Clock();
    }

    /**
     * @param Profiler $warm switched on for a first run, which is not measured
     * @param Profiler $timed switched on for the measured ones
     * @param float $budget seconds after which no further run begins
     * @return array{ns: int, calls: int, profiled: float|null, runs: int} of one run; profiled: the calls in the profile
     */
    public function measure(Profiler $warm, Profiler $timed, float $budget): array
    {
        $warm->start();
        $this->run();
        $warm->stop();

        $deadline = hrtime(true) + (int) ($budget * 1e9);
        $best = PHP_INT_MAX;
        $calls = $runs = 0;
        $profiled = null;
        $timed->start();
        do {
            if ($this->freshProfiles && $runs > 0) {
                $profiled += $timed->stop();
                $timed->start();
            }
            [$nanoseconds, $calls] = $this->run();
            $best = min($best, $nanoseconds);
            $runs++;
        } while ($runs < self::MAX_RUNS && hrtime(true) < $deadline);
        $last = $timed->stop();
        $profiled = $last === null ? null : ($profiled + $last) / $runs;

        return ['ns' => $best, 'calls' => $calls, 'profiled' => $profiled, 'runs' => $runs];
    }

    /** @return array{int, int} nanoseconds and calls */
    private function run(): array
    {
        $start = $this->clock->now();
        $calls = $this->workload->run($this->units);

        return [max(1, $this->clock->now() - $start), $calls];
    }
}
