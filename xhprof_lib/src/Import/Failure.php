<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * One record of a file that is no run; the others may be.
 */
final class Failure
{
    public function __construct(public readonly string $message)
    {
    }
}
