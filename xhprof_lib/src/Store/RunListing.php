<?php

declare(strict_types=1);

namespace XHProf\Store;

/**
 * A page of a list of runs.
 */
final class RunListing
{
    /**
     * @param list<RunEntry> $runs    of this page
     * @param int            $matches runs that the query finds
     * @param int            $total   runs of the folder
     * @param int            $pending runs of the folder that are not read yet, and so not found
     */
    public function __construct(
        public readonly array $runs,
        public readonly int $matches,
        public readonly int $total,
        public readonly int $pending,
    ) {
    }
}
