<?php

declare(strict_types=1);

namespace XHProf\Export\Heap;

use XHProf\Export\Sink;
use XHProf\Heap\HeapIndex;

/**
 * One format that a heap snapshot can be written in. HeapFormats::all() is the list of them.
 */
interface HeapFormat
{
    /** As in --format=NAME. */
    public function name(): string;

    /** File extension, without the leading dot. */
    public function extension(): string;

    /** Tools that open it, one sentence without a dot. */
    public function opens(): string;

    /**
     * Writes the snapshot piece by piece.
     *
     * @param \Closure(string $what, int $done, int $of): void $progress called a few times a second
     */
    public function write(HeapIndex $index, Sink $out, \Closure $progress): void;
}
