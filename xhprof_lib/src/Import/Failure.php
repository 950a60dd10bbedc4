<?php

declare(strict_types=1);

namespace XHProf\Import;

/** A record of a file that is no run; the other records may be. */
final class Failure
{
    public function __construct(public readonly string $message)
    {
    }
}
