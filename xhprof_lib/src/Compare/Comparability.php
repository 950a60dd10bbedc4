<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Run\Run;
use XHProf\Run\RunMeta;

/** Known differences that keep the values of two runs from being compared. */
final class Comparability
{
    /**
     * @param string|null  $recording difference in how they were recorded: a sentence without a full stop, null if none. Holds
     *     texts of the metadata: make it printable
     * @param list<string> $onlyA     metrics that the second run lacks
     * @param list<string> $onlyB     metrics that the first run lacks
     */
    private function __construct(
        public readonly ?string $recording,
        public readonly array $onlyA,
        public readonly array $onlyB,
    ) {
    }

    public static function of(Run $a, Run $b): self
    {
        [$ofA, $ofB] = [$a->profile()->metrics(), $b->profile()->metrics()];
        $recording = self::recording($a->meta(), $b->meta());

        return new self($recording, array_values(array_diff($ofA, $ofB)), array_values(array_diff($ofB, $ofA)));
    }

    /** CPU clocks are not compared: they all show the same time. */
    private static function recording(RunMeta $a, RunMeta $b): ?string
    {
        $differences = [];
        if ($a->recording->flags !== null && $b->recording->flags !== null && $a->recording->flags !== $b->recording->flags) {
            $differences[] = sprintf('flags (%s / %s)', self::flags($a), self::flags($b));
        }
        $clocks = [$a->recording->clock['wall'] ?? '', $b->recording->clock['wall'] ?? ''];
        if (!in_array('', $clocks, true) && $clocks[0] !== $clocks[1]) {
            $differences[] = sprintf('wall clocks (%s)', implode(' / ', $clocks));
        }

        return $differences === []
            ? null
            : 'Recorded with different ' . implode(' and ', $differences) . ': times are not comparable';
    }

    private static function flags(RunMeta $meta): string
    {
        return match (true) {
            $meta->recording->flagNames !== [] => implode(', ', $meta->recording->flagNames),
            $meta->recording->flags === 0 => 'none',
            default => (string) $meta->recording->flags,
        };
    }
}
