<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

use XHProf\Exception\XHProfException;

/** ClickHouse has answered with an error. The message is what it said, printable and short. */
final class QueryFailed extends \RuntimeException implements XHProfException
{
    /** Errors of what was sent: to send it again is no use. Values that cannot be read, or are too large for their columns. */
    private const OF_DATA = [6, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 130, 131, 190, 321, 349, 441];

    private const DENIED = 497;

    private const NO_TABLE = 60;

    /** @param int $error ClickHouse's code; 0 if the answer has none */
    public function __construct(string $message, public readonly int $error = 0)
    {
        parent::__construct($message);
    }

    /** Whether the user lacks a grant. */
    public function isDenied(): bool
    {
        return $this->error === self::DENIED;
    }

    /** Whether the store has no such table: it may be of an older version. */
    public function isOfUnknownTable(): bool
    {
        return $this->error === self::NO_TABLE;
    }

    /** Whether the data are at fault, and not the server, the address or the user. */
    public function isOfData(): bool
    {
        return in_array($this->error, self::OF_DATA, true);
    }
}
