<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Bench\Workload\Workload;

/** A workload and its amount of work. */
final class WorkloadSpec
{
    /**
     * @param class-string<Workload> $class
     * @param bool $isProgram a factor of slowing down is given instead of time per call
     * @param int $units of work in a measured run
     * @param int $quickUnits of work where only its working is of interest
     * @param string|null $needs a folder that must be there
     * @param list<string> $extensions that must be there
     */
    public function __construct(
        public readonly string $name,
        public readonly string $class,
        public readonly bool $isProgram,
        public readonly int $units,
        public readonly int $quickUnits,
        public readonly ?string $needs = null,
        public readonly array $extensions = [],
    ) {
    }
}
