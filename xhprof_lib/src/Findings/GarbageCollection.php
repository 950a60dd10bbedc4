<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;

/** Runs of PHP's collector of cycles that take much of the run. */
final class GarbageCollection implements Rule
{
    public const NAME = 'garbage-collection';
    public const FINDS = 'runs of PHP\'s collector of cycles';
    public const FROM = '5 % of the wall time and 10 ms';
    public const SEEN = 'operations';

    /** Least share of the wall time. */
    private const SHARE = 0.05;

    /** ns below which nothing is worth a word. */
    private const LEAST = 10_000_000;

    public function find(Evidence $run): array
    {
        $row = ($run->report()?->rows('gc', 'total', 2) ?? [])[0] ?? null;
        $us = $row === null ? 0 : $row->total / 1000;
        if ($row === null || $row->total < self::LEAST || $run->part($us, 'wt') < self::SHARE) {
            return [];
        }

        return [new Finding(
            self::NAME,
            Units::counted($row->ct, 'collection') . ' of garbage, ' . $run->share($us, 'wt'),
            $row->callers[0]->path[0] ?? '',
            'The collector looks through all objects that dropped values refer to: objects without cycles (a WeakReference to'
                . ' the parent) are freed at once, and gc_disable() saves it where all lives on anyway.',
            0.1 + $run->part($us, 'wt'),
            'operations',
            operation: $row->id(),
            most: count($row->callers) < 2 ? '' : $run->share($row->callers[0]->total / 1000, 'wt'),
            calls: FoundCalls::onPaths($run->report()?->paths($row, SlowOperation::PATHS) ?? []),
        )];
    }
}
