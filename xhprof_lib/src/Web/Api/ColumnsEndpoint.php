<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Run\RunFile;
use XHProf\Run\RunFileWriter;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * get=columns: what the pages draw, as a run file (XHProf\Run\RunFile) of the `documents` that are named, "timeline,operations";
 * see Documents. Those that the run has not are left out. Columns that its file has are passed on as they are.
 */
final class ColumnsEndpoint extends Endpoint
{
    /** @throws HttpError 400; 404 if the run has none of them */
    public function respond(Request $request): Response
    {
        $documents = new Documents($this->runs, $request);
        $names = array_unique(explode(',', $request->text('documents')));
        $found = array_filter(array_map($documents->named(...), array_combine($names, $names)));
        if ($found === []) {
            return $documents->missing($names[0]);
        }
        $files = array_filter(array_map(static fn (Document $document): ?RunFile => $document->file, $found));

        return count($files) === count($found) ? self::stored($files[array_key_first($files)], $found) : self::made($found);
    }

    /**
     * @param array<string, Document> $documents
     * @throws HttpError 413
     */
    public static function made(array $documents): Response
    {
        $arrays = array_map(static fn (Document $document): array => $document->toArray(), $documents);
        try {
            return Response::bytes(RunFileWriter::bytes($arrays));
        } catch (InvalidProfile $e) {
            throw new HttpError(413, "This run is too large: {$e->getMessage()}.", $e);
        }
    }

    /** @param array<string, Document> $documents of this file */
    private static function stored(RunFile $file, array $documents): Response
    {
        $names = array_keys($documents);
        $pieces = $file->part($names, array_map(static fn (Document $document): array => $document->members, $documents));
        $bytes = strlen($pieces->current()) + array_sum(array_map($file->bytesOf(...), $names));

        return Response::byteStream(static function (\Closure $send) use ($pieces): void {
            try {
                for (; $pieces->valid(); $pieces->next()) {
                    $send($pieces->current());
                }
            } catch (DamagedRun) {
                // The answer has begun: its reader misses the rest.
            }
        }, $bytes);
    }
}
