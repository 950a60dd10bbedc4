<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/** A request that gets an error of JSON-RPC in place of an answer. */
class ProtocolError extends \Exception
{
    public const PARSE = -32700;
    public const INVALID_REQUEST = -32600;
    public const UNKNOWN_METHOD = -32601;
    public const INVALID_PARAMS = -32602;
    public const INTERNAL = -32603;

    /** @param self::* $rpcCode */
    public function __construct(public readonly int $rpcCode, string $message)
    {
        parent::__construct($message);
    }
}
