<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;
use XHProf\Operations\OperationReport;

/**
 * Time in which the program waited for something else, in functions that are known to wait. Needs wall and CPU time. Its figures
 * are those of the view Operations where these were recorded, else of the functions: what they computed meanwhile is part of it.
 */
final class Waiting implements Rule
{
    public const NAME = 'waiting';
    public const FINDS = 'time in functions that wait for a disk, the network, another process or a moment';
    public const FROM = '25 % of the wall time and 10 ms without CPU time, or 50 %';
    public const SEEN = 'wall and CPU time';

    /**
     * Share of the wall time without CPU time from which waiting is a finding; and the share from which it is one if it
     * takes at least LEAST.
     */
    private const SHARE = 0.5;
    private const PART = 0.25;

    /** Least time of the smaller share, µs. */
    private const LEAST = 10_000;

    /** Share of the wall time of a kind of operation that is named. */
    private const NAMED = 0.01;

    public function find(Evidence $run): array
    {
        $waits = $run->isShort() ? [] : $run->waits();
        $idle = array_sum(array_column($waits, 'idle'));
        $share = $run->part($idle);
        if ($waits === [] || $share < ($idle >= self::LEAST ? self::PART : self::SHARE)) {
            return [];
        }
        $kinds = self::kinds($run);
        $most = Units::percent($waits[array_key_first($waits)]['wt'], $run->total('wt'));
        $all = $kinds === [] ? [Units::percent(array_sum(array_column($waits, 'wt')), $run->total('wt'))] : $kinds;
        $isAlone = count($all) === 1 && str_ends_with($all[0], $most);

        return [new Finding(
            self::NAME,
            implode(', ', $all) . $run->ofThe('wt') . ' waited',
            (string) array_key_first($waits),
            'Faster code would not help: what is waited for has to answer sooner, be asked less often, or run at the same time.',
            $share,
            $kinds === [] ? '' : 'operations',
            most: $isAlone ? '' : $most . $run->ofThe('wt'),
        )];
    }

    /** @return list<string> "SQL 80.6 %", the most first; [] where operations were not recorded, or have other times */
    private static function kinds(Evidence $run): array
    {
        $named = [];
        foreach ($run->report()?->kinds() ?? [] as $kind => $figures) {
            $us = $figures['total'] / 1000;
            if (!in_array($kind, OperationReport::ENGINE, true) && $run->part($us, 'wt') >= self::NAMED) {
                $named[] = OperationReport::label($kind) . ' ' . Units::percent($us, $run->total('wt'));
            }
        }

        return $named;
    }
}
