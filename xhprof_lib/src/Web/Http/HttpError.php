<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

use RuntimeException;

/** An answer other than success; the message is one sentence that is shown to the reader. */
final class HttpError extends RuntimeException
{
    /** @param int $status HTTP status, 400 to 599 */
    public function __construct(public readonly int $status, string $message, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
