<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** All values and samples in a file. */
final class JsonReport
{
    /**
     * @param list<WorkloadSpec> $workloads
     * @param list<Goal> $goals
     * @param array<string, string> $versions
     * @param array<string, string> $skipped reasons
     */
    public static function write(
        string $file,
        Results $results,
        array $workloads,
        array $goals,
        array $versions,
        array $skipped,
        int $rounds,
        bool $quick,
    ): void {
        $units = [];
        foreach ($workloads as $workload) {
            $units[$workload->name] = $workload->isProgram
                ? ['over' => 'factor over the bare engine', 'measured' => 'ms']
                : ['over' => 'ns per call more than the bare engine', 'measured' => 'ns per call'];
        }
        $report = [
            'machine' => Machine::describe(),
            'clock' => $results->clock,
            'rounds' => $rounds,
            'quick' => $quick,
            'versions' => $versions,
            'skipped' => (object) $skipped,
            'failed' => (object) $results->failures,
            'workloads' => (object) $units,
            'over' => (object) $results->over,
            'measured' => (object) $results->measured,
            'jit' => (object) $results->jit,
            'large' => (object) $results->large,
            'requests' => (object) $results->requests,
            'servers' => (object) $results->servers,
            'goals' => array_map(static fn(Goal $goal): array => [
                'goal' => $goal->text,
                'at_most' => $goal->limit,
                'unit' => $goal->unit,
                'measured' => $goal->measured === null ? null : round($goal->measured, 3),
                'of' => $goal->of,
                'met' => $goal->isMet(),
            ], $goals),
        ];
        $json = json_encode($report, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES) . "\n";
        if (@file_put_contents($file, $json) === false) {
            throw new Failure("cannot write $file");
        }
    }
}
