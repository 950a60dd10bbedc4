<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

/** Writes files and folders, or says which one it cannot. */
final class Folder
{
    public static function make(string $folder): void
    {
        if (!is_dir($folder) && !@mkdir($folder, 0o755, true) && !is_dir($folder)) {
            throw new SiteException("$folder cannot be made");
        }
    }

    public static function put(string $file, string $text): void
    {
        self::make(dirname($file));
        if (@file_put_contents($file, $text) !== strlen($text)) {
            throw new SiteException("$file cannot be written");
        }
    }

    public static function copy(string $from, string $to): void
    {
        $text = @file_get_contents($from);
        if ($text === false) {
            throw new SiteException("$from cannot be read");
        }
        self::put($to, $text);
    }

    /** Removes a folder with all that is in it, where it is there. Links in it are removed, not followed. */
    public static function remove(string $folder): void
    {
        if (!is_dir($folder)) {
            return;
        }
        foreach (self::files($folder, \RecursiveIteratorIterator::CHILD_FIRST) as $path => $file) {
            $file->isDir() && !$file->isLink() ? rmdir($path) : unlink($path);
        }
        rmdir($folder);
    }

    /** @return int bytes of all files in it */
    public static function bytes(string $folder): int
    {
        $bytes = 0;
        foreach (self::files($folder, \RecursiveIteratorIterator::LEAVES_ONLY) as $file) {
            $bytes += $file->getSize();
        }

        return $bytes;
    }

    /**
     * @param \RecursiveIteratorIterator::LEAVES_ONLY|\RecursiveIteratorIterator::CHILD_FIRST $order
     *
     * @return \RecursiveIteratorIterator<\RecursiveDirectoryIterator>
     */
    private static function files(string $folder, int $order): \RecursiveIteratorIterator
    {
        return new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($folder, \FilesystemIterator::SKIP_DOTS), $order);
    }
}
