<?php

declare(strict_types=1);

namespace XHProf\Finding;

use XHProf\Format\Units;
use XHProf\Memory\MemoryReport;

/** One call path that holds much of what is still allocated at the end; known of runs that recorded their allocations. */
final class KeptMemory implements Rule
{
    /** Share of the live memory. */
    private const SHARE = 0.3;

    /** Bytes below which nothing is worth a word. */
    private const LEAST = 1 << 20;

    public function name(): string
    {
        return 'kept-memory';
    }

    public function find(Evidence $run): array
    {
        $memory = $run->memory();
        if ($memory === null) {
            return [];
        }
        $report = new MemoryReport($memory);
        foreach ($report->table('path')->sorted('live') as $node) {
            $bytes = $report->table('path')->value($node, 'live') ?? 0;
            if ($bytes < max(self::LEAST, self::SHARE * $report->liveBytes)) {
                return [];
            }
            // Rows without a path are no place.
            if ($node >= 0) {
                return [new Finding(
                    $this->name(),
                    Units::bytes($bytes) . ' still held, ' . Units::percent($bytes, $report->liveBytes) . ' of the live memory',
                    $report->path($node)->function(),
                    'What this one path allocated was still alive at the end: the page Memory has its types and the whole path.',
                    $bytes / max(1, $report->liveBytes) * 0.5,
                    'memory',
                    path: array_reverse(array_column($report->path($node)->frames, 'name')),
                )];
            }
        }

        return [];
    }
}
