<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;

/** Meaning of the "ct" of functions: calls, or, if the run was sampled, samples taken in the function itself. */
enum CountKind
{
    case Calls;
    case Samples;
    /** Some of several runs have calls, others samples. */
    case Both;

    /** @param Run|RunMeta ...$runs those of a report, as both sides of a comparison; a mean counts as each of its runs does */
    public static function ofRuns(Run|RunMeta ...$runs): self
    {
        $metas = [];
        foreach ($runs as $one) {
            array_push($metas, ...($one instanceof Run ? $one->metas() : [$one]));
        }
        $sampled = array_filter($metas, static fn (RunMeta $meta): bool => $meta->recording->samples !== null);

        return match (count($sampled)) {
            0 => self::Calls,
            count($metas) => self::Samples,
            default => self::Both,
        };
    }

    /** Whether there are values per call and counts of calls between functions: a sample belongs to one function only. */
    public function isCalls(): bool
    {
        return $this === self::Calls;
    }

    /** Column head. */
    public function label(): string
    {
        return match ($this) {
            self::Calls => Metrics::of('ct')->label,
            self::Samples => 'Self samples',
            self::Both => 'Calls / self samples',
        };
    }

    public function title(): string
    {
        return match ($this) {
            self::Calls => 'Number of calls',
            self::Samples => 'Samples taken in the function itself',
            self::Both => 'Number of calls, or samples taken in the function itself',
        };
    }

    /** Noun for a total: "calls", "samples". */
    public function noun(): string
    {
        return match ($this) {
            self::Calls => 'calls',
            self::Samples => 'samples',
            self::Both => 'calls or samples',
        };
    }

    /** "1 call", "3 021 self samples". */
    public function words(int|float $count): string
    {
        $words = lcfirst($this->label());

        return Units::count($count) . ' ' . ($count == 1 ? rtrim($words, 's') : $words);
    }
}
