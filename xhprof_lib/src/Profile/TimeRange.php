<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** A range of a run's time, in ns since its start; not empty. */
final class TimeRange
{
    public function __construct(public readonly int $from, public readonly int $to)
    {
    }

    /** @return int ns of it that lie between two times */
    public function part(int $start, int $end): int
    {
        return max(0, min($this->to, $end) - max($this->from, $start));
    }

    /** @return bool whether a moment lies in it, its ends included */
    public function holds(int $moment): bool
    {
        return $moment >= $this->from && $moment <= $this->to;
    }
}
