<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\Units;

/** The whole that a column's figures are parts of: a share in percent and a bar accompany them. */
final class Share
{
    /**
     * @param int|float $whole  value of 100 %
     * @param int       $weight of the share on terminals: see Column; that of the bar is one more
     * @param int       $bar    characters of a full bar on terminals; 0 for no bar
     * @param bool      $isSigned whether figures may be below 0 or above the whole, as of memory: those are no shares
     */
    public function __construct(
        public readonly int|float $whole,
        public readonly int $weight = 4,
        public readonly int $bar = 6,
        private readonly bool $isSigned = false,
    ) {
    }

    /** @return float|null of 1; null where a share has no meaning */
    public function of(int|float $part): ?float
    {
        return $this->whole == 0 || ($this->isSigned && ($part < 0 || $part > $this->whole)) ? null : $part / $this->whole;
    }

    /** "12.3 %", or "-". */
    public function text(int|float $part): string
    {
        return $this->of($part) === null ? '-' : Units::percent($part, $this->whole);
    }
}
