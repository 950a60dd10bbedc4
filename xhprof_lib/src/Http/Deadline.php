<?php

declare(strict_types=1);

namespace XHProf\Http;

use XHProf\Exception\SendError;

/**
 * The moment until which an exchange may take. It is of a clock that nobody sets.
 *
 * @internal
 */
final class Deadline
{
    private readonly float $end;

    public function __construct(private readonly float $seconds)
    {
        $this->end = hrtime(true) / 1e9 + $seconds;
    }

    /** @phpstan-impure */
    public function left(): float
    {
        return $this->end - hrtime(true) / 1e9;
    }

    /** @throws SendError if it is over */
    public function check(): void
    {
        if ($this->left() <= 0) {
            throw new SendError("it took more than $this->seconds seconds");
        }
    }
}
