<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

/**
 * A call path's name in a URL (`root` of the flame graph), which holds for other runs of the same program too: depth and hash
 * of the names on it. The same as markOf() in assets/js/profile/tree.js.
 */
final class PathMark
{
    private const SEED = 0x811c9dc5;

    /** @param non-empty-list<string> $names from the outermost function to the one it leads to; UTF-8 */
    public static function of(array $names): string
    {
        $hash = self::SEED;
        foreach ($names as $name) {
            $mixed = self::multiplied($hash ^ self::hash($name), 0x85ebca6b);
            $hash = $mixed ^ ($mixed >> 13);
        }

        return (count($names) - 1) . '-' . dechex($hash);
    }

    private static function hash(string $name): int
    {
        $hash = self::SEED;
        foreach (self::units($name) as $unit) {
            $hash = self::multiplied($hash ^ $unit, 0x01000193);
        }

        return $hash;
    }

    /** @return array<int> UTF-16, which JavaScript counts in */
    private static function units(string $name): array
    {
        if (preg_match('/[\x80-\xFF]/', $name) !== 1) {
            return array_map(ord(...), str_split($name));
        }
        // By way of JSON: neither mbstring nor iconv need be there.
        preg_match_all('/\\\\u([0-9a-f]{4})|\\\\(.)|(.)/s', substr((string) json_encode($name), 1, -1), $pieces, PREG_SET_ORDER);
        $escapes = ['b' => 8, 'f' => 12, 'n' => 10, 'r' => 13, 't' => 9];

        return array_map(static fn (array $piece): int => match (true) {
            ($piece[1] ?? '') !== '' => (int) hexdec($piece[1]),
            ($piece[2] ?? '') !== '' => $escapes[$piece[2]] ?? ord($piece[2]),
            default => ord($piece[3] ?? "\0"),
        }, $pieces);
    }

    /** The lower 32 bits of a product, without leaving the integers. */
    private static function multiplied(int $a, int $b): int
    {
        return (($a & 0xffff) * $b + (((($a >> 16) & 0xffff) * $b & 0xffff) << 16)) & 0xffffffff;
    }
}
