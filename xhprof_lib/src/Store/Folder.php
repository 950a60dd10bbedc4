<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;
use XHProf\Profile\SavedColumns;

/**
 * The files of one folder. PHP's warnings become exceptions that name the file; nothing outside the folder is ever opened,
 * not through a symbolic link either.
 *
 * @internal
 */
final class Folder
{
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
        $file = "$this->path/$name";
        // PHP remembers the last file it looked at, which another process may have replaced since.
        clearstatcache();
        [$stat] = self::attempt(fn () => lstat($file));
        if ($stat !== false && ($stat['mode'] & 0170000) === 0120000) {
            $target = realpath($file);
            $home = realpath($this->path);
            // Files whose names begin with a dot are the folder's own: the index.
            [$stat] = $target !== false && $home !== false && dirname($target) === $home && !str_starts_with(basename($target), '.')
                ? self::attempt(fn () => stat($file))
                : [false];
        }
        if ($stat === false || ($stat['mode'] & 0170000) !== 0100000) {
            return null;
        }

        return ['size' => $stat['size'], 'mtime' => $stat['mtime'], 'ino' => $stat['ino']];
    }

    /**
     * @return int|null when a name was last added or removed, seconds since 1970; null when the folder cannot be looked at
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
     * @param string $name of a file that stat() knows: only then is it sure to be a file of this folder
     *
     * @throws StoreError
     */
    public function read(string $name): string
    {
        if (($this->stat($name)['size'] ?? 0) > SavedColumns::MOST_BYTES) {
            throw new StoreError("$this->path/$name is larger than a file of a run can be");
        }
        [$bytes, $why] = self::attempt(fn () => file_get_contents("$this->path/$name"));

        return $bytes === false ? throw new StoreError("$this->path/$name cannot be read: $why") : $bytes;
    }

    /**
     * @param string $name of a file that stat() knows
     *
     * @return string its first bytes; '' where it cannot be read
     */
    public function head(string $name, int $bytes): string
    {
        [$head] = self::attempt(fn () => file_get_contents("$this->path/$name", length: max(0, $bytes)));

        return (string) $head;
    }

    /**
     * The file appears whole or not at all.
     *
     * @throws StoreError
     */
    public function write(string $name, string $bytes): void
    {
        if (!is_dir($this->path)) {
            throw new StoreError("the run folder $this->path does not exist");
        }
        $temporary = "$this->path/.$name." . bin2hex(random_bytes(6)) . '.tmp';
        [$done, $why] = self::attempt(static function () use ($temporary, $bytes): bool {
            $stream = fopen($temporary, 'xb');
            if ($stream === false) {
                return false;
            }
            $written = fwrite($stream, $bytes);

            return fclose($stream) && $written === strlen($bytes);
        });
        if ($done) {
            [$done, $why] = self::attempt(fn () => rename($temporary, "$this->path/$name"));
        }
        if (!$done) {
            self::attempt(fn () => unlink($temporary));
            throw new StoreError("$this->path/$name cannot be written: " . ($why ?: 'the disk may be full'));
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
     * @return array{0: T, 1: string} its result; why it failed
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
