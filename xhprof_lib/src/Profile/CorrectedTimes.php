<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Adds the corrected times of a run's call tree to its profile as metrics of their own: "corrected_wt" and
 * "corrected_cpu", inclusive, per edge. Every report that takes a Profile then has them, recursion included.
 */
final class CorrectedTimes
{
    /** Explanation shown by every report that has them. */
    public const MEANING = 'an estimate of the program as it would run unprofiled; may be off by a few ns per call';

    /**
     * @param CallTree|null $tree freed as early as possible: a caller should not keep a large one either
     *
     * @return Profile|null null if there is no call tree, or none of them in it
     *
     * @throws InvalidProfile if it is the call tree of another run
     */
    public static function join(Profile $profile, ?CallTree $tree): ?Profile
    {
        $metrics = $tree?->correctedMetrics() ?? [];
        if ($tree === null || $metrics === []) {
            return null;
        }
        $folded = (new EdgeFolder($tree, self::showsTopLevelCode($profile), $metrics))->fold();
        unset($tree);
        $edges = $profile->edges();
        $isSame = count($folded) === count($edges);
        $inOrder = array_keys($folded);
        $position = 0;
        foreach ($edges as $key => $row) {
            $same = $inOrder[$position++] ?? '';
            // A name that is not UTF-8 is written differently in JSON; folding keeps the order in which edges are recorded.
            $same = isset($folded[$key]) || preg_match('//u', $key) === 1 ? $key : $same;
            $corrected = $folded[$same] ?? null;
            unset($folded[$same]);
            if (!$isSame || $corrected === null || $corrected['ct'] !== $row['ct']) {
                throw new InvalidProfile('the call tree is not the one of this run');
            }
            $edges[$key] = array_replace($row, $corrected);
        }

        return Profile::fromEdges($edges)->sampled($profile->samples());
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
