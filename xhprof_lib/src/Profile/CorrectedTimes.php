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
        $columns = TreeTimes::ofEdges($profile, $tree, $metrics);
        unset($tree);

        return $profile->withNanoseconds($columns ?? throw new InvalidProfile('the call tree is not the one of this run'));
    }
}
