<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Run\ClassicFile;

/**
 * Run files of any XHProf: serialize() of the edges, or of samples. Reading them never makes objects.
 */
final class ClassicReader implements Reader
{
    public const NAME = 'xhprof';
    public const LABEL = 'XHProf run file';

    public function recognizes(string $head): bool
    {
        // A script may have printed a line break before it.
        $head = ltrim($head);
        if (preg_match('/\Aa:[0-9]{1,9}:\{(?:i:-?[0-9]+;|s:([0-9]{1,9}):")/', $head, $match) !== 1) {
            return false;
        }
        // Entries are lists of figures, or texts of samples, never numbers. The first one may stand behind a long name.
        $at = strlen($match[0]) + (isset($match[1]) ? (int) $match[1] + strlen('";') : 0);

        return !in_array($head[$at] ?? '', ['i', 'd', 'b', 'N'], true) && !XhguiReader::isSerialized($head);
    }

    public function read(InputFile $file): iterable
    {
        $bytes = ltrim($file->serialized());
        try {
            $samples = ClassicFile::decodeSamples($bytes);

            yield '' => new ImportedRun(ClassicFile::decode($bytes, $file->name), null, [], $samples);
        } catch (DamagedRun $e) {
            $why = $e->getPrevious() instanceof InvalidProfile ? $e->getPrevious()->getMessage() : $e->getMessage();
            throw new InvalidProfile($why, 0, $e);
        }
    }
}
