<?php

declare(strict_types=1);

namespace XHProf\Finding;

use XHProf\Profile\OperationFunctions;

/** Queries, requests or cache commands of one caller. */
final class Operation
{
    /**
     * @param OperationFunctions::QUERY|OperationFunctions::HTTP|OperationFunctions::CACHE $kind
     * @param int|float $count how many
     * @param int|float $time  of all, µs
     * @param string $text "SELECT name FROM t WHERE id = ?"; '' where only functions are known
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $caller,
        public readonly int|float $count,
        public readonly int|float $time,
        public readonly string $text = '',
    ) {
    }
}
