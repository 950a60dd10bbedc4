<?php

declare(strict_types=1);

namespace XHProf\Import\Web;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\Format\Units;
use XHProf\Import\FoldedReader;
use XHProf\Import\ImportDeadline;
use XHProf\Import\ImportResult;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Run\PhpMemory;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\StorePage;

/**
 * index.php?view=import: imports another tool's file as runs. GET is the form; it is sent by POST: see Csrf.
 *
 * Fields: file, format, unit (of folded stacks), source.
 */
final class ImportPage extends StorePage
{
    /** Records listed one by one. */
    private const LISTED = 200;

    /** Longest file name kept with the run, in bytes. */
    private const LONGEST_NAME = 200;

    /** Bytes of text, and seconds: a server may have one process for all. */
    private const MOST_TEXT = 200 << 20;
    private const MOST_SECONDS = 20;

    /** Memory limit for untrusted files, if PHP has no memory_limit. */
    private const MEMORY_LIMIT = '4G';

    public function respond(Request $request): Response
    {
        return $request->method === 'POST' ? $this->import($request) : $this->page($request->text('source'), null, [], 200);
    }

    /**
     * Imports the file that was sent.
     *
     * @throws HttpError 403
     */
    private function import(Request $request): Response
    {
        if (!$this->runs->store->isWritable()) {
            throw new HttpError(403, 'The web server may only read the run folder: nothing can be imported here.');
        }
        if (PhpMemory::limit() === PHP_INT_MAX) {
            ini_set('memory_limit', self::MEMORY_LIMIT);
        }
        $source = $request->posted('source');
        $outcomes = [];
        try {
            $file = self::file($request);
            $importer = new Importer($this->runs->store, $source === '' ? Importer::SOURCE : $source);
            $unit = $request->posted('unit');
            $format = $request->posted('format');
            $reader = Readers::for(
                $file,
                $format === '' ? Readers::AUTO : $format,
                in_array($unit, FoldedReader::units(), true) ? $unit : 'samples',
            );
            foreach ($importer->import($file, $reader) as $outcome) {
                $outcomes[] = $outcome;
            }
        } catch (InvalidRunId) {
            return $this->page($source, 'The source must be 1 to 64 of A-Z a-z 0-9 _ -.', $outcomes, 400);
        } catch (InvalidProfile $e) {
            return $this->page($source, 'This file cannot be imported: ' . $e->getMessage() . '.', $outcomes, 400);
        } catch (StoreError $e) {
            return $this->page($source, 'This could not be done: ' . $this->runs->publicText($e) . '.', $outcomes, 500);
        }
        $only = count($outcomes) === 1 ? $outcomes[0]->id : null;
        if ($only !== null && $outcomes[0]->notes === []) {
            return Response::seeOther(Url::index(Url::runParameters($only)));
        }

        return $this->page($source, $outcomes === [] ? 'This file has no runs.' : null, $outcomes, 200);
    }

    /**
     * @throws InvalidProfile with a reason that completes "This file cannot be imported: "
     */
    private static function file(Request $request): InputFile
    {
        $upload = $request->upload('file');
        $why = match ($upload['error'] ?? UPLOAD_ERR_NO_FILE) {
            UPLOAD_ERR_OK => null,
            UPLOAD_ERR_NO_FILE => 'no file was picked',
            UPLOAD_ERR_INI_SIZE, UPLOAD_ERR_FORM_SIZE => 'it is larger than the server takes, ' . self::most(),
            UPLOAD_ERR_PARTIAL => 'the upload was cut off',
            default => 'the server could not keep it',
        };
        if ($why !== null || !$request->isUploaded($upload['tmp_name'])) {
            throw new InvalidProfile($why ?? 'no file was sent');
        }

        $name = substr($upload['name'], 0, self::LONGEST_NAME);

        return new InputFile($upload['tmp_name'], $name, self::MOST_TEXT, new ImportDeadline(self::MOST_SECONDS));
    }

    /** Largest form that PHP accepts. */
    private static function most(): string
    {
        $limits = [InputFile::MAX_BYTES];
        foreach (['upload_max_filesize', 'post_max_size'] as $setting) {
            $bytes = ini_parse_quantity((string) ini_get($setting));
            $limits[] = $bytes > 0 ? $bytes : InputFile::MAX_BYTES;
        }

        return Units::bytes(min($limits));
    }

    /**
     * @param list<ImportResult> $outcomes
     */
    private function page(string $source, ?string $mistake, array $outcomes, int $status): Response
    {
        $saved = array_values(array_filter($outcomes, static fn (ImportResult $outcome): bool => $outcome->id !== null));
        $failed = array_values(array_filter($outcomes, static fn (ImportResult $outcome): bool => $outcome->id === null));
        $formats = [];
        foreach (Readers::all() as $name => $reader) {
            $formats[] = ['name' => $name, 'label' => $reader::LABEL];
        }

        return $this->view->page('import.html.twig', [
            'formats' => $formats,
            'units' => FoldedReader::units(),
            'source' => $source,
            'default_source' => Importer::SOURCE,
            'most' => self::most(),
            'is_writable' => $this->runs->store->isWritable(),
            'mistake' => $mistake,
            'saved' => array_map(static fn (ImportResult $outcome): array => [
                'record' => $outcome->record,
                'id' => $outcome->id?->id,
                'notes' => $outcome->notes,
                'url' => $outcome->id === null ? '' : Url::index(Url::runParameters($outcome->id)),
            ], array_slice($saved, 0, self::LISTED)),
            'failed' => array_slice($failed, 0, self::LISTED),
            'saved_count' => count($saved),
            'failed_count' => count($failed),
        ], $status);
    }
}
