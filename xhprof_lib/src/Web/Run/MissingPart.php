<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Memory\LiveReport;
use XHProf\Operations\WaitReport;
use XHProf\Run\Run;

/** Why a run does not have what a view shows, and how to record it; programs stand between backquotes: see parts.html.twig. */
final class MissingPart
{
    /** @param string $part of a run: one of Run's constants */
    public static function why(string $part, Run $run): string
    {
        $meta = $run->meta();
        $isWindow = $meta->isWindow();

        return match ($part) {
            Run::OPERATIONS => match (true) {
                $isWindow => 'A window adds up the samples of many requests, without their operations: a request with '
                    . '`XHPROF_TRIGGER` records its own.',
                $meta->recording->samples !== null => 'This run was sampled, without operations: `xhprof run` without `--sample` '
                    . 'records them.',
                default => ucfirst(WaitReport::NONE) . '.',
            },
            Run::MEMORY => $isWindow
                ? 'A window has no live memory: `xhprof.alloc_sample_bytes` samples the allocations of its requests, and what they '
                    . 'keep is on the page of requests.'
                : 'This run has no allocations: ' . LiveReport::HOW_TO_RECORD . '.',
            Run::TIMELINE, Run::SAMPLES => match (true) {
                $meta->recording->samples === 0 => 'This run ended before the first sample.',
                $isWindow => 'This run merges the samples of many requests and keeps no times.',
                default => 'This run does not record when calls were made: `xhprof run --timeline`, `XHPROF_FLAGS_TIMELINE` and '
                    . 'sampled runs do.',
            },
            default => 'This run was saved without its call tree: it has calls, but no call paths. `xhprof run` and '
                . '`xhprof_save()` keep them.',
        };
    }
}
