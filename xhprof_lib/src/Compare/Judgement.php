<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Stats\Significance;

/** Whether a growth is over what is allowed: the one rule of `diff --fail-over` and of `check`. */
enum Judgement: string
{
    case Within = 'within the budget';
    case Over = 'over the budget';
    case MaybeChance = 'over the budget, but that may be chance';

    /**
     * @param int|float  $growth as a share of the value before, or in its unit
     * @param int|float  $most   that is allowed, of the same kind
     * @param float|null $chance probability that chance alone makes the change; null: not known, so that the figure alone counts
     */
    public static function of(int|float $growth, int|float $most, ?float $chance): self
    {
        return match (true) {
            $growth <= $most => self::Within,
            $chance === null || $chance < Significance::LEVEL => self::Over,
            default => self::MaybeChance,
        };
    }

    /** A growth as a share of the value before; of none, any growth is infinite. */
    public static function share(int|float $before, int|float $after): float
    {
        return $before == 0 ? ($after > 0 ? INF : 0.0) : ($after - $before) / abs($before);
    }

    public function isOver(): bool
    {
        return $this === self::Over;
    }
}
