<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\Writer;
use XHProf\Export\Sink;
use XHProf\File\Folder;

/** Destination of an exported file: a named file, or standard output. */
final class ExportFile
{
    /** Standard output. */
    public const STDOUT = '-';

    /**
     * Removes a file that could not be finished.
     *
     * @param \Closure(Sink): void $write
     * @param bool $isPrivate only its owner may read it: it holds a program's memory
     *
     * @return int bytes
     *
     * @throws CliError if it cannot be written
     */
    public static function write(string $file, \Closure $write, bool $isPrivate = false): int
    {
        if ($file === self::STDOUT) {
            $out = new Sink((new Writer(STDOUT, 'standard output'))->write(...));
            $write($out);
            $out->end();

            return $out->bytes();
        }
        $mask = $isPrivate ? umask(0077) : umask();
        [$stream, $why] = Folder::attempt(static fn () => fopen($file, 'wb'));
        umask($mask);
        if ($stream === false) {
            throw new CliError("cannot write to $file: $why");
        }
        if ($isPrivate && is_file($file)) {
            Folder::attempt(static fn () => chmod($file, 0600));
        }
        $isDone = false;
        try {
            $out = Sink::toStream($stream, $file);
            $write($out);
            $out->end();
            $isDone = fclose($stream);
        } finally {
            if (!$isDone && is_file($file)) {
                Folder::attempt(static fn () => unlink($file));
            }
        }

        return $isDone ? $out->bytes() : throw new CliError("cannot write to $file: the disk may be full");
    }
}
