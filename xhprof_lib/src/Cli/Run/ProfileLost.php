<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use RuntimeException;

/** The script ran, but there is no profile of it, or none that could be printed. */
final class ProfileLost extends RuntimeException
{
    /** @param int $exitCode of the script */
    public function __construct(string $message, public readonly int $exitCode)
    {
        parent::__construct($message);
    }
}
