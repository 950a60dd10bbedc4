<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

/** Nothing is switched on: whatever is loaded idles, or profiles by its own settings. */
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
