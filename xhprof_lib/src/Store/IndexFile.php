<?php

declare(strict_types=1);

namespace XHProf\Store;

/**
 * Where the index of a run folder is kept: in the folder, else, and where everybody may write into that, in this user's cache.
 * A file that somebody else made is not opened.
 *
 * @internal
 */
final class IndexFile
{
    public const NAME = '.xhprof-index.sqlite';

    /**
     * @return string|null path of a file of this user's, perhaps still empty; null where none can be had
     */
    public static function of(Folder $folder): ?string
    {
        $owner = self::user();
        if ($owner === null) {
            return null;
        }
        $own = $folder->path . '/' . self::NAME;
        [$mode] = Folder::attempt(static fn () => fileperms($folder->path));
        if ($folder->isWritable() && ((int) $mode & 0002) === 0 && self::claim($own, $owner)) {
            return $own;
        }
        $home = realpath($folder->path);
        foreach (self::caches($owner) as $cache) {
            [$made] = Folder::attempt(static fn (): bool => is_dir($cache) || mkdir($cache, 0700, true));
            $file = $cache . '/' . hash('sha256', (string) $home) . '.sqlite';
            if ($made && self::isOwn($cache, $owner, 0040000) && self::claim($file, $owner)) {
                return $file;
            }
        }

        return null;
    }

    /** Makes the file if there is none, for this user alone. */
    private static function claim(string $file, int $owner): bool
    {
        [$stream] = Folder::attempt(static fn () => fopen($file, 'xb'));
        if ($stream !== false) {
            fclose($stream);
            Folder::attempt(static fn (): bool => chmod($file, 0600));
        }

        return self::isOwn($file, $owner, 0100000) && is_writable($file);
    }

    private static function isOwn(string $path, int $owner, int $type): bool
    {
        clearstatcache();
        [$stat] = Folder::attempt(static fn () => lstat($path));

        return $stat !== false && ($stat['mode'] & 0170000) === $type && $stat['uid'] === $owner
            && ($stat['mode'] & ($type === 0040000 ? 0022 : 0002)) === 0;
    }

    /** @return list<string> */
    private static function caches(int $owner): array
    {
        $caches = [];
        foreach ([getenv('XDG_CACHE_HOME'), getenv('HOME') . '/.cache'] as $cache) {
            if (is_string($cache) && str_starts_with($cache, '/') && is_dir($cache)) {
                $caches[] = "$cache/xhprof";
            }
        }

        return [...$caches, sys_get_temp_dir() . "/xhprof-$owner"];
    }

    /** @return int|null the user this process acts as */
    private static function user(): ?int
    {
        if (function_exists('posix_geteuid')) {
            return posix_geteuid();
        }
        [$owner] = Folder::attempt(static fn () => fileowner('/proc/self'));

        return $owner === false ? null : $owner;
    }
}
