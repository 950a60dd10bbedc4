<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** How long each fiber of a run had run at a time, within a range of it. */
final class FiberClock
{
    /** @var array<int, list<int>> per fiber the starts of its slices within the range */
    private array $starts = [];

    /** @var array<int, list<int>> per fiber and slice: the time that it had run before, ns */
    private array $before = [];

    /** @var array<int, int> per fiber the time that it ran within the range, ns */
    private array $sums = [];

    /**
     * Of slices that overlap the first counts.
     *
     * @param iterable<array{int, int, int}> $slices start, end and fiber, in order of their starts; ns
     */
    public function __construct(iterable $slices, TimeRange $range)
    {
        $last = $range->from;
        foreach ($slices as [$start, $end, $fiber]) {
            $start = max($last, $start);
            $end = min($range->to, $end);
            if ($end > $start) {
                $last = $end;
                $this->starts[$fiber][] = $start;
                $this->before[$fiber][] = $this->sums[$fiber] ?? 0;
                $this->sums[$fiber] = ($this->sums[$fiber] ?? 0) + $end - $start;
            }
        }
    }

    /** @return int ns of the range that the fiber had run before this time */
    public function at(int $fiber, int $time): int
    {
        $starts = $this->starts[$fiber] ?? [];
        [$low, $high] = [0, count($starts)];
        while ($low < $high) {
            $middle = ($low + $high) >> 1;
            if ($starts[$middle] <= $time) {
                $low = $middle + 1;
            } else {
                $high = $middle;
            }
        }
        if ($low === 0) {
            return 0;
        }
        $before = $this->before[$fiber];

        return min($before[$low - 1] + $time - $starts[$low - 1], $before[$low] ?? $this->sums[$fiber]);
    }
}
