<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/** Ends an import that takes too long for the process that does it. */
final class ImportDeadline
{
    private readonly float $end;

    /** @var \Closure(): float seconds, from any moment on */
    private readonly \Closure $clock;

    /** @param (\Closure(): float)|null $clock null for the machine's */
    public function __construct(private readonly int $seconds, ?\Closure $clock = null)
    {
        $this->clock = $clock ?? static fn (): float => hrtime(true) / 1e9;
        $this->end = ($this->clock)() + $seconds;
    }

    /** @throws InvalidProfile */
    public function check(): void
    {
        if (($this->clock)() > $this->end) {
            throw new InvalidProfile("it takes longer than $this->seconds seconds; bin/xhprof import has no such limit");
        }
    }
}
