<?php

declare(strict_types=1);

namespace XHProf\Store;

/**
 * One page of the list of runs that a query finds.
 */
final class RunListing
{
    /**
     * @param list<RunEntry> $runs    the runs on this page
     * @param int            $matches number of runs that the query finds
     * @param int            $total   number of runs in the folder
     * @param int            $pending number of runs in the folder that the index does not have yet, so that no query finds them
     */
    public function __construct(
        public readonly array $runs,
        public readonly int $matches,
        public readonly int $total,
        public readonly int $pending,
    ) {
    }
}
