<?php

declare(strict_types=1);

namespace XHProf\Requests;

/** Names of sites, of the folders of their runs: what differs between these. */
final class SiteNames
{
    /**
     * @param list<string> $folders
     *
     * @return list<string> "a" and "b" of "/srv/a/runs" and "/srv/b/runs"
     */
    public static function of(array $folders): array
    {
        $parts = array_map(static fn (string $folder): array => explode('/', rtrim($folder, '/')), $folders);
        $first = $parts[0] ?? [];
        $before = self::common($parts, $first);
        $reversed = array_map(array_reverse(...), $parts);
        $after = self::common($reversed, array_reverse($first));
        $names = array_map(static function (array $all) use ($before, $after): string {
            $own = array_slice($all, $before, count($all) - $before - $after);

            return implode('/', $own === [] ? array_slice($all, -1) : $own);
        }, $parts);

        // One may be within another.
        return count(array_unique($names)) === count($names) ? $names : array_map(static fn (string $path): string
            => rtrim($path, '/'), $folders);
    }

    /**
     * @param list<list<string>> $paths
     * @param list<string> $first
     *
     * @return int number of parts that all begin with
     */
    private static function common(array $paths, array $first): int
    {
        for ($same = 0; $same < count($first); $same++) {
            foreach ($paths as $path) {
                if (($path[$same] ?? null) !== $first[$same]) {
                    return $same;
                }
            }
        }

        return $same;
    }
}
