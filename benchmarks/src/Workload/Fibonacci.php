<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

require_once __DIR__ . '/functions.php';

final class Fibonacci implements Workload
{
    private const CALLS = 21_891;

    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            fib(20);
        }

        return $units * self::CALLS;
    }
}
