<?php

declare(strict_types=1);

namespace XHProf\File;

use XHProf\Exception\StoreError;

/**
 * A file that is open for reading. Checks apply to the opened file, not to a name that may be replaced a moment later: a user
 * who may write into a folder cannot make this process read a file outside it.
 *
 * @internal
 */
final class OpenFile
{
    /** Attempts to open a name whose file is being replaced, as saving a run again does. */
    private const TRIES = 20;

    /**
     * @param resource $stream
     */
    private function __construct(
        public readonly string $path,
        public readonly mixed $stream,
        public readonly int $size,
        public readonly int $mtime,
        public readonly int $ino,
    ) {
    }

    /**
     * Opens a file that the user named: links are followed, because the user chose them.
     *
     * @throws StoreError
     */
    public static function named(string $path): self
    {
        if (is_dir($path) || !file_exists($path)) {
            throw new StoreError($path . (is_dir($path) ? ' is a folder' : ' does not exist'));
        }
        [$stream, $why] = Folder::attempt(static fn () => fopen($path, 'rb'));
        $stat = $stream === false ? false : fstat($stream);

        return $stream === false || $stat === false
            ? throw new StoreError("$path cannot be read: $why")
            : new self($path, $stream, $stat['size'], $stat['mtime'], $stat['ino']);
    }

    /**
     * Opens a regular file that is no link and has no second name.
     *
     * @param string $mode of fopen()
     *
     * @return self|null null if it is anything else
     *
     * @throws StoreError if it cannot be opened
     */
    public static function only(string $path, string $mode = 'rb'): ?self
    {
        $why = '';
        for ($try = 0; $try < self::TRIES; $try++) {
            if (self::stat($path) === null) {
                return null;
            }
            // "n": the process does not wait for a writer if a pipe replaces the file now.
            [$stream, $why] = Folder::attempt(static fn () => fopen($path, "{$mode}n"));
            if ($stream === false) {
                continue;
            }
            $open = fstat($stream);
            // After opening, and in one stat: the name stands for this very file, and no other name does.
            $named = self::stat($path);
            if ($open !== false && $named !== null && $open['ino'] === $named['ino'] && $open['dev'] === $named['dev']) {
                return new self($path, $stream, $open['size'], $open['mtime'], $open['ino']);
            }
            fclose($stream);
        }

        return $why === '' ? null : throw new StoreError("$path cannot be read: $why");
    }

    /**
     * @phpstan-impure
     *
     * @return array{size: int, mtime: int, ino: int, dev: int, uid: int, mode: int}|null null unless the name stands for a
     *     regular file that has no other name
     */
    public static function stat(string $path): ?array
    {
        $stat = false;
        for ($try = 0; $try < self::TRIES; $try++) {
            // PHP caches the last stat, and another process may have replaced the file since.
            clearstatcache();
            [$stat] = Folder::attempt(static fn () => lstat($path));
            if ($stat === false || $stat['nlink'] > 0) {
                break;
            }
            // The name was given to another file between the kernel's lookups of the name and of its target.
        }

        return $stat !== false && ($stat['mode'] & 0170000) === 0100000 && $stat['nlink'] === 1
            ? array_intersect_key($stat, ['size' => 0, 'mtime' => 0, 'ino' => 0, 'dev' => 0, 'uid' => 0, 'mode' => 0])
            : null;
    }

    /**
     * Where the open file is, as the kernel has it: a name may stand for another file by now, and PHP keeps the real path of a name
     * for two minutes.
     *
     * @return list<string> one path, or several where it is open under several; [] where the kernel does not show it
     */
    public function places(): array
    {
        $open = fstat($this->stream);
        [$numbers] = Folder::attempt(static fn () => scandir('/proc/self/fd', SCANDIR_SORT_NONE));
        if ($open === false || $numbers === false) {
            return [];
        }
        $places = [];
        foreach (preg_grep('/\A[0-9]+\z/', $numbers) ?: [] as $number) {
            clearstatcache();
            [$stat] = Folder::attempt(static fn () => stat("/proc/self/fd/$number"));
            if ($stat !== false && $stat['ino'] === $open['ino'] && $stat['dev'] === $open['dev']) {
                [$path] = Folder::attempt(static fn () => readlink("/proc/self/fd/$number"));
                $places[] = (string) $path;
            }
        }

        return $places;
    }

    /** @return string bytes from an offset on, as many as there are; '' if it cannot be read */
    public function part(int $offset, int $bytes): string
    {
        [$part] = Folder::attempt(fn () => stream_get_contents($this->stream, max(0, $bytes), $offset));

        return (string) $part;
    }

    /**
     * @return string the whole file, as long as it was when it was opened
     *
     * @throws StoreError if it is larger than that, or cannot be read
     */
    public function bytes(int $most): string
    {
        if ($this->size > $most) {
            throw new StoreError("$this->path is too large for a file of a run");
        }
        [$bytes, $why] = Folder::attempt(fn () => stream_get_contents($this->stream, $this->size, 0));

        return $bytes === false || $why !== '' ? throw new StoreError("$this->path cannot be read: $why") : $bytes;
    }
}
