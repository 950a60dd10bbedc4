<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * Metrics of memprof's dumps: what lives of what a path has allocated.
 *
 * @internal
 */
final class MemprofMetrics
{
    public const BYTES = 'mu';
    public const BLOCKS = 'BlocksCount';
}
