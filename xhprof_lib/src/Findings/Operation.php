<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Profile\OperationFunctions;

/** Queries, requests or cache commands of one caller. */
final class Operation
{
    /**
     * @param OperationFunctions::QUERY|OperationFunctions::HTTP|OperationFunctions::CACHE $kind
     * @param int|float $count number of operations
     * @param int|float $time  sum of their times, µs
     * @param string $text "SELECT name FROM t WHERE id = ?"; '' where only functions are known
     * @param string $row  OperationRow::id() of the text; '' where only functions are known
     * @param string $function the function that made them
     * @param int $node of the call tree that has them; -1 where only functions are known
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $caller,
        public readonly int|float $count,
        public readonly int|float $time,
        public readonly string $text = '',
        public readonly string $row = '',
        public readonly string $function = '',
        public readonly int $node = -1,
    ) {
    }
}
