<?php

declare(strict_types=1);

namespace XHProf\Bench\Profiler;

/** Excimer's sampling, every millisecond of wall time. */
final class Excimer implements Profiler
{
    private ?\ExcimerProfiler $profiler = null;

    public function start(): void
    {
        $profiler = new \ExcimerProfiler();
        $profiler->setPeriod(0.001);
        $profiler->setEventType(constant('EXCIMER_REAL'));
        $profiler->start();
        $this->profiler = $profiler;
    }

    public function stop(): ?int
    {
        $this->profiler?->stop();
        $this->profiler = null;

        return null;
    }
}
