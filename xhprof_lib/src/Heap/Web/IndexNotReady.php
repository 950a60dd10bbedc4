<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use RuntimeException;

/** The index of a snapshot must still be built, or took longer than a page may. */
final class IndexNotReady extends RuntimeException
{
    /** @param bool $tried whether it was tried just now, and took too long */
    public function __construct(public readonly string $snapshot, public readonly int $size, public readonly bool $tried)
    {
        parent::__construct('The index of this snapshot does not exist yet.');
    }
}
