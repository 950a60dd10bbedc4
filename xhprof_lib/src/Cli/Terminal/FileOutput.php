<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use Symfony\Component\Console\Output\StreamOutput;

/** A plain file opened for writing; failed writes are errors. */
final class FileOutput extends StreamOutput
{
    private readonly Writer $writer;

    /** @param resource $stream */
    public function __construct($stream, string $name)
    {
        parent::__construct($stream, decorated: false);
        $this->writer = new Writer($stream, $name);
    }

    protected function doWrite(string $message, bool $newline): void
    {
        $this->writer->write($newline ? $message . "\n" : $message);
    }
}
