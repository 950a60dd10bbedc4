<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

final class SystemClock implements Clock
{
    public function now(): float
    {
        return microtime(true);
    }

    public function sleep(float $seconds): void
    {
        time_nanosleep((int) $seconds, (int) (fmod($seconds, 1.0) * 1e9));
    }
}
