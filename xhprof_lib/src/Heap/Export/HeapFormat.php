<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\File\Sink;
use XHProf\Heap\HeapIndex;

/**
 * One format that a heap snapshot can be written in. HeapFormats::all() is the list of them.
 */
interface HeapFormat
{
    /** @var string as in --format=NAME */
    public const NAME = '';

    /** @var string file extension, without the leading dot */
    public const EXTENSION = '';

    /** @var string tools that open it, one sentence without a dot */
    public const OPENS = '';

    /**
     * Writes the snapshot piece by piece.
     *
     * @param \Closure(string $what, int $done, int $total): void $progress called a few times a second
     */
    public function write(HeapIndex $index, Sink $out, \Closure $progress): void;
}
