<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/** An object's method and a static one in turn. */
final class Methods implements Workload
{
    public function run(int $units): int
    {
        $counter = new Counter();
        for ($i = 0; $i < $units; $i++) {
            $counter->add(Counter::twice($i));
        }

        return $units * 2;
    }
}
