<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\File\OpenFile;

/**
 * The folders in which this user caches files that can be rebuilt. No other user can write there.
 *
 * @internal
 */
final class UserCache
{
    /** @return \Generator<int, string> folders that exist, created if need be, the best first */
    public static function folders(): \Generator
    {
        $user = self::user();
        foreach ($user === null ? [] : self::candidates($user) as $folder) {
            [$made] = Folder::attempt(static fn (): bool => is_dir($folder) || mkdir($folder, 0700, true));
            if ($made && self::isOwnFolder($folder) && is_writable($folder)) {
                yield $folder;
            }
        }
    }

    /** Whether a path is a folder of this user, and no link, into which only this user may write. */
    public static function isOwnFolder(string $path): bool
    {
        clearstatcache();
        [$stat] = Folder::attempt(static fn () => lstat($path));

        return $stat !== false && ($stat['mode'] & 0170000) === 0040000 && $stat['uid'] === self::user()
            && ($stat['mode'] & 0022) === 0;
    }

    /** Whether a path is a file of this user that has no second name, is no link, and that not everybody may write. */
    public static function isOwn(string $path): bool
    {
        $stat = OpenFile::stat($path);

        return $stat !== null && $stat['uid'] === self::user() && ($stat['mode'] & 0002) === 0;
    }

    /**
     * Opens a file of this user.
     *
     * @param string $mode of fopen(), for a file that exists
     *
     * @return OpenFile|null null if it is not this user's own: see isOwn()
     */
    public static function open(string $path, string $mode = 'rb'): ?OpenFile
    {
        try {
            $file = OpenFile::only($path, $mode);
        } catch (StoreError) {
            return null;
        }
        $stat = $file === null ? false : fstat($file->stream);

        return $stat !== false && $stat['uid'] === self::user() && ($stat['mode'] & 0002) === 0 ? $file : null;
    }

    /** @return int|null number of the user that this process acts as; null if it is not known */
    public static function user(): ?int
    {
        if (function_exists('posix_geteuid')) {
            return posix_geteuid();
        }
        [$owner] = Folder::attempt(static fn () => fileowner('/proc/self'));

        return $owner === false ? null : $owner;
    }

    /** @return list<string> the folders that may be used, the best first; they need not exist */
    private static function candidates(int $user): array
    {
        $folders = [];
        foreach ([getenv('XDG_CACHE_HOME'), getenv('HOME') . '/.cache'] as $cache) {
            if (is_string($cache) && str_starts_with($cache, '/') && is_dir($cache)) {
                $folders[] = "$cache/xhprof";
            }
        }

        return [...$folders, sys_get_temp_dir() . "/xhprof-$user"];
    }
}
