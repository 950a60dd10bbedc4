<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;

/** A run read from another tool's file. */
final class ImportedRun
{
    /**
     * @param CallTree|null                   $tree    null if the file knows no call paths
     * @param array<array-key, mixed>         $meta    in the shape of meta.json
     * @param array<array-key, string>|null   $samples as xhprof_sample_disable() gives them, where the file has a time per sample
     */
    public function __construct(
        public readonly Profile $profile,
        public readonly ?CallTree $tree = null,
        public readonly array $meta = [],
        public readonly ?array $samples = null,
    ) {
    }
}
