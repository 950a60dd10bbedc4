<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;

/**
 * The formats that can be imported.
 */
final class Readers
{
    public const AUTO = 'auto';

    /**
     * @param key-of<array{samples: 1, ns: 1, us: 1, ms: 1, bytes: 1}> $unit unit of the numbers of folded stacks
     *
     * @return non-empty-array<string, Reader> by name; folded stacks, which have no mark, are the last
     */
    public static function all(string $unit = 'samples'): array
    {
        return [
            ClassicReader::NAME => new ClassicReader(),
            JsonRunReader::NAME => new JsonRunReader(),
            SpeedscopeReader::NAME => new SpeedscopeReader(),
            SpxReader::NAME => new SpxReader(),
            MemprofArrayReader::NAME => new MemprofArrayReader(),
            MemprofPprofReader::NAME => new MemprofPprofReader(),
            XdebugTraceReader::NAME => new XdebugTraceReader(),
            BlackfireReader::NAME => new BlackfireReader(),
            PprofReader::NAME => new PprofReader(),
            XhguiReader::NAME => new XhguiReader(),
            CallgrindReader::NAME => new CallgrindReader(),
            FoldedReader::NAME => new FoldedReader($unit),
        ];
    }

    /**
     * @param string $name "auto": by the content
     * @param key-of<array{samples: 1, ns: 1, us: 1, ms: 1, bytes: 1}> $unit
     *
     * @throws InvalidProfile|StoreError
     */
    public static function for(InputFile $file, string $name = self::AUTO, string $unit = 'samples'): Reader
    {
        $all = self::all($unit);
        if ($name !== self::AUTO) {
            return $all[$name] ?? throw new InvalidProfile("there is no format \"$name\"; take " . implode(', ', array_keys($all)));
        }
        $head = $file->head();
        if (trim($head) === '') {
            throw new InvalidProfile('the file is empty');
        }
        foreach ($all as $reader) {
            // Folded stacks have no mark: any text with numbers may be some, if nothing else knows it.
            $kind = $reader instanceof FoldedReader ? UnsupportedFormats::recognize($head) : null;
            if ($kind !== null) {
                throw new InvalidProfile($kind->refusal());
            }
            if ($reader->recognizes($head)) {
                return $reader;
            }
        }
        throw new InvalidProfile('the content is not in a known format: ' . implode(', ', array_keys($all)));
    }
}
