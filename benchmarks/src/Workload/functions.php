<?php

/*
 * Functions called by the workloads, in a separate file: opcache would inline functions of the same file.
 */

declare(strict_types=1);

namespace XHProf\Bench\Workload;

function nothing(): void
{
}

function fib(int $n): int
{
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

function deep(int $n): int
{
    return $n === 0 ? 0 : deep($n - 1) + 1;
}
