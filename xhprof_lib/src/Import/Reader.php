<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;

/** Reads the files of one format. Their contents are untrusted. */
interface Reader
{
    /** @var string as in --format=NAME */
    public const NAME = '';

    /** @var string */
    public const LABEL = '';

    /** @var list<array{string, string, string}> files of the same writer that it cannot read, and that begin in a like way: see UnsupportedFormat */
    public const OTHERS = [];

    /**
     * @param string $head the first bytes of the file, uncompressed
     */
    public function recognizes(string $head): bool;

    /**
     * @return iterable<string, ImportedRun|InvalidProfile> by the record's name, like "line 3"; '' if there is just one. What is
     *     wrong with a record does not stop the others
     *
     * @throws InvalidProfile|StoreError if nothing of the file can be used
     */
    public function read(InputFile $file): iterable;
}
