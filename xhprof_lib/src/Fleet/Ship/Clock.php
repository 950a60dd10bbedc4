<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

/** Time, which tests have of their own. */
interface Clock
{
    /** @return float seconds since 1970 */
    public function now(): float;

    /** Waits; a signal may end it early. */
    public function sleep(float $seconds): void;
}
