<?php

declare(strict_types=1);

namespace XHProf\Bench;

/**
 * Instructions that a call executes, engine and profiler included, counted by callgrind: other work on the machine does not
 * change them. Two amounts of work, so that all that comes once falls out.
 */
final class Instructions
{
    /** Callgrind's processor has no reliable cycle counter by its own account, but reads the real one. */
    private const SETTINGS = ['xhprof.clock=tsc'];
    private const VALGRIND = '/usr/bin/valgrind';

    public function __construct(private readonly Php $php)
    {
    }

    /** @return string|null why nothing can be counted here */
    public static function missing(): ?string
    {
        return is_executable(self::VALGRIND) ? null : self::VALGRIND . ' is not installed';
    }

    /** @param int $units of work; twice as many as well */
    public function perCall(Mode $mode, WorkloadSpec $workload, int $units): float
    {
        [$few, $calls] = $this->count($mode, $workload, $units);
        [$many, $moreCalls] = $this->count($mode, $workload, 2 * $units);

        return ($many - $few) / ($moreCalls - $calls);
    }

    /** Per unit of work, of a program whose calls are not counted. A profile begins and ends outside of what is compared. */
    public function perUnit(Mode $mode, WorkloadSpec $workload, int $units): float
    {
        return ($this->count($mode, $workload, 2 * $units)[0] - $this->count($mode, $workload, $units)[0]) / (2 * $units);
    }

    /** @return array{int, int} instructions and calls of a whole process */
    private function count(Mode $mode, WorkloadSpec $workload, int $units): array
    {
        $log = (string) tempnam(sys_get_temp_dir(), 'xhprof-bench-');
        try {
            $result = $this->php->json(
                [
                    ...Opcache::settings(Opcache::OFF), ...$this->php->load($workload->extensions), ...$mode->settings,
                    ...self::SETTINGS,
                ],
                // One run that is measured, after one that is not, of the same profiler.
                [dirname(__DIR__) . '/worker.php', $workload->name, $mode->profiler, $mode->profiler, (string) $units, '0'],
                false,
                [self::VALGRIND, '--tool=callgrind', '--callgrind-out-file=/dev/null', "--log-file=$log"],
            );
            if (!is_array($result) || !preg_match('/Collected : (\d+)/', (string) file_get_contents($log), $match)) {
                throw new Failure("$workload->name, $mode->name: callgrind counted nothing");
            }

            return [(int) $match[1], 2 * (int) $result['calls']];
        } finally {
            unlink($log);
        }
    }
}
