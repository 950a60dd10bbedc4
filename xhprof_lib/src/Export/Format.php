<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\Run\Run;

/**
 * One format that a run can be written in. Formats::all() is the list of them.
 */
interface Format
{
    /** As in --format=NAME and format=NAME. */
    public function name(): string;

    /** File extension, without the leading dot. */
    public function extension(): string;

    public function mimeType(): string;

    /** Name of the format on the export page. */
    public function label(): string;

    /** Tools that open it, one sentence without a dot. */
    public function opens(): string;

    /** Whether it needs the call paths of the run, which not every run has. */
    public function needsPaths(): bool;

    /**
     * Writes the run piece by piece: the file may be larger than PHP's memory.
     *
     * @throws CannotExport before the first byte is written
     */
    public function write(Run $run, Sink $out, ?string $metric = null): void;
}
