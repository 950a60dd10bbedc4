<?php

declare(strict_types=1);

namespace XHProf\Store;

/**
 * Folders where this user's files are kept that can be made again: nobody else can write there.
 *
 * @internal
 */
final class UserCache
{
    /** @return \Generator<int, string> folders that are there, the best first */
    public static function folders(): \Generator
    {
        $user = self::user();
        foreach ($user === null ? [] : self::candidates($user) as $folder) {
            [$made] = Folder::attempt(static fn (): bool => is_dir($folder) || mkdir($folder, 0700, true));
            if ($made && self::isOwn($folder, 0040000) && is_writable($folder)) {
                yield $folder;
            }
        }
    }

    /**
     * @param int $type of the file as in its mode: regular, unless told otherwise; a link is never one's own
     */
    public static function isOwn(string $path, int $type = 0100000): bool
    {
        clearstatcache();
        [$stat] = Folder::attempt(static fn () => lstat($path));

        return $stat !== false && ($stat['mode'] & 0170000) === $type && $stat['uid'] === self::user()
            && ($stat['mode'] & ($type === 0040000 ? 0022 : 0002)) === 0;
    }

    /** @return int|null the user this process acts as */
    public static function user(): ?int
    {
        if (function_exists('posix_geteuid')) {
            return posix_geteuid();
        }
        [$owner] = Folder::attempt(static fn () => fileowner('/proc/self'));

        return $owner === false ? null : $owner;
    }

    /** @return list<string> */
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
