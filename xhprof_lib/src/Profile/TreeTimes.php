<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Gives the edges of a run the times of its call tree, to the nanosecond: a run file has whole microseconds, as in every XHProf.
 * So all reports of a run have the figures of its call tree.
 */
final class TreeTimes
{
    /**
     * @return Profile the same run; as it is where the call tree is missing, or of another run
     */
    public static function join(Profile $profile, ?CallTree $tree): Profile
    {
        $columns = $tree === null ? null : self::columns($profile, $tree);

        return $columns === null ? $profile : self::with($profile, $columns);
    }

    /**
     * @return array<string, list<int>>|null per time metric that both have, nanoseconds per edge of the run; null if the call tree
     *     is of another run
     */
    public static function columns(Profile $profile, CallTree $tree): ?array
    {
        $metrics = array_filter(array_intersect($profile->metrics(), $tree->metrics()), Metrics::isTime(...));

        return self::ofEdges($profile, $tree, array_values($metrics));
    }

    /**
     * @param array<string, list<int>> $columns of columns()
     *
     * @return Profile as it is if they are too large for sums
     */
    public static function with(Profile $profile, array $columns): Profile
    {
        try {
            return $columns === [] ? $profile : $profile->withNanoseconds($columns);
        } catch (InvalidProfile) {
            return $profile;
        }
    }

    /**
     * The same functions must have called each other, in the same order. Calls are not compared: a run is never refused for a
     * figure that its call tree counts in another way.
     *
     * @param list<string> $metrics of the call tree
     * @param bool         $isExact whether times are nanoseconds; else whole microseconds, as in run files
     *
     * @return array<string, list<int>>|null figures per edge of the run; null if it is the call tree of another run
     */
    public static function ofEdges(Profile $profile, CallTree $tree, array $metrics, bool $isExact = true): ?array
    {
        return self::inOrder($profile, EdgeFolder::fold($tree, self::showsTopLevelCode($profile), $metrics, $isExact), $metrics);
    }

    /**
     * As columns(), of a call tree that need not fit into memory.
     *
     * @return array<string, list<int>>|null
     *
     * @throws InvalidProfile
     */
    public static function streamed(Profile $profile, TreeStream $tree): ?array
    {
        $metrics = array_values(array_filter(array_intersect($profile->metrics(), $tree->metrics()), Metrics::isTime(...)));

        return self::inOrder($profile, $tree->fold(self::showsTopLevelCode($profile), $metrics), $metrics);
    }

    /**
     * @param array<string, array<string, int>> $folded  edges of EdgeFolder
     * @param list<string>                      $metrics
     *
     * @return array<string, list<int>>|null
     */
    private static function inOrder(Profile $profile, array $folded, array $metrics): ?array
    {
        $keys = $profile->keys();
        if (count($folded) !== count($keys)) {
            return null;
        }
        $columns = array_fill_keys($metrics, []);
        $inOrder = array_keys($folded);
        foreach ($keys as $position => $key) {
            // A name that is not UTF-8 is written differently in JSON; folding keeps the order in which edges are recorded.
            $same = isset($folded[$key]) || preg_match('//u', $key) === 1 ? $key : $inOrder[$position];
            $row = $folded[$same] ?? null;
            unset($folded[$same]);
            if ($row === null) {
                return null;
            }
            foreach ($metrics as $metric) {
                $columns[$metric][] = $row[$metric];
            }
        }

        return $columns;
    }

    private static function showsTopLevelCode(Profile $profile): bool
    {
        foreach ($profile->symbols() as $symbol) {
            if (str_starts_with($symbol, 'run_init::')) {
                return true;
            }
        }

        return false;
    }
}
