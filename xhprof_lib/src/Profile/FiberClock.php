<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** How long each fiber of a run had been on the engine's stack at a time, within a range of it, and what has resumed it. */
final class FiberClock
{
    /**
     * Start, end, time before, ns, and the node of the call that has resumed the fiber.
     *
     * @var array<int, list<array{int, int, int, int}>> per fiber its periods within the range
     */
    private array $periods = [];

    public function __construct(Timeline $timeline, TimeRange $range)
    {
        $sums = [];
        foreach (FiberPeriods::of($timeline) as [$start, $end, $fiber, $node]) {
            $time = $range->part($start, $end);
            if ($time > 0) {
                $start = max($range->from, $start);
                $sums[$fiber] ??= 0;
                $this->periods[$fiber][] = [$start, $start + $time, $sums[$fiber], $node];
                $sums[$fiber] += $time;
            }
        }
    }

    /** @return int ns of the range that a fiber was on the stack between two times */
    public function between(int $fiber, int $start, int $end): int
    {
        return $this->at($fiber, $end) - $this->at($fiber, $start);
    }

    /** @return iterable<array{int, int}> the same, by what has resumed the fiber: node of the call, ns */
    public function byResumer(int $fiber, int $start, int $end): iterable
    {
        $next = max(0, $this->begun($fiber, $start) - 1);
        while (($period = $this->periods[$fiber][$next++] ?? null) !== null && $period[0] < $end) {
            yield [$period[3], max(0, min($end, $period[1]) - max($start, $period[0]))];
        }
    }

    private function at(int $fiber, int $time): int
    {
        $period = $this->periods[$fiber][$this->begun($fiber, $time) - 1] ?? null;

        return $period === null ? 0 : $period[2] + min($time, $period[1]) - $period[0];
    }

    /** @return int how many periods of a fiber have begun */
    private function begun(int $fiber, int $time): int
    {
        $periods = $this->periods[$fiber] ?? [];
        [$low, $high] = [0, count($periods)];
        while ($low < $high) {
            $middle = ($low + $high) >> 1;
            if ($periods[$middle][0] <= $time) {
                $low = $middle + 1;
            } else {
                $high = $middle;
            }
        }

        return $low;
    }
}
