<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** One way of running a workload: the loaded extensions and the active profiler. */
final class Mode
{
    /**
     * @param string $name for tables and options
     * @param string $group "bare", "own", "reference" or the name of a peer
     * @param list<string> $settings INI settings
     * @param string $profiler of Profilers, switched on for the measured runs
     * @param string $warm switched on for the run before them
     * @param int $divisor of the workload's units of calls: slow modes need fewer for the same accuracy
     * @param bool $byDefault false: only when asked for by its name
     */
    public function __construct(
        public readonly string $name,
        public readonly string $group,
        public readonly array $settings,
        public readonly string $profiler = 'none',
        public readonly string $warm = 'none',
        public readonly int $divisor = 1,
        public readonly bool $byDefault = true,
    ) {
    }

    public function isForeign(): bool
    {
        return !in_array($this->group, ['bare', 'own', 'reference'], true);
    }
}
