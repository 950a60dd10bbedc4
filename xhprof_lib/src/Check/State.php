<?php

declare(strict_types=1);

namespace XHProf\Check;

/** What came of a limit. */
enum State: string
{
    case Passed = 'passed';
    case Over = 'over';
    /** A finding that may not be there. */
    case Found = 'found';
    /** The runs do not have what the limit is of. */
    case Unknown = 'unknown';
    /** An optional budget without runs, or a part of the baseline that nothing was recorded of. */
    case Skipped = 'skipped';

    public function isFailure(): bool
    {
        return in_array($this, [self::Over, self::Found, self::Unknown], true);
    }
}
