<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Store\RunId;

/** Result of one record of a file. */
final class Outcome
{
    /**
     * @param string      $record "line 3", '' where the file is one run
     * @param RunId|null  $id     of the new run, null where the record is not a run
     * @param string|null $error  why, as a sentence without a dot
     */
    public function __construct(public readonly string $record, public readonly ?RunId $id, public readonly ?string $error)
    {
    }
}
