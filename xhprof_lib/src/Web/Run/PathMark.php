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
     * @return string|null null for names that are not ASCII, whose code units only the scripts count, and for main() alone
     */
    public static function encode(array $path): ?string
    {
        if (count($path) < 2 || preg_match('/[^\x00-\x7f]/', implode('', $path)) === 1) {
            return null;
        }
        $hash = self::SEED;
        foreach ($path as $name) {
            $mixed = self::times($hash ^ self::hash($name), 0x85ebca6b);
            $hash = $mixed ^ ($mixed >> 13);
        }

        return count($path) - 1 . '-' . dechex($hash);
    }

    private static function hash(string $text): int
    {
        $hash = self::SEED;
        for ($i = 0, $length = strlen($text); $i < $length; $i++) {
            $hash = self::times($hash ^ ord($text[$i]), 0x01000193);
        }

        return $hash;
    }

    /** The low 32 bits of a product of two of 32 bits: the whole would not fit into an integer. */
    private static function times(int $a, int $b): int
    {
        return (($a & 0xffff) * $b + (((($a >> 16) * $b) & 0xffff) << 16)) & 0xffffffff;
    }
}
