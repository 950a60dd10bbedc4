<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/** The object of the workload "allocations"; without a constructor, which would be a call. */
final class Allocation
{
    public string $text = '';
    /** @var array<string, mixed> */
    public array $row = [];
}
