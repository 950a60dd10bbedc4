<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\Run\RunId;
use XHProf\Secret\Redact;
use XHProf\Store\RunFolder;

/** Makes runs from other tools' files. A record that is no run does not stop the others. */
final class Importer
{
    public const SOURCE = 'imported';

    /** In the metadata of a run: what of the file is not in it. */
    public const NOTES = 'left out';

    /**
     * @param string|null $source of the new runs; null: a file that is named like a run, ID.SOURCE.xhprof, keeps both, others get
     *     SOURCE
     *
     * @throws InvalidRunId
     */
    public function __construct(private readonly RunFolder $store, private readonly ?string $source = null)
    {
        RunId::fromStrings('any', $source ?? self::SOURCE);
    }

    /**
     * @return iterable<ImportResult> as they come
     *
     * @throws InvalidProfile if the file is of no known format or nothing in it can be read
     * @throws StoreError     when it cannot be read, or a run not be written
     */
    public function import(InputFile $file, Reader $reader): iterable
    {
        $about = ['imported from' => $reader::LABEL, 'file' => $file->name];
        $noted = [];
        try {
            foreach ($reader->read($file) as $record => $run) {
                if ($run instanceof InvalidProfile) {
                    yield new ImportResult($record, null, $run->getMessage());
                    continue;
                }
                $noted = $file->notes();
                yield $this->outcome($run, $record, [...$noted, ...$run->notes], $about, $this->named($file, $record));
            }
        } catch (InvalidProfile $e) {
            // What is wrong with the file as a whole is the reason that helps.
            $notes = $file->notes();
            throw $notes === [] ? $e : new InvalidProfile(implode('; ', $notes) . " ({$e->getMessage()})", 0, $e);
        }
        foreach (array_diff($file->notes(), $noted) as $note) {
            yield new ImportResult('', null, $note);
        }
    }

    /**
     * @param list<string>          $notes
     * @param array<string, string> $about
     */
    private function outcome(ImportedRun $run, string $record, array $notes, array $about, ?RunId $named): ImportResult
    {
        $about += $notes === [] ? [] : [self::NOTES => implode('; ', $notes)];

        return new ImportResult($record, $this->save($run, self::mergeMeta($run->meta, $about), $named), null, $notes);
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
        $redact = Redact::here();
        foreach ($own as $key => $text) {
            $own[$key] = is_string($text) ? $redact->commandLine($text) : $text;
        }

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
            ? $this->store->save($run->profile, $source, $id, $meta, $run->tree, $run->log)
            : $this->store->saveSamples($run->samples, $source, $id);
    }
}
