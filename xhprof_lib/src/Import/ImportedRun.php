<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;

/** A run read from another tool's file. */
final class ImportedRun
{
    /**
     * @param CallTree|null                 $tree    null if the file knows no call paths
     * @param array<array-key, mixed>       $meta    in the shape of RunMeta::fromArray()
     * @param array<array-key, string>|null $samples as xhprof_sample_disable() gives them, of a file that has nothing else
     * @param list<string>                  $notes   what of the file is not in the run, as sentences without a dot
     * @param array<string, mixed>|null     $log     the samples in order, as SampleColumns::fromLog() takes them
     */
    public function __construct(
        public readonly Profile $profile,
        public readonly ?CallTree $tree = null,
        public readonly array $meta = [],
        public readonly ?array $samples = null,
        public readonly array $notes = [],
        public readonly ?array $log = null,
    ) {
    }

    /**
     * @param array<array-key, mixed>   $meta
     * @param list<string>              $notes
     * @param array<string, mixed>|null $log
     */
    public static function ofTree(CallTree $tree, array $meta = [], array $notes = [], ?array $log = null): self
    {
        return new self($tree->toEdges(), $tree, $meta, null, $notes, $log);
    }

    /** @param list<string> $notes that come first */
    public function withNotes(array $notes): self
    {
        return new self($this->profile, $this->tree, $this->meta, $this->samples, [...$notes, ...$this->notes], $this->log);
    }
}
