<?php

declare(strict_types=1);

namespace XHProf\Store;

/**
 * Where the index of a run folder is kept: in the folder where that is this user's and nobody else may write into it, else in this
 * user's cache. A file that somebody else made is not opened.
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
        if (UserCache::user() === null) {
            return null;
        }
        $own = $folder->path . '/' . self::NAME;
        $home = realpath($folder->path);
        if ($home !== false && UserCache::isOwnFolder($home) && $folder->isWritable() && self::claim($own)) {
            return $own;
        }
        foreach (UserCache::folders() as $cache) {
            $file = $cache . '/' . hash('sha256', (string) $home) . '.sqlite';
            if (self::claim($file)) {
                return $file;
            }
        }

        return null;
    }

    /** Makes the file if there is none, for this user alone. */
    private static function claim(string $file): bool
    {
        [$stream] = Folder::attempt(static fn () => fopen($file, 'xb'));
        if ($stream !== false) {
            fclose($stream);
            Folder::attempt(static fn (): bool => chmod($file, 0600));
        }

        return UserCache::isOwn($file) && is_writable($file);
    }
}
