<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\SavedColumns;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeTimes;

/** The times of a saved call tree by edge, to the nanosecond, in the memory that there is. */
final class SavedTimes
{
    /** Bytes of a call tree from which it is read in pieces, and need not fit into memory. */
    private const STREAMED = 1 << 18;

    /** Memory that the times of an edge take meanwhile. */
    private const PER_EDGE = 700;

    /**
     * @param int                   $bytes of the call tree's file; 0: there is no such file
     * @param \Closure(): ?TreeHead $head  reads what is before its nodes
     * @param \Closure(): ?CallTree $tree  reads all of it
     *
     * @return array<string, list<int>> as TreeTimes::columns(); [] where the run's own times are to stay: it has no such tree, or
     *     there is no memory for its times
     *
     * @throws DamagedRun|InvalidProfile
     */
    public static function columns(Profile $profile, int $bytes, \Closure $head, \Closure $tree): array
    {
        if ($bytes < self::STREAMED) {
            $whole = $bytes === 0 ? null : $tree();

            return $whole === null ? [] : TreeTimes::columns($profile, $whole) ?? [];
        }
        $fits = $bytes <= SavedColumns::MAX_BYTES && count($profile->keys()) * self::PER_EDGE < PhpMemory::left();
        $nodes = $fits ? $head()?->nodes() : null;

        return $nodes === null ? [] : TreeTimes::streamed($profile, $nodes) ?? [];
    }
}
