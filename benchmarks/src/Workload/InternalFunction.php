<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

final class InternalFunction implements Workload
{
    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            $sum = \abs(-$i);
        }

        return $units;
    }
}
