<?php

declare(strict_types=1);

namespace XHProf\Stats;

/** What becomes of memory that outlives its requests. */
enum GrowthKind: string
{
    /** More and more of it stays, until the end. */
    case Grows = 'grows';

    /** It still grows, but less than half as fast as before: a large cache that fills, or a leak. */
    case Slows = 'slows';

    /** It grew, and has stopped: a cache that is full, or a table that is loaded once. */
    case Filled = 'filled';

    /** Nearly all of it came in one stretch of the time. */
    case Once = 'once';

    /** As much is let go as is kept: a cache with a bound, or work for later. */
    case LetGo = 'let go';

    /** Too few samples to say. */
    case Few = 'few samples';

    /** Too few windows to say. */
    case Short = 'few windows';

    public function isKnown(): bool
    {
        return $this !== self::Few && $this !== self::Short;
    }
}
