<?php

declare(strict_types=1);

namespace XHProf\Store;

/** A run as the list shows it, without reading the run itself. */
final class RunSummary
{
    /**
     * @param float       $time  when it began (metadata) or was last written (file); seconds since 1970
     * @param int         $bytes size of the run file
     * @param string|null $error why it will not load, as far as known without loading it
     */
    public function __construct(
        public readonly RunId $id,
        public readonly float $time,
        public readonly int $bytes,
        public readonly RunMeta $meta,
        public readonly ?string $error = null,
    ) {
    }
}
