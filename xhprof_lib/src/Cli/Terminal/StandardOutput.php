<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use Symfony\Component\Console\Output\ConsoleOutput;

/** stdout, whose failed writes are errors. Messages on stderr are not checked: there is no other place to report it. */
final class StandardOutput extends ConsoleOutput
{
    private ?Writer $writer = null;

    protected function doWrite(string $message, bool $newline): void
    {
        $this->writer ??= new Writer($this->getStream(), 'standard output');
        $this->writer->write($newline ? $message . "\n" : $message);
    }
}
