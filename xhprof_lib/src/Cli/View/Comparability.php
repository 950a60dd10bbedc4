<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use XHProf\Cli\OpenedRun;
use XHProf\Format\Text;

/** What keeps the figures of two runs from being compared. */
final class Comparability
{
    /** @return list<string> sentences without a full stop, printable; none where nothing is known to differ */
    public static function notes(OpenedRun $a, OpenedRun $b): array
    {
        $notes = [];
        if ($a->meta->flags !== null && $b->meta->flags !== null && $a->meta->flags !== $b->meta->flags) {
            $notes[] = self::differ('flags', self::flags($a), self::flags($b));
        }
        $clocks = ['wall' => 'wall clocks', 'cpu' => 'CPU clocks'];
        foreach ($clocks as $kind => $what) {
            $clockA = $a->meta->clock[$kind] ?? '';
            $clockB = $b->meta->clock[$kind] ?? '';
            if ($clockA !== '' && $clockB !== '' && $clockA !== $clockB) {
                $notes[] = self::differ($what, $clockA, $clockB);
            }
        }
        $metricsA = $a->profile->metrics();
        $metricsB = $b->profile->metrics();
        $leftOut = [
            ...self::only('A', array_diff($metricsA, $metricsB)),
            ...self::only('B', array_diff($metricsB, $metricsA)),
        ];
        if ($leftOut !== []) {
            $notes[] = 'Left out: ' . Text::printable(implode('; ', $leftOut));
        }

        return $notes;
    }

    private static function differ(string $what, string $a, string $b): string
    {
        return Text::printable("Recorded with different $what ($a / $b): their times do not compare");
    }

    private static function flags(OpenedRun $run): string
    {
        return match (true) {
            $run->meta->flagNames !== [] => implode(', ', $run->meta->flagNames),
            $run->meta->flags === 0 => 'none',
            default => (string) $run->meta->flags,
        };
    }

    /**
     * @param array<string> $metrics
     * @return list<string>
     */
    private static function only(string $letter, array $metrics): array
    {
        $names = implode(', ', array_map(MetricLabel::name(...), $metrics));

        return $names === '' ? [] : ["$names (only in $letter)"];
    }
}
