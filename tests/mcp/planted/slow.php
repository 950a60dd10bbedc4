<?php

declare(strict_types=1);

namespace Planted;

/** A calendar: looks for free days, and counts leap years by trying each one. */
final class Calendar
{
    /** @return list<int> */
    public function freeDays(int $year): array
    {
        return array_values(array_filter(range(1, 365), fn (int $day): bool => $this->isFree($year, $day)));
    }

    private function isFree(int $year, int $day): bool
    {
        return ($this->leapDaysBefore($year) + $day) % 7 < 2;
    }

    private function leapDaysBefore(int $year): int
    {
        $days = 0;
        for ($each = 1; $each < $year; $each++) {
            $days += ($each % 4 === 0 && $each % 100 !== 0) || $each % 400 === 0 ? 1 : 0;
        }

        return $days;
    }
}

echo count((new Calendar())->freeDays(20_000)), "\n";
