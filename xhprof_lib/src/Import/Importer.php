<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\Store\RunId;
use XHProf\Store\RunStore;

/** Makes runs from other tools' files. A record that is no run does not stop the others. */
final class Importer
{
    public const SOURCE = 'imported';

    /**
     * @param string|null $source of the new runs; null: a file that is named like a run, ID.SOURCE.xhprof, keeps both, others get
     *     SOURCE
     *
     * @throws InvalidRunId
     */
    public function __construct(private readonly RunStore $store, private readonly ?string $source = null)
    {
        RunId::fromStrings('any', $source ?? self::SOURCE);
    }

    /**
     * @return iterable<Outcome> as they come
     *
     * @throws InvalidProfile if the file is of no known format or nothing in it can be read
     * @throws StoreError     when it cannot be read, or a run not be written
     */
    public function import(InputFile $file, Reader $reader): iterable
    {
        $about = ['imported from' => $reader->label(), 'file' => $file->name];
        foreach ($reader->read($file) as $record => $run) {
            yield $run instanceof Failure
                ? new Outcome($record, null, $run->message)
                : new Outcome($record, $this->save($run, self::mergeMeta($run->meta, $about), $this->named($file, $record)), null);
        }
    }

    /**
     * @param array<array-key, mixed> $meta
     * @param array<string, string>   $about
     *
     * @return array<array-key, mixed>
     */
    private static function mergeMeta(array $meta, array $about): array
    {
        $own = is_array($meta['meta'] ?? null) ? $meta['meta'] : [];

        return ['meta' => $about + $own] + $meta;
    }

    /** The run that the file's name means; null if it means none, or the file holds several. */
    private function named(InputFile $file, string $record): ?RunId
    {
        return $this->source === null && $record === ''
            ? RunId::fromFileName((string) preg_replace('/\.gz\z/', '', $file->name))
            : null;
    }

    /**
     * @param array<array-key, mixed> $meta
     */
    private function save(ImportedRun $run, array $meta, ?RunId $named): RunId
    {
        $source = $this->source ?? $named->source ?? self::SOURCE;
        // A run of the folder is never overwritten.
        $id = $named === null || $this->store->has($named) ? null : $named->id;

        return $run->samples === null
            ? $this->store->save($run->profile, $source, $id, $meta, $run->tree)
            : $this->store->saveSamples($run->samples, $source, $id, $meta);
    }
}
