<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Profile\SavedColumns;

/** Bytes of the files of runs: whether a file is too large is known before it is read. */
final class RunSizes
{
    /** Memory that a log of samples takes, per byte of its file: numbers of one digit are the worst. */
    private const MEMORY_PER_BYTE = 24;

    /** Memory that a timeline takes, per byte of its file, with the tree that it needs. */
    private const TIMELINE_PER_BYTE = 12;

    /** Largest log, hours of samples, whose sample times are read, however much memory there is. */
    private const MAX_SAMPLES = 64 << 20;

    /** @internal of RunStore::sizes() */
    public function __construct(private readonly Folder $folder)
    {
    }

    /** @return int bytes of the run itself; 0 if it is not there */
    public function run(RunId $id): int
    {
        return $this->bytes($id, 'xhprof');
    }

    /** @return int bytes of its call tree; 0 if none was saved */
    public function tree(RunId $id): int
    {
        return $this->bytes($id, 'tree.json');
    }

    /** @return int bytes of the single requests of an aggregate; 0 if it has kept none */
    public function exemplars(RunId $id): int
    {
        return $this->bytes($id, 'exemplars.json');
    }

    /** @return int bytes of its timeline; 0 if none was saved */
    public function timeline(RunId $id): int
    {
        return $this->bytes($id, 'timeline.json');
    }

    /** Whether the log of samples is too large, also for this PHP's memory: do not ask for RunStore::sampleColumns() then. */
    public function hasTooManySamples(RunId $id): bool
    {
        $size = $this->bytes($id, 'samples.json');

        return $size > self::MAX_SAMPLES || self::isTooMuch($size, self::MEMORY_PER_BYTE);
    }

    /** Whether the timeline is too large, also for this PHP's memory: do not ask for RunStore::timeline() then. */
    public function hasTooLongTimeline(RunId $id): bool
    {
        $size = $this->timeline($id);

        return $size > SavedColumns::MAX_BYTES || self::isTooMuch($size, self::TIMELINE_PER_BYTE);
    }

    /** Whether a file that takes so many times its size does not fit into this PHP's memory. */
    private static function isTooMuch(int $size, int $times): bool
    {
        return $size > intdiv(PhpMemory::limit(), $times);
    }

    /** @param value-of<RunId::KINDS> $kind */
    private function bytes(RunId $id, string $kind): int
    {
        return $this->folder->stat($id->fileName($kind))['size'] ?? 0;
    }
}
