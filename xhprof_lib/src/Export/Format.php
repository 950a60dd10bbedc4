<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\File\Sink;
use XHProf\Run\Run;

/**
 * One format that a run can be written in. Formats::all() is the list of them.
 */
interface Format
{
    /** @var string as in --format=NAME and format=NAME */
    public const NAME = '';

    /** @var string file extension, without the leading dot */
    public const EXTENSION = '';

    /** @var string */
    public const MIME_TYPE = '';

    /** @var string name of the format on the export page */
    public const LABEL = '';

    /** @var string tools that open it, one sentence without a dot */
    public const OPENS = '';

    /** @var bool whether it needs the call paths of the run, which not every run has */
    public const NEEDS_PATHS = false;

    /**
     * Writes the run piece by piece: the file may be larger than PHP's memory.
     *
     * @throws CannotExport before the first byte is written
     */
    public function write(Run $run, Sink $out, ?string $metric = null): void;
}
