<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;

/**
 * Finds the run folder that is meant if a program or command names none. The default is a folder of this user's own, below the
 * folder for temporary files. The extension has the same rules (export/run_directory.c).
 *
 * @internal
 */
final class DefaultFolder
{
    public const VARIABLE = 'XHPROF_OUTPUT_DIR';

    /** The order of named(), in words. A setting of PHP comes before a variable that the process has inherited. */
    public const ORDER = 'xhprof.output_dir of php.ini, else the environment variable XHPROF_OUTPUT_DIR, else xhprof-UID in the'
        . ' folder for temporary files';

    /**
     * @param string|null $option  what a program or command names, '' or null for nothing
     * @param string|null $setting xhprof.output_dir of the PHP that is meant; null for this one's
     *
     * @return string|null null: the default one
     */
    public static function named(?string $option = null, ?string $setting = null): ?string
    {
        $candidates = [$option, $setting ?? (string) ini_get('xhprof.output_dir'), (string) getenv(self::VARIABLE)];

        return array_values(array_filter($candidates, static fn (?string $one): bool => $one !== null && $one !== ''))[0] ?? null;
    }

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
}
