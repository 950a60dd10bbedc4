<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/** Arguments that a tool does not take. The version of the protocol decides whose error that is: its own, or the tool's. */
final class WrongArguments extends ProtocolError
{
    public function __construct(string $message)
    {
        parent::__construct(self::INVALID_PARAMS, $message);
    }
}
