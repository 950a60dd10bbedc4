<?php

declare(strict_types=1);

namespace XHProf\Operations;

/** A call path that did an operation. */
final class OperationCaller
{
    /**
     * @param list<string> $path  functions, innermost first; the first one did it
     * @param int          $more  functions further out that are left out
     * @param int          $total ns
     * @param int|null     $max   ns; null of a sampling
     * @param int          $duplicates calls with values that a call from here had before
     * @param string|null  $loop  the function in whose loop it is repeated; null if it is not
     * @param int          $loops calls of that function
     * @param int          $node  of the call tree; -1 where it is not known
     */
    public function __construct(
        public readonly array $path,
        public readonly int $more,
        public readonly int $ct,
        public readonly int $total,
        public readonly ?int $max,
        public readonly int $duplicates,
        public readonly ?string $loop,
        public readonly int $loops,
        public readonly int $node,
    ) {
    }
}
