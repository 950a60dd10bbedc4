<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

/** A profiler, switched on before a measured run and off after it. */
interface Profiler
{
    public function start(): void;

    /** @return int|null the calls in its profile; null if it does not count calls */
    public function stop(): ?int;
}
