<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/** Code to profile. Its constructor does everything that is not to be measured. */
interface Workload
{
    /** @return int the calls that were made; 0 when nobody counts them, as in a whole program */
    public function run(int $units): int;
}
