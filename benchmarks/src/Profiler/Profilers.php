<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

use XHProf\Bench\Failure;

/** Profilers by their names in the benchmark's child processes: "none", "memprof", "xhprof:CPU|MEMORY", "sample:1000,cpu". */
final class Profilers
{
    public static function create(string $name): Profiler
    {
        [$kind, $flags] = explode(':', $name, 2) + [1 => '0'];

        return match ($kind) {
            'none' => new NoProfiler(),
            'xhprof', 'tideways_xhprof' => new XhprofLike($kind, $flags),
            'excimer' => new Excimer(),
            'memprof' => new Memprof(),
            'sample' => new XhprofSampling($flags),
            default => throw new Failure("no profiler named $name"),
        };
    }
}
