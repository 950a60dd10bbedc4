<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

/** A question that has no answer, and what to ask instead. */
final class CannotAnswer extends \Exception
{
    /** @param list<Call> $next */
    public function __construct(string $message, public readonly array $next = [])
    {
        parent::__construct($message);
    }
}
