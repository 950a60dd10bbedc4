<?php

declare(strict_types=1);

namespace XHProf\Store;

/**
 * How much there is of a run, in numbers of the columns of its file: the head of the file says so before they are read. All are 0
 * for what is not there, and for a file that cannot be read.
 */
final class RunSizes
{
    /** Bytes of memory that a number of a column takes. */
    public const BYTES_PER_NUMBER = 16;

    /** Bytes of a file of PECL's XHProf per figure, with its part of the names. */
    private const CLASSIC_BYTES = 16;

    /** Bytes of memory per sample: its numbers as they were read, and as they are used, with gaps between them. */
    private const MEMORY_PER_SAMPLE = 256;

    /** Bytes of memory per number of a timeline, and of the tree that it needs. */
    private const MEMORY_PER_NUMBER = 48;

    /** Most samples, hours of them, whose times are read, however much memory there is. */
    private const MAX_SAMPLES = 8 << 20;

    /** Most numbers of a timeline, however much memory there is. */
    private const MAX_TIMELINE = 1 << 26;

    /** @internal of RunStore::sizes() */
    public function __construct(private readonly RunFolder $folder)
    {
    }

    /** @return int numbers that are read for the edges of the run; for a file of PECL's XHProf an estimate */
    public function run(RunId $id): int
    {
        $file = $this->folder->readable($id)?->file;

        return $file === null
            ? intdiv($this->folder->files->stat($id->fileName(RunId::CLASSIC))['size'] ?? 0, self::CLASSIC_BYTES)
            : $file->values($file->has('tree') ? 'tree' : 'edges');
    }

    /** @return int numbers of its call tree */
    public function tree(RunId $id): int
    {
        return $this->values($id, 'tree');
    }

    /** @return int call paths of its call tree */
    public function nodes(RunId $id): int
    {
        return $this->folder->readable($id)?->file->count('tree.fn') ?? 0;
    }

    /** @return int numbers of the single requests of an aggregate */
    public function exemplars(RunId $id): int
    {
        return $this->values($id, 'exemplars');
    }

    /** @return int numbers of its timeline */
    public function timeline(RunId $id): int
    {
        return $this->values($id, 'timeline');
    }

    /** Whether there are too many samples, also for this PHP's memory: do not ask for RunStore::sampleColumns() then. */
    public function hasTooManySamples(RunId $id): bool
    {
        $samples = $this->folder->readable($id)?->file->count('samples.t') ?? 0;

        return $samples > self::MAX_SAMPLES || $samples > intdiv(PhpMemory::limit(), self::MEMORY_PER_SAMPLE);
    }

    /** Whether the timeline is too long, also for this PHP's memory: do not ask for RunStore::timeline() then. */
    public function hasTooLongTimeline(RunId $id): bool
    {
        $timeline = $this->timeline($id);
        $most = intdiv(PhpMemory::limit(), self::MEMORY_PER_NUMBER);

        return $timeline > self::MAX_TIMELINE || ($timeline > 0 && $timeline + $this->tree($id) > $most);
    }

    private function values(RunId $id, string $document): int
    {
        return $this->folder->readable($id)?->file->values($document) ?? 0;
    }
}
