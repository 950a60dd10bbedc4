<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;

/**
 * The default run folder, if no setting names one: a folder of this user's own below that for temporary files. The same as
 * the extension's (export/run_directory.c).
 *
 * @internal
 */
final class DefaultFolder
{
    /** @param int|null $user null for the one this process acts as */
    public static function path(?int $user = null): string
    {
        return rtrim(sys_get_temp_dir(), '/') . '/xhprof-' . ($user ?? UserCache::user() ?? getmyuid());
    }

    /**
     * Creates the folder if it is missing and that is possible.
     *
     * @throws StoreError if its name is another user's folder or a link, or if others may write there
     */
    public static function open(): string
    {
        $path = self::path();
        Folder::attempt(static fn (): bool => is_dir($path) || mkdir($path, 0700));
        clearstatcache();
        [$stat] = Folder::attempt(static fn () => lstat($path));
        if ($stat !== false && !UserCache::isOwnFolder($path)) {
            throw new StoreError("$path is not this user's own folder, or others may write there: set xhprof.output_dir");
        }

        return $path;
    }

    /**
     * Finds a run that was saved into the folder for temporary files itself, as PECL's package does.
     *
     * @return RunStore|null null unless the run is there, in a file of this user's own
     */
    public static function legacyStore(RunId $id): ?RunStore
    {
        $folder = rtrim(sys_get_temp_dir(), '/');

        return UserCache::isOwn("$folder/" . $id->fileName()) ? new RunStore($folder) : null;
    }
}
