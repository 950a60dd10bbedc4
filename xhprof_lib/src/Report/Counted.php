<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Run\RunMeta;

/** Meaning of the "ct" of functions: calls, or, if the run was sampled, samples taken in the function itself. */
enum Counted
{
    case Calls;
    case Samples;
    /** Some of several runs have calls, others samples. */
    case Both;

    /** @param RunMeta ...$runs of Run::metas(): the runs of a mean, or of both sides of a comparison */
    public static function of(RunMeta ...$runs): self
    {
        $sampled = array_filter($runs, static fn (RunMeta $run): bool => $run->recording->samples !== null);

        return match (count($sampled)) {
            0 => self::Calls,
            count($runs) => self::Samples,
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
