<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\Store\RunId;
use XHProf\Store\RunStore;

/**
 * Makes runs of what other tools wrote. A record that is no run does not keep the others from becoming some.
 */
final class Importer
{
    public const SOURCE = 'imported';

    /**
     * @throws InvalidRunId
     */
    public function __construct(private readonly RunStore $store, private readonly string $source = self::SOURCE)
    {
        RunId::fromStrings('any', $source);
    }

    /**
     * @return iterable<Outcome> as they come
     *
     * @throws InvalidProfile when the file is of no known format or nothing in it can be read
     * @throws StoreError     when it cannot be read, or a run not be written
     */
    public function import(InputFile $file, Reader $reader): iterable
    {
        $about = ['imported from' => $reader->label(), 'file' => $file->name];
        foreach ($reader->read($file) as $record => $run) {
            yield $run instanceof Failure
                ? new Outcome($record, null, $run->message)
                : new Outcome($record, $this->save($run, self::about($run->meta, $about)), null);
        }
    }

    /**
     * @param array<array-key, mixed> $meta
     * @param array<string, string>   $about
     *
     * @return array<array-key, mixed>
     */
    private static function about(array $meta, array $about): array
    {
        $own = is_array($meta['meta'] ?? null) ? $meta['meta'] : [];

        return ['meta' => $about + $own] + $meta;
    }

    /**
     * @param array<array-key, mixed> $meta
     */
    private function save(ImportedRun $run, array $meta): RunId
    {
        return $run->samples === null
            ? $this->store->save($run->profile, $this->source, null, $meta, $run->tree)
            : $this->store->saveSamples($run->samples, $this->source, null, $meta);
    }
}
