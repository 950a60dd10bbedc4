<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

require_once __DIR__ . '/functions.php';

/** 20,000 frames deep, again and again. */
final class DeepRecursion implements Workload
{
    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            deep(19_999);
        }

        return $units * 20_000;
    }
}
