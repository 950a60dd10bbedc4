<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A temporary folder for all files of a server, removed with this object. */
final class Folder
{
    public readonly string $path;

    public function __construct()
    {
        // Short: paths of sockets have to fit into a hundred bytes.
        $this->path = sys_get_temp_dir() . '/xhs-' . bin2hex(random_bytes(5));
        foreach (['', '/runs', '/sessions', '/data', '/uploads'] as $folder) {
            mkdir($this->path . $folder, 0o700);
        }
    }

    public function __destruct()
    {
        self::remove($this->path);
    }

    public static function remove(string $path): void
    {
        if (is_dir($path) && !is_link($path)) {
            foreach (array_diff(scandir($path) ?: [], ['.', '..']) as $name) {
                self::remove("$path/$name");
            }
            @rmdir($path);
        } else {
            @unlink($path);
        }
    }
}
