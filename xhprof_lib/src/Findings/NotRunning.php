<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;
use XHProf\Profile\TimePart;

/**
 * Wall time in which the program neither computed nor was in a function that waits. That in which it was suspended is in no
 * function. Needs wall and CPU time. Its figures are those of the bar: see TimeParts.
 */
final class NotRunning implements Rule
{
    public const NAME = 'not-running';
    public const FINDS = 'time in which the program neither computed nor was in a function that waits: another program had the '
        . 'processor, or the disk had to give a file';
    public const FROM = '25 % of the wall time and 10 ms';
    public const SEEN = 'wall and CPU time';

    /** Least share of the wall time. */
    private const SHARE = 0.25;

    /** Share of that time from which a function is one of its places. */
    private const PART = 0.02;

    /** Least time, ns. */
    private const LEAST = 10_000_000;

    public function find(Evidence $run): array
    {
        $times = $run->parts();
        $ns = $times?->ns(TimePart::NotRunning) ?? 0;
        $functions = $run->times()->notRunning();
        if ($times === null || $functions === [] || $ns < self::LEAST || $times->share($ns) < self::SHARE) {
            return [];
        }
        $name = (string) array_key_first($functions);
        // Clocks are read one after the other: others may have been idle for less than nothing.
        $most = min($functions[$name], $ns / 1000);
        $whole = $times->total() / 1000;

        return [new Finding(
            self::NAME,
            Units::percent($ns, $times->total()) . $run->ofThe('wt') . ' neither computing nor in a function that waits',
            $name,
            'Other programs had the processor, or the disk had to give files and memory first: CPU time is what the program'
                . ' needs, and a second run on a calm machine shows it.',
            // What can be changed comes first.
            0.25 * $times->share($ns),
            most: $most * 1000 == $ns ? '' : Units::percent($most, $whole) . $run->ofThe('wt'),
            isProgram: false,
            brief: Units::percent($ns, $times->total()) . $run->ofThe('wt') . ' not running',
            calls: new FoundCalls(array_map(strval(...), array_keys(array_filter(
                $functions,
                static fn (int|float $us): bool => $us * 1000 >= self::PART * $ns,
            )))),
        )];
    }
}
