<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** How a worker ended, and what it had printed. */
final class WorkerEnd
{
    /**
     * @param int $status exit code, or minus the number of the signal that ended it
     * @param list<string> $lines
     */
    public function __construct(public readonly int $status, public readonly array $lines)
    {
    }
}
