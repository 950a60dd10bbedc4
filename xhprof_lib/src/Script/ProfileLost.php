<?php

declare(strict_types=1);

namespace XHProf\Script;

use RuntimeException;

/** The script ran, but its profile is missing or could not be printed. */
final class ProfileLost extends RuntimeException
{
    /** @param int $exitCode of the script */
    public function __construct(string $message, public readonly int $exitCode)
    {
        parent::__construct($message);
    }
}
