<?php

/*
 * What the workloads call. In a file of its own: opcache inlines functions of the same file, and there would be no call.
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
