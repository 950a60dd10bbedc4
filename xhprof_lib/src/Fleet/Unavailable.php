<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\XHProfException;

/** The store takes nothing now. The message is the reason. */
final class Unavailable extends \RuntimeException implements XHProfException
{
    /** @param float|null $retryAfter seconds for which the store asks to be left alone; null if it does not say */
    public function __construct(string $reason, public readonly ?float $retryAfter = null, ?\Throwable $previous = null)
    {
        parent::__construct($reason, 0, $previous);
    }
}
