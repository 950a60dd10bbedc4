<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/**
 * Traces of Xdebug in its computer-readable format (xdebug.trace_format=1): call paths with wall time and memory. Arguments,
 * return values and assignments are not read. A file to which several traces were appended is a run of each.
 *
 * @link https://xdebug.org/docs/trace
 */
final class XdebugTraceReader implements Reader
{
    public const NAME = 'xdebug-trace';
    public const LABEL = 'Xdebug trace';
    public const OTHERS = [
        [
            '/\A(?:\s*\R)?\Q' . self::START . '\E/',
            'a trace of Xdebug that is made for people',
            self::RECORD,
        ],
        ["/<table[^>]*class='xdebug-trace'/", 'a trace of Xdebug in HTML', self::RECORD],
    ];

    /** Values of arguments may be long. */
    private const LONGEST_LINE = 16 << 20;

    private const START = 'TRACE START [';

    private const RECORD = 'record it with xdebug.trace_format=1';

    private const FIELDS = 10;

    private const METRICS = [['wt', 1], ['mu', 1]];

    public function recognizes(string $head): bool
    {
        return preg_match('/^File format: [0-9]+\r?$/m', $head) === 1 && str_contains($head, self::START);
    }

    public function read(InputFile $file): iterable
    {
        $skipped = new SkippedLines();
        $parts = 0;
        $tree = $events = $start = null;
        $levels = [];
        $isOver = $isUsed = false;
        foreach ($file->lines(self::LONGEST_LINE, $skipped) as $number => $line) {
            if (str_starts_with($line, self::START)) {
                if ($tree !== null && $isUsed) {
                    yield 'part ' . ++$parts => self::run($tree, $start, $isOver, $skipped);
                    $skipped = new SkippedLines();
                }
                $tree = new PathTree();
                $events = new CallEvents($tree, self::METRICS);
                // Xdebug writes it for UTC (gmtime()), whatever the zones of the machine and of PHP are.
                $start = MongoValue::time(rtrim(substr($line, strlen(self::START)), ']'));
                $isOver = $isUsed = false;
                $levels = [];
            } elseif (str_starts_with($line, 'TRACE END ')) {
                $isOver = true;
            } elseif ($line !== '' && preg_match('/\A(?:Version|File format): /', $line) !== 1) {
                if ($events === null || !self::event($events, $levels, explode("\t", $line, self::FIELDS))) {
                    $skipped->add($number, $line);
                } else {
                    $isUsed = true;
                }
            }
        }
        if ($tree === null) {
            throw new InvalidProfile('the trace has no "TRACE START" line');
        }
        yield $parts === 0 ? '' : 'part ' . $parts + 1 => self::run($tree, $start, $isOver, $skipped);
    }

    /** @throws InvalidProfile */
    private static function run(PathTree $tree, ?float $start, bool $isOver, SkippedLines $skipped): ImportedRun
    {
        $notes = [...$skipped->notes(), ...$isOver ? [] : ['the trace was cut short: it has no "TRACE END" line']];

        return ImportedRun::ofTree($tree->tree(), $start === null ? [] : ['ts' => $start], $notes);
    }

    /**
     * @param list<int>    $levels of the calls that run: a trace that was begun within functions does not begin with the first one
     * @param list<string> $fields
     *
     * @throws InvalidProfile
     */
    private static function event(CallEvents $events, array &$levels, array $fields): bool
    {
        [$level, , $kind, $seconds, $memory] = $fields + ['', '', '', '', ''];
        if ($kind === 'R' || $kind === 'A') {
            return true;
        }
        if (preg_match('/\A([0-9]{1,9})\.([0-9]{1,9}) [0-9]{1,18}\z/', "$seconds $memory", $match) !== 1) {
            return false;
        }
        $counters = [(int) $match[1] * 1000000000 + (int) str_pad($match[2], 9, '0'), (int) $memory];
        if ($kind === '' && $level === '') {
            // The last line: the end of the trace.
            $events->end(0, $counters);
            $levels = [];

            return true;
        }
        if (!ctype_digit($level) || strlen($level) > 6 || (int) $level < 1) {
            return false;
        }
        if ($kind !== '1' && ($kind !== '0' || !isset($fields[5]))) {
            return false;
        }
        // An exception may have ended several calls.
        while ($levels !== [] && $levels[count($levels) - 1] >= (int) $level) {
            array_pop($levels);
        }
        $events->end(count($levels), $counters);
        if ($kind === '0') {
            $levels[] = (int) $level;
            $events->begin(XdebugNames::ofTrace($fields[5], $fields[7] ?? ''), $counters);
        }

        return true;
    }
}
