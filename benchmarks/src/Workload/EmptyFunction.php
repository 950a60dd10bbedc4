<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

require_once __DIR__ . '/functions.php';

final class EmptyFunction implements Workload
{
    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            nothing();
        }

        return $units;
    }
}
