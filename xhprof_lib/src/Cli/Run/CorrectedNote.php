<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use XHProf\Cli\Terminal\Screen;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;

/** The note on corrected times in a report that has them. */
final class CorrectedNote
{
    /** Message for a run without corrected times that was asked for them. */
    public const NONE = 'this run has no corrected times: another tool or an older version recorded it, it has no call tree, or the'
        . ' profiler could not measure its own cost';

    /**
     * Prints nothing if no corrected times are shown.
     *
     * @param list<string> $metrics of the report
     */
    public static function print(array $metrics, Screen $screen): void
    {
        if (self::json($metrics) !== []) {
            $screen->say('corr: corrected times, ' . CorrectedTimes::MEANING, 'comment');
        }
    }

    /**
     * @param list<string> $metrics of the report
     * @return array{corrected?: string} nothing where no corrected times are shown
     */
    public static function json(array $metrics): array
    {
        return array_filter($metrics, Metrics::isCorrected(...)) === [] ? [] : ['corrected' => CorrectedTimes::MEANING];
    }
}
