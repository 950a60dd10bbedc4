<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\Metrics;
use XHProf\Store\RunMeta;

/**
 * SPX's full reports: KEY.txt.gz has the calls in the order of time and then the names of the functions, KEY.json beside it says
 * what was counted, and of which request. Either of the two is named for an import.
 */
final class Spx implements Reader
{
    private const LONGEST_LINE = 1 << 20;
    private const MAX_FUNCTIONS = 1000000;

    private const EVENTS = '[events]';
    private const FUNCTIONS = '[functions]';

    private const CALLS = '.txt.gz';
    private const META = '.json';

    /** Metric and factor of SPX's counters that XHProf has too; time is in microseconds. */
    private const METRICS = ['wt' => ['wt', 1000], 'ct' => ['cpu', 1000], 'zm' => ['mu', 1]];

    /** Wall time without CPU time, which are both there. */
    private const DERIVED = 'it';

    /** What is counted where the description is missing, by the number of counters: wall time is the first. */
    private const USUAL = [1 => ['wt'], 2 => ['wt', 'zm']];

    public function name(): string
    {
        return 'spx';
    }

    public function label(): string
    {
        return 'SPX full report';
    }

    public function recognizes(string $head): bool
    {
        return str_starts_with($head, self::EVENTS) || self::isMeta($head);
    }

    public function read(InputFile $file): iterable
    {
        $isMeta = self::isMeta($file->head());
        $calls = $isMeta ? $file->beside(self::META, self::CALLS) : $file;
        $description = $isMeta ? $file : $file->beside(self::CALLS, self::META);
        if ($calls === null) {
            throw new InvalidProfile('this describes an SPX report, whose calls are in the file of the same name that ends in '
                . self::CALLS . ': import that one, beside this one');
        }
        $meta = $description === null ? null : $description->json(8);
        $notes = $meta === null ? ['the request and other counters: the .json file of the report is not beside it'] : [];
        $counted = is_array($meta['enabled_metrics'] ?? null)
            ? array_values(array_filter($meta['enabled_metrics'], is_string(...)))
            : self::USUAL[self::counters($calls)] ?? self::USUAL[1];

        yield '' => self::run($calls, $counted, $meta === null ? [] : self::meta($meta), $notes);
    }

    /**
     * @param list<string>         $counted
     * @param array<string, mixed> $meta
     * @param list<string>         $notes
     *
     * @throws InvalidProfile
     */
    private static function run(InputFile $file, array $counted, array $meta, array $notes): ImportedRun
    {
        $names = self::names($file);
        $tree = new PathTree();
        $events = new CallEvents($tree, array_map(self::metric(...), $counted));
        $skipped = new SkippedLines();
        foreach ($file->lines(self::LONGEST_LINE, $skipped) as $number => $line) {
            if ($line === self::FUNCTIONS) {
                break;
            }
            if ($line !== self::EVENTS && $line !== '' && !self::event($events, $line, $names ?? [], count($counted))) {
                $skipped->add($number, $line);
            }
        }
        if ($names === null) {
            $notes[] = 'the file was cut short: it has no names of functions';
        }

        return ImportedRun::ofTree($tree->tree(), $meta, [...$notes, ...$file->notes(), ...$skipped->notes()]);
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
            $events->begin($names[(int) $words[0]] ?? "function $words[0]", $values);
        } else {
            $events->end($events->depth() - 1, $values);
        }

        return true;
    }

    /** Numbers of the first event, besides the function's and what has happened to it. */
    private static function counters(InputFile $file): int
    {
        return preg_match('/^[0-9]+ [01]((?: \S+)*)$/m', $file->head(), $match) === 1 ? substr_count($match[1], ' ') : 0;
    }

    /**
     * They stand at the end.
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

        return $known ?? (Metrics::isName($key) && $key !== self::DERIVED ? [$key, 1] : null);
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
            'ts' => RunMeta::time($meta['exec_ts'] ?? null),
            'host' => ($isCli ? null : $text('http_host')) ?? $text('host_name'),
            'pid' => $meta['process_pid'] ?? null,
            'command' => $isCli ? $text('cli_command_line') : null,
            'url' => $isCli ? null : $text('http_request_uri'),
            'method' => !$isCli && $method !== null && preg_match('/\A[A-Z]{1,10}\z/', $method) === 1 ? $method : null,
            'meta' => $custom === null ? [] : ['custom' => $custom],
        ], static fn (mixed $value): bool => $value !== null && $value !== []);
    }
}
