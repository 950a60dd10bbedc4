<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

/** A time in the server's time zone. */
final class TimeLabel
{
    /**
     * @param float|null $seconds since 1970
     * @return array{short: string, date: string, clock: string, zone: string, long: string, machine: string}|null null when
     *     unknown or out of range
     */
    public static function of(?float $seconds): ?array
    {
        if ($seconds === null || $seconds <= 0.0 || $seconds > 253402300799.0) {
            return null;
        }
        $time = (int) $seconds;

        return [
            'short' => date('Y-m-d H:i:s', $time),
            'date' => date('Y-m-d', $time),
            'clock' => date('H:i:s', $time),
            'zone' => date('T', $time),
            'long' => date('l, j F Y, H:i:s T', $time),
            'machine' => date(DATE_ATOM, $time),
        ];
    }
}
