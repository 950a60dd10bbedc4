<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/**
 * Callgrind's format, as valgrind, Xdebug, memprof and Export\Callgrind write it: exclusive costs of functions, and costs of each
 * call of another. Jumps do not count. Files of Xdebug and memprof have call paths, see FinishedCalls, and those of Xdebug the
 * places of functions; others do not. A file to which several profiles were appended is a run of each.
 *
 * @link https://valgrind.org/docs/manual/cl-format.html
 */
final class CallgrindReader implements Reader
{
    public const NAME = 'callgrind';
    public const LABEL = 'Callgrind, Xdebug cachegrind';

    private const LONGEST_LINE = 1 << 20;

    /** Xdebug's line before each profile that it appends. */
    private const NEXT = '==== NEW PROFILING FILE ';

    public function recognizes(string $head): bool
    {
        return preg_match('/^(?:# callgrind format|events: |creator: |positions: |fn=|' . self::NEXT . ')/m', $head) === 1;
    }

    public function read(InputFile $file): iterable
    {
        $long = new SkippedLines();
        $parts = 0;
        $part = new CallgrindPart();
        foreach ($file->lines(self::LONGEST_LINE, $long) as $number => $line) {
            if (!str_starts_with($line, self::NEXT)) {
                $part->line($number, $line, $file->endsInLine());
                continue;
            }
            if (!$part->isEmpty()) {
                yield 'part ' . ++$parts => self::record($part, []);
            }
            $part = new CallgrindPart();
        }
        yield $parts === 0 ? '' : 'part ' . $parts + 1 => $parts === 0
            ? $part->run($long->notes())
            : self::record($part, $long->notes());
    }

    /** @param list<string> $notes */
    private static function record(CallgrindPart $part, array $notes): ImportedRun|InvalidProfile
    {
        try {
            return $part->run($notes);
        } catch (InvalidProfile $e) {
            return $e;
        }
    }
}
