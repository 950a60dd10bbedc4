<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

/** Pauses between attempts: each twice as long as the one before, up to a bound, and a random part shorter. */
final class Backoff
{
    /** Seconds. */
    private const FIRST = 1.0;
    private const LONGEST = 300.0;

    /** Seconds; a store that asks for more is asked again after this time. */
    private const LONGEST_WISH = 600.0;

    private int $failures = 0;

    /** @param \Closure(): float $random from 0 to 1: hosts that lost the same store do not come back together */
    public function __construct(private readonly \Closure $random)
    {
    }

    public static function random(): self
    {
        return new self(static fn (): float => random_int(0, 1 << 20) / (1 << 20));
    }

    /** @return int attempts that have failed since the last success */
    public function failures(): int
    {
        return $this->failures;
    }

    /**
     * @param float|null $wish seconds for which the store asks to be left alone
     *
     * @return float seconds to wait
     */
    public function next(?float $wish = null): float
    {
        $pause = min(self::LONGEST, self::FIRST * 2 ** min(30, $this->failures++));

        return max($pause * (1 - ($this->random)() / 2), min(self::LONGEST_WISH, $wish ?? 0.0));
    }

    public function reset(): void
    {
        $this->failures = 0;
    }
}
