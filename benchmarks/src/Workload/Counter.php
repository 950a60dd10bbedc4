<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/** The object of the workload "methods". */
final class Counter
{
    private int $sum = 0;

    public function add(int $n): self
    {
        $this->sum += $n;

        return $this;
    }

    public static function twice(int $n): int
    {
        return $n * 2;
    }

    public function sum(): int
    {
        return $this->sum;
    }
}
