<?php

declare(strict_types=1);

namespace XHProf\Findings;

/**
 * Wall time in which the program neither computed nor was in a function that waits. That in which it was suspended is in no
 * function. Needs wall and CPU time.
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

    /** Least time, µs. */
    private const LEAST = 10_000;

    public function find(Evidence $run): array
    {
        $waits = $run->waits();
        $idle = [];
        foreach ($run->hasBothTimes() ? $run->rows() : [] as $name => $row) {
            if (!isset($waits[$name])) {
                $idle[$name] = $row['excl_wt'] - $row['excl_cpu'];
            }
        }
        arsort($idle);
        // Clocks are read one after the other: some functions have a little more CPU than wall time.
        $sum = array_sum($idle);
        if ($sum < self::LEAST || $run->part($sum) < self::SHARE) {
            return [];
        }
        $name = (string) array_key_first($idle);
        $most = min($idle[$name], $sum);

        return [new Finding(
            self::NAME,
            $run->share($sum) . ' neither computing nor in a function that waits',
            $name,
            'Other programs had the processor, or the disk had to give files and memory first: CPU time is what the program'
                . ' needs, and a second run on a calm machine shows it.',
            // What can be changed comes first.
            0.25 * $run->part($sum),
            most: $most == $sum ? '' : $run->share($most),
            isProgram: false,
            brief: $run->share($sum) . ' not running',
        )];
    }
}
