<?php

declare(strict_types=1);

namespace XHProf\File;

use XHProf\Exception\StoreError;

/**
 * The files of one folder. PHP's warnings become exceptions that name the file; nothing outside the folder is ever read:
 * links are not followed, see OpenFile.
 *
 * @internal
 */
final class Folder
{
    /** Largest file that is read as a whole, bytes. */
    public const MAX_BYTES = 1 << 30;

    public function __construct(public readonly string $path)
    {
    }

    /**
     * @return list<string> names, in no order
     *
     * @throws StoreError
     */
    public function names(): array
    {
        if (!is_dir($this->path)) {
            throw new StoreError("the run folder $this->path does not exist");
        }
        [$names, $why] = self::attempt(fn () => scandir($this->path, SCANDIR_SORT_NONE));

        return $names === false ? throw new StoreError("the run folder $this->path cannot be read: $why") : $names;
    }

    public function has(string $name): bool
    {
        return $this->stat($name) !== null;
    }

    /**
     * @return bool whether there is anything of that name, also a folder or a link that leads nowhere
     */
    public function holds(string $name): bool
    {
        $file = "$this->path/$name";

        return is_link($file) || file_exists($file);
    }

    /**
     * @return array{size: int, mtime: int, ino: int}|null null unless it is a regular file of this folder
     */
    public function stat(string $name): ?array
    {
        return OpenFile::stat("$this->path/$name");
    }

    /**
     * @return int|null when a name was last added or removed, seconds since 1970; null if the folder cannot be looked at
     */
    public function changed(): ?int
    {
        clearstatcache();
        [$time] = self::attempt(fn () => filemtime($this->path));

        return $time === false ? null : $time;
    }

    public function isWritable(): bool
    {
        clearstatcache();

        return is_dir($this->path) && is_writable($this->path);
    }

    /**
     * @return OpenFile|null null unless it is a regular file of this folder
     *
     * @throws StoreError if it cannot be opened
     */
    public function open(string $name): ?OpenFile
    {
        return OpenFile::only("$this->path/$name");
    }

    /**
     * @throws StoreError
     */
    public function read(string $name): string
    {
        $file = $this->open($name) ?? throw new StoreError("$this->path/$name is not a regular file of the run folder");

        return $file->bytes(self::MAX_BYTES);
    }

    /**
     * @return string the first bytes of a file; '' if it cannot be read
     */
    public function head(string $name, int $bytes): string
    {
        try {
            return $this->open($name)?->part(0, $bytes) ?? '';
        } catch (StoreError) {
            return '';
        }
    }

    /**
     * The file appears whole or not at all.
     *
     * @param string|iterable<string> $bytes or the pieces of them
     *
     * @throws StoreError
     */
    public function write(string $name, string|iterable $bytes): void
    {
        if (!is_dir($this->path)) {
            throw new StoreError("the run folder $this->path does not exist");
        }
        self::replace("$this->path/$name", $bytes);
    }

    /**
     * Replaces a file of any folder.
     *
     * @param string|iterable<string> $bytes    what its pieces throw leaves the file as it is
     * @param bool                    $isPublic whether all users may read it, whatever the umask
     *
     * @throws StoreError
     */
    public static function replace(string $file, string|iterable $bytes, bool $isPublic = false): void
    {
        $temporary = dirname($file) . '/.' . basename($file) . '.' . bin2hex(random_bytes(6)) . '.tmp';
        try {
            [$done, $why] = self::attempt(static function () use ($temporary, $bytes, $isPublic): bool {
                $stream = self::create($temporary);
                if ($stream === false) {
                    return false;
                }
                foreach (is_string($bytes) ? [$bytes] : $bytes as $piece) {
                    if (fwrite($stream, $piece) !== strlen($piece)) {
                        return false;
                    }
                }

                return fclose($stream) && (!$isPublic || chmod($temporary, 0644));
            });
            if ($done) {
                [$done, $why] = self::attempt(static fn () => rename($temporary, $file));
            }
        } finally {
            if (!($done ?? false)) {
                self::attempt(static fn () => unlink($temporary));
            }
        }
        if (!$done) {
            throw new StoreError("$file cannot be written: " . ($why ?: 'the disk may be full'));
        }
    }

    /**
     * Creates a file for its owner and group only, less the umask.
     *
     * @return resource|false
     */
    private static function create(string $file)
    {
        if (PHP_ZTS) { // The umask is shared by all threads.
            $stream = fopen($file, 'xb');
            $mode = $stream === false ? 0 : (fstat($stream)['mode'] ?? 0) & 0640;

            return $stream !== false && chmod($file, $mode) ? $stream : false;
        }
        $mask = umask();
        umask($mask | 0027);
        try {
            return fopen($file, 'xb');
        } finally {
            umask($mask);
        }
    }

    /** @return bool whether it is gone */
    public function remove(string $name): bool
    {
        [$done] = self::attempt(fn () => unlink("$this->path/$name"));

        return $done || !$this->holds($name);
    }

    /**
     * Runs a file function; keeps its warning from the program's own error handlers.
     *
     * @template T
     *
     * @param \Closure(): T $call
     *
     * @return array{0: T, 1: string} its result; the reason if it failed
     */
    public static function attempt(\Closure $call): array
    {
        $why = '';
        set_error_handler(static function (int $level, string $message) use (&$why): bool {
            $colon = strrpos($message, ': ');
            $why = $colon === false ? $message : substr($message, $colon + 2);

            return true;
        });
        try {
            return [$call(), $why];
        } finally {
            restore_error_handler();
        }
    }
}
