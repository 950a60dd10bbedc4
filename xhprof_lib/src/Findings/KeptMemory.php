<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;
use XHProf\Memory\JobsReport;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryProfile;
use XHProf\Memory\MemoryReport;

/**
 * One call path that holds much of what is still allocated at the end, or of which each job of a worker leaves some; known of runs
 * that recorded their allocations.
 */
final class KeptMemory implements Rule
{
    public const NAME = 'kept-memory';
    public const FINDS = 'one call path that holds much of what is still allocated at the end, or of which each job of a '
        . 'worker leaves some';
    public const FROM = '1 MB and 30 % of the live memory; 16 KB from nine of ten intervals between marks, or of a job whose spans '
        . 'grow until the last ones';
    public const SEEN = 'runs recorded with `XHPROF_FLAGS_ALLOC`';
    public const VARIES = false;

    /** Least share of the live memory. */
    private const SHARE = 0.3;

    /** Bytes below which nothing is worth a word. */
    private const LEAST = 1 << 20;

    /** Least bytes that each job leaves, in which share of the intervals between marks, and the least number of intervals. */
    private const LEAST_LEFT = 1 << 14;
    private const ALWAYS = 0.9;
    private const INTERVALS = 3;

    /** Most paths that are looked at: a cache may hold more memory than a path that grows. */
    private const PATHS = 20;

    public function find(Evidence $run): array
    {
        $memory = $run->memory();
        if ($memory === null) {
            return [];
        }
        $left = $this->leftByJob($memory) ?? $this->left($memory);
        $held = $this->held(new MemoryReport($memory));
        $found = array_values(array_filter([$left, $held]));

        // Memory that grows says more than memory that is held.
        return $left?->path !== $held?->path ? $found : array_slice($found, 0, 1);
    }

    /** Finds the path that holds most of the memory at the end. */
    private function held(MemoryReport $report): ?Finding
    {
        foreach ($report->table('path')->sorted('live') as $node) {
            $bytes = $report->table('path')->value($node, 'live') ?? 0;
            if ($bytes < max(self::LEAST, self::SHARE * $report->liveBytes)) {
                return null;
            }
            // Rows without a path are no place.
            if ($node >= 0) {
                return $this->finding(
                    $report,
                    $node,
                    Units::bytes($bytes) . ' still held, ' . Units::percent($bytes, $report->liveBytes) . ' of the live memory',
                    'What this one path allocated was still alive at the end: the page Memory has its types and the whole path.',
                    $bytes / max(1, $report->liveBytes) * 0.5,
                );
            }
        }

        return null;
    }

    /** Finds the job that grows from one of its spans to the next, where marks have names, and the path that holds most of that. */
    private function leftByJob(MemoryProfile $memory): ?Finding
    {
        $range = MarkRange::choose($memory->marks);
        $job = (new JobsReport($memory, $range))->growing();

        return $job === null || $job['bytes'] < self::LEAST_LEFT ? null : $this->finding(
            $report = new MemoryReport($memory, $range),
            $job['node'],
            sprintf(
                '%s still held of %s spans of "%s", which add %s each',
                Units::bytes($job['bytes']),
                Units::count($job['spans']),
                $job['job'],
                Units::bytes(intdiv($job['growth'], $job['spans'])),
            ),
            "What each of these spans leaves is a leak: PHP's heap has grown with them until the last ones, and this one path"
                . ' allocated most of what they left. The page Memory has all jobs and the whole path.',
            0.3 + 0.2 * $job['bytes'] / max(1, $report->liveBytes),
        );
    }

    /** Finds a path that left memory between nearly all marks; the command `leaks` shows all such paths. */
    private function left(MemoryProfile $memory): ?Finding
    {
        $range = MarkRange::choose($memory->marks);
        if ($range->intervals() < self::INTERVALS) {
            return null;
        }
        $report = new MemoryReport($memory, $range);
        $table = $report->table('path');
        $nodes = array_filter($table->sorted('live'), static fn (int $node): bool => $node >= 0);
        $nodes = array_slice($nodes, 0, self::PATHS);
        $details = $report->details('path', $nodes);
        foreach ($nodes as $node) {
            $bytes = $table->value($node, 'live') ?? 0;
            $intervals = $details[$node]['intervals'];
            if ($bytes >= self::LEAST_LEFT && $intervals >= self::ALWAYS * $range->intervals()) {
                return $this->finding(
                    $report,
                    $node,
                    sprintf(
                        '%s still held, some from %s of %s intervals between marks',
                        Units::bytes($bytes),
                        Units::count($intervals),
                        Units::count($range->intervals()),
                    ),
                    'What each job leaves is a leak: it was allocated after the first mark and before the last, and is still alive.'
                        . ' The page Memory has its types and the whole path.',
                    0.3 + 0.2 * $bytes / max(1, $report->liveBytes),
                );
            }
        }

        return null;
    }

    private function finding(MemoryReport $report, int $node, string $figure, string $why, float $weight): Finding
    {
        $path = $report->path($node);

        return new Finding(
            self::NAME,
            $figure,
            $path->function(),
            $why,
            $weight,
            'memory',
            path: array_reverse(array_column($path->frames, 'name')),
            brief: strstr($figure, ' still held', true) . ' still held',
        );
    }
}
