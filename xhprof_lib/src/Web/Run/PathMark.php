<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

/**
 * A call path's name in the address of the flame graph (`root`): depth and hash of its names, as assets/js/core/path-mark.js
 * makes it.
 */
final class PathMark
{
    private const SEED = 0x811c9dc5;

    /**
     * @param list<string> $path names from the outermost function to the innermost
     * @return string|null null for main() alone
     */
    public static function encode(array $path): ?string
    {
        if (count($path) < 2) {
            return null;
        }
        $hash = self::SEED;
        $hashes = [];
        foreach ($path as $name) {
            $mixed = self::times($hash ^ $hashes[$name] ??= self::hash($name), 0x85ebca6b);
            $hash = $mixed ^ ($mixed >> 13);
        }

        return count($path) - 1 . '-' . dechex($hash);
    }

    private static function hash(string $text): int
    {
        $hash = self::SEED;
        // Scripts count code units of UTF-16.
        foreach ((array) unpack('n*', (string) mb_convert_encoding($text, 'UTF-16BE', 'UTF-8')) as $unit) {
            $hash = self::times($hash ^ $unit, 0x01000193);
        }

        return $hash;
    }

    /** The low 32 bits of a product of two of 32 bits: the whole would not fit into an integer. */
    private static function times(int $a, int $b): int
    {
        return (($a & 0xffff) * $b + (((($a >> 16) * $b) & 0xffff) << 16)) & 0xffffffff;
    }
}
