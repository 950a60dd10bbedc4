<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

/** Switches nothing on: loaded extensions idle, or profile by their own settings. */
final class NoProfiler implements Profiler
{
    public function start(): void
    {
    }

    public function stop(): ?int
    {
        return null;
    }
}
