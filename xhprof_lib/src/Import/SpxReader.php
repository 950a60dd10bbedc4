<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\Profile\Metrics;
use XHProf\Run\MetaValues;

/**
 * SPX's full reports: KEY.txt.gz has the calls in the order of time and then the names of the functions, KEY.json beside it says
 * what was counted, and of which request. Either of the two is named for an import, gzipped or not.
 */
final class SpxReader implements Reader
{
    public const NAME = 'spx';
    public const LABEL = 'SPX full report';
    public const OTHERS = [
        ['/\*\*\* SPX Report \*\*\*/', 'a flat profile of SPX', 'record it with SPX_REPORT=full'],
    ];

    private const LONGEST_LINE = 1 << 20;
    private const MAX_FUNCTIONS = 1000000;

    private const EVENTS = '[events]';
    private const FUNCTIONS = '[functions]';

    /** Endings of the file with the calls, unpacked in the second case. */
    private const CALLS = ['.txt.gz', '.txt'];
    private const META = '.json';

    /** Metric and factor of SPX's counters that XHProf has too; time is in microseconds. */
    private const METRICS = ['wt' => ['wt', 1000], 'ct' => ['cpu', 1000], 'zm' => ['mu', 1]];

    /** Wall time without CPU time, which are both there. */
    private const DERIVED = 'it';

    /** What is counted where the description is missing, by the number of counters: wall time is the first. */
    private const USUAL = [1 => ['wt'], 2 => ['wt', 'zm']];

    public function recognizes(string $head): bool
    {
        return str_starts_with(ltrim($head), self::EVENTS) || self::isMeta($head);
    }

    public function read(InputFile $file): iterable
    {
        if (!self::isMeta($file->head())) {
            yield '' => self::run($file, self::beside($file, self::CALLS, [self::META]));

            return;
        }
        $calls = self::beside($file, [self::META], self::CALLS);
        if ($calls === null) {
            throw new InvalidProfile('this describes an SPX report, whose calls are in the file of the same name that ends in '
                . implode(' or ', self::CALLS) . ': it is not beside this one');
        }
        $run = self::run($calls, $file);

        yield '' => $calls->notes() === [] ? $run : $run->withNotes($calls->notes());
    }

    /**
     * @param non-empty-list<string> $endings
     * @param non-empty-list<string> $others
     */
    private static function beside(InputFile $file, array $endings, array $others): ?InputFile
    {
        foreach ($endings as $ending) {
            foreach ($others as $other) {
                $found = $file->beside($ending, $other);
                if ($found !== null) {
                    return $found;
                }
            }
        }

        return null;
    }

    /** @throws InvalidProfile */
    private static function run(InputFile $calls, ?InputFile $description): ImportedRun
    {
        $notes = [];
        $meta = null;
        try {
            $meta = $description?->json(8);
            $notes = $meta === null ? ['the request and other counters: the .json file of the report is not beside it'] : [];
        } catch (InvalidProfile | StoreError $e) {
            $notes[] = "the request and other counters: the .json file of the report cannot be read: {$e->getMessage()}";
        }
        $count = self::counters($calls);
        $counted = is_array($meta['enabled_metrics'] ?? null)
            ? array_values(array_filter($meta['enabled_metrics'], is_string(...)))
            : [];
        if (count($counted) !== $count) {
            $notes = $meta === null ? $notes : ['other counters: the .json file names ' . count($counted) . " of $count"];
            $counted = self::USUAL[$count] ?? self::USUAL[1];
        }

        return self::figures($calls, $counted, $meta === null ? [] : self::meta($meta), $notes);
    }

    /**
     * @param list<string>         $counted
     * @param array<string, mixed> $meta
     * @param list<string>         $notes
     *
     * @throws InvalidProfile
     */
    private static function figures(InputFile $file, array $counted, array $meta, array $notes): ImportedRun
    {
        $names = self::names($file);
        $tree = new PathTree();
        $events = new CallEvents($tree, array_map(self::metric(...), $counted));
        $skipped = new SkippedLines();
        $isOver = false;
        foreach ($file->lines(self::LONGEST_LINE, $skipped) as $number => $line) {
            // Read on to the end: only there is it known whether the file has one.
            $isOver = $isOver || $line === self::FUNCTIONS;
            if (!$isOver && $line !== self::EVENTS && $line !== '' && !self::event($events, $line, $names ?? [], count($counted))) {
                $skipped->add($number, $line);
            }
        }
        if ($names === null) {
            $notes[] = 'the file was cut short: it has no names of functions';
        }

        return ImportedRun::ofTree($tree->tree(), $meta, [...$notes, ...$skipped->notes()]);
    }

    /**
     * @param array<int, string> $names
     *
     * @throws InvalidProfile
     */
    private static function event(CallEvents $events, string $line, array $names, int $counters): bool
    {
        $words = explode(' ', $line);
        if (count($words) < 3 || !ctype_digit($words[0]) || strlen($words[0]) > 9 || !in_array($words[1], ['0', '1'], true)) {
            return false;
        }
        $values = [];
        foreach (array_slice($words, 2, $counters) as $word) {
            if (!is_numeric($word) || abs((float) $word) > 1e15) {
                return false;
            }
            $values[] = (float) $word;
        }
        if ($words[1] === '1') {
            // Old versions write "->".
            $events->begin(XdebugNames::method($names[(int) $words[0]] ?? "function $words[0]"), $values);
        } else {
            $events->end($events->depth() - 1, $values);
        }

        return true;
    }

    /** Counts the counters of the first event: its numbers without those of the function and of the kind of event. */
    private static function counters(InputFile $file): int
    {
        return preg_match('/^[0-9]+ [01]((?: \S+)*)\r?$/m', $file->head(), $match) === 1 ? substr_count($match[1], ' ') : 0;
    }

    /**
     * Reads the names of the functions, which stand at the end of the file.
     *
     * @return list<string>|null null if the file was cut short
     *
     * @throws InvalidProfile
     */
    private static function names(InputFile $file): ?array
    {
        $names = null;
        foreach ($file->lines(self::LONGEST_LINE, new SkippedLines()) as $line) {
            if ($names !== null) {
                $names[] = $line;
                if (count($names) > self::MAX_FUNCTIONS) {
                    throw new InvalidProfile('the file has too many functions');
                }
            } elseif ($line === self::FUNCTIONS) {
                $names = [];
            }
        }

        return $names;
    }

    /** @return array{string, int}|null */
    private static function metric(string $key): ?array
    {
        $known = self::METRICS[$key] ?? null;

        return $known ?? (Metrics::isFigure($key) && $key !== self::DERIVED ? [$key, 1] : null);
    }

    private static function isMeta(string $head): bool
    {
        return preg_match('/\A\s*\{/', $head) === 1
            && str_contains($head, '"called_function_count"')
            && str_contains($head, '"recorded_call_count"');
    }

    /**
     * @param array<mixed> $meta
     *
     * @return array<string, mixed>
     */
    private static function meta(array $meta): array
    {
        $text = static fn (string $key): ?string => is_string($meta[$key] ?? null) && !in_array($meta[$key], ['', 'n/a'], true)
            ? $meta[$key]
            : null;
        $isCli = ($meta['cli'] ?? 0) === 1;
        $method = $text('http_method');
        $custom = $text('custom_metadata_str');

        return array_filter([
            'ts' => MetaValues::time($meta['exec_ts'] ?? null),
            'host' => ($isCli ? null : $text('http_host')) ?? $text('host_name'),
            'pid' => $meta['process_pid'] ?? null,
            'command' => $isCli ? $text('cli_command_line') : null,
            'url' => $isCli ? null : $text('http_request_uri'),
            'method' => !$isCli && $method !== null && preg_match('/\A[A-Z]{1,10}\z/', $method) === 1 ? $method : null,
            'meta' => $custom === null ? [] : ['custom' => $custom],
        ], static fn (mixed $value): bool => $value !== null && $value !== []);
    }
}
