<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/** Code to profile. Its constructor does everything that is not to be measured. */
interface Workload
{
    /** @return int number of calls; 0 if not counted, as in a whole program */
    public function run(int $units): int;
}
