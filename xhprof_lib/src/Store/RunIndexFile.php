<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\File\Folder;

/**
 * Location of a run folder's index: the folder itself if it is this user's and nobody else may write into it, else this
 * user's cache. A file created by another user is not opened.
 *
 * @internal
 */
final class RunIndexFile
{
    public const NAME = '.xhprof-index.sqlite';

    /**
     * @return string|null path of a file of this user's, perhaps still empty; null if none can be had
     */
    public static function locate(Folder $folder): ?string
    {
        if (UserCache::user() === null) {
            return null;
        }
        clearstatcache(true); // PHP keeps real paths: the folder that is judged is the one that is used
        $home = realpath($folder->path);
        $own = $home . '/' . self::NAME;
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

    /** Creates the file if it is missing, for this user alone. */
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
