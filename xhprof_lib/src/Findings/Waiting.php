<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;

/** Time in which the program waited for something else, with the figures of the bar: see TimeParts. Needs CPU time, or samples. */
final class Waiting implements Rule
{
    public const NAME = 'waiting';
    public const FINDS = 'time in functions that wait for a disk, the network, another process or a moment';
    public const FROM = '25 % of the wall time and 10 ms without CPU time, or 50 %';
    public const SEEN = 'wall and CPU time, samples of wall time';

    /**
     * Share of the wall time without CPU time from which waiting is a finding; and the share from which it is one if it
     * takes at least LEAST.
     */
    private const SHARE = 0.5;
    private const PART = 0.25;

    /** Least time of the smaller share, ns. */
    private const LEAST = 10_000_000;

    /** Share of the wall time of a kind of operation that is named. */
    private const NAMED = 0.01;

    public function find(Evidence $run): array
    {
        $times = $run->isShort() ? null : $run->parts();
        $waited = $times?->group(TimePart::WAITING) ?? 0;
        $functions = $run->times()->waiting();
        if ($times === null || $functions === [] || $times->share($waited) < ($waited >= self::LEAST ? self::PART : self::SHARE)) {
            return [];
        }
        $kinds = self::kinds($times);
        $name = (string) array_key_first($functions);
        $most = Units::percent($functions[$name], $times->total() / 1000);
        $isAlone = count($kinds) === 1 && str_ends_with($kinds[0], " $most");

        return [new Finding(
            self::NAME,
            implode(', ', $kinds) . $run->ofThe('wt') . ' waited',
            $name,
            'Faster code would not help: what is waited for has to answer sooner, be asked less often, or run at the same time.',
            $times->share($waited),
            $run->report() === null ? '' : 'operations',
            most: $isAlone ? '' : $most . $run->ofThe('wt'),
            calls: new FoundCalls(array_map(strval(...), array_keys($functions))),
        )];
    }

    /** @return non-empty-list<string> "SQL 80.6 %", the most first */
    private static function kinds(TimeParts $times): array
    {
        $waits = [];
        foreach ($times->ns as $key => $ns) {
            $part = TimePart::from($key);
            if ($part->group() === TimePart::WAITING) {
                $waits[$part->label()] = $ns;
            }
        }
        arsort($waits);
        $named = array_filter($waits, static fn (int $ns): bool => $times->share($ns) >= self::NAMED);
        $words = static fn (string $label, int $ns): string => "$label " . Units::percent($ns, $times->total());
        $all = array_map($words, array_keys($named), $named);

        return $all === [] ? [Units::percent(array_sum($waits), $times->total())] : $all;
    }
}
