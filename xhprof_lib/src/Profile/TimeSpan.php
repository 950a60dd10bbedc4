<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** How long a run was, of which the times are known. */
final class TimeSpan
{
    /**
     * @param int      $duration  ns
     * @param int|null $threshold ns; shorter calls are not in the timeline; null for samples
     */
    public function __construct(public readonly int $duration, public readonly ?int $threshold)
    {
    }
}
