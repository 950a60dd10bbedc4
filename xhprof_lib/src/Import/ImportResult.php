<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Run\RunId;

/** Result of one record of a file. */
final class ImportResult
{
    /**
     * @param string       $record "line 3", '' if the file is one run
     * @param RunId|null   $id     of the new run, null if the record is not a run
     * @param string|null  $error  why, as a sentence without a dot
     * @param list<string> $notes  what of the record is not in the run
     */
    public function __construct(
        public readonly string $record,
        public readonly ?RunId $id,
        public readonly ?string $error,
        public readonly array $notes = [],
    ) {
    }
}
