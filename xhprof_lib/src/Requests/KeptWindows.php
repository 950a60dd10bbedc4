<?php

declare(strict_types=1);

namespace XHProf\Requests;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Memory\KeptPaths;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Run\Run;
use XHProf\Run\RunRecording;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;

/** Reads from the windows of a folder what their requests have kept. */
final class KeptWindows
{
    /** Most windows, the newest: days of minutes. */
    public const MOST = 2000;

    /**
     * @param int        $most    windows, the newest
     * @param float|null $seconds after which no further one is read; null for no such limit
     *
     * @throws StoreError if the folder cannot be read
     */
    public static function read(RunFolder $store, RunQuery $query, int $most = self::MOST, ?float $seconds = null): KeptPaths
    {
        $paths = new KeptPaths();
        $until = $seconds === null ? INF : microtime(true) + $seconds;
        $ids = $store->catalog()->ids($query->with([
            'start' => RunRecording::WINDOW, 'requests' => false, 'route' => '', 'sort' => 'time', 'descending' => true,
        ]));
        foreach (array_slice($ids, 0, $most) as $id) {
            if (microtime(true) >= $until) {
                break;
            }
            try {
                self::add($paths, $store->open($id));
            } catch (RunNotFound | DamagedRun | InvalidProfile) {
                continue; // it was removed meanwhile, or is no run
            }
        }

        return $paths;
    }

    private static function add(KeptPaths $paths, Run $run): void
    {
        $window = $run->meta()->window;
        if ($window === null || $window->sampled === 0) {
            return;
        }
        $from = (int) $window->from;
        $paths->addWindow($from, (int) $window->to, $window->sampled, $window->unfollowed);
        $any = false;
        foreach ($window->routes() as $route) {
            $allocations = $window->routeStats($route)?->allocations;
            $paths->addRequests($from, $route, $allocations->followed ?? 0);
            $any = $any || $allocations?->kept > 0 || $allocations?->released > 0;
        }
        $tree = $any ? $run->tree() : null;
        if ($tree !== null) {
            self::addTree($paths, $from, $tree);
        }
    }

    private static function addTree(KeptPaths $paths, int $from, CallTree $tree): void
    {
        $column = static fn (string $key): array => $tree->allocations[$key] ?? [];
        [$kept, $released] = [$column('kept_bytes'), $column('released_bytes')];
        [$keptBlocks, $releasedBlocks] = [$column('kept_blocks'), $column('released_blocks')];
        $path = [];
        foreach ($tree->fn as $node => $fn) {
            $path[$tree->depth[$node]] = $tree->names[$fn];
            if ($tree->depth[$node] > 0 && (($kept[$node] ?? 0) > 0 || ($released[$node] ?? 0) > 0)) {
                $paths->add($from, $path[1], array_slice($path, 2, $tree->depth[$node] - 1), [
                    'kept' => $kept[$node] ?? 0,
                    'released' => $released[$node] ?? 0,
                    'blocks' => ($keptBlocks[$node] ?? 0) + ($releasedBlocks[$node] ?? 0),
                ]);
            }
        }
    }
}
