<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

use XHProf\Bench\Failure;

/** memprof_enable() and memprof_disable(): memory by call path, without times. XHProf has these functions as well. */
final class Memprof implements Profiler
{
    public function __construct()
    {
        if (!function_exists('memprof_enable') || !function_exists('memprof_disable')) {
            throw new Failure('memprof_enable() or memprof_disable() is missing');
        }
    }

    public function start(): void
    {
        memprof_enable();
    }

    public function stop(): ?int
    {
        memprof_disable();

        return null;
    }
}
