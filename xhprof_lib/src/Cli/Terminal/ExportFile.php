<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use XHProf\Cli\CliError;
use XHProf\File\Folder;
use XHProf\File\Sink;

/** Destination of an exported file: a named file, or standard output. */
final class ExportFile
{
    /** Standard output. */
    public const STDOUT = '-';

    private static ?string $unfinished = null;

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
        self::$unfinished = $file;
        // No "finally" runs where the memory limit ends the command.
        register_shutdown_function(self::removeUnfinished(...));
        try {
            $out = Sink::toStream($stream, $file);
            $write($out);
            $out->end();
            if (!fclose($stream)) {
                throw new CliError("cannot write to $file: the disk may be full");
            }
            self::$unfinished = null;
        } finally {
            self::removeUnfinished();
        }

        return $out->bytes();
    }

    private static function removeUnfinished(): void
    {
        [$file, self::$unfinished] = [self::$unfinished, null];
        if ($file !== null && is_file($file)) {
            Folder::attempt(static fn () => unlink($file));
        }
    }
}
