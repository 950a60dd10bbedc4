<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/**
 * Callgrind's format, as valgrind, Xdebug and Export\Callgrind write it: exclusive costs of functions, and costs of each call of
 * another. Jumps do not count. Files of Xdebug have call paths, see FinishedCalls, and with these the places of functions; others
 * do not.
 *
 * @link https://valgrind.org/docs/manual/cl-format.html
 */
final class Callgrind implements Reader
{
    private const LONGEST_LINE = 1 << 20;
    private const MAX_EVENTS = 16;

    /** Keys that name a file: of a function, inlined code, or what is called. They share their numbers. */
    private const FILES = ['fl', 'fi', 'fe', 'cfi', 'cfl'];

    public function name(): string
    {
        return 'callgrind';
    }

    public function label(): string
    {
        return 'Callgrind, Xdebug cachegrind';
    }

    public function recognizes(string $head): bool
    {
        return preg_match('/^(?:# callgrind format|events: |creator: |positions: |fn=)/m', $head) === 1;
    }

    public function read(InputFile $file): iterable
    {
        $calls = null;
        $head = [];
        $names = [];
        $files = [];
        $code = '';
        $positions = 1;
        $function = null;
        $callee = null;
        foreach ($file->lines(self::LONGEST_LINE) as $number => $line) {
            $first = $line[0] ?? '#';
            if ($first === '#') {
                continue;
            }
            if (ctype_digit($first) || $first === '+' || $first === '-' || $first === '*') {
                $costs = self::costs($line, $positions, $number);
                if ($calls === null || $function === null) {
                    throw new InvalidProfile("line $number has costs of no function");
                }
                if ($callee === null) {
                    $calls->stands($function, $code, (int) $line);
                    $calls->spent($function, $costs);
                } else {
                    $calls->called($function, $callee['name'], $callee['calls'], $costs);
                }
                $callee = null;
                continue;
            }
            $equals = strpos($line, '=');
            if ($equals !== false && ctype_lower(substr($line, 0, $equals))) {
                $key = substr($line, 0, $equals);
                $value = substr($line, $equals + 1);
                if ($key === 'fn') {
                    $function = self::named($value, $names, $number);
                    $callee = null;
                    $calls?->begin($function);
                } elseif (in_array($key, self::FILES, true)) {
                    $path = self::path($value, $files);
                    $code = $key === 'fl' ? $path : $code;
                } elseif ($key === 'cfn') {
                    $callee = ['name' => self::named($value, $names, $number), 'calls' => 0];
                } elseif ($key === 'calls' && $callee !== null) {
                    $callee['calls'] = self::count($value, $number);
                }
                continue;
            }
            if (preg_match('/\A([a-z]+): ?(.*)\z/s', $line, $match) === 1) {
                [, $key, $value] = $match;
                if ($key === 'events') {
                    $calls ??= new CallgrindCalls(self::words($value), str_starts_with($head['creator'] ?? '', 'xdebug'));
                } elseif ($key === 'positions') {
                    $positions = max(1, count(self::words($value)));
                } else {
                    $head[$key] ??= $value;
                }
                continue;
            }
            throw new InvalidProfile("line $number is not one of a callgrind file");
        }
        $calls ??= throw new InvalidProfile('the file does not say what it counts ("events:")');
        $tree = $calls->tree();

        yield '' => new ImportedRun($tree?->toEdges() ?? $calls->profile(), $tree, array_filter([
            'command' => $head['cmd'] ?? null,
            'pid' => ctype_digit($head['pid'] ?? '') && strlen($head['pid']) < 10 ? (int) $head['pid'] : null,
        ], static fn (mixed $value): bool => $value !== null && $value !== 0));
    }

    /**
     * Reads "(3) name" the first time, "(3)" later; or the name alone.
     *
     * @param array<int|string, string> $names
     */
    private static function named(string $text, array &$names, int $line): string
    {
        $id = substr($text, 1, -1);
        if (isset($names[$id]) && $text === "($id)") {
            return $names[$id];
        }
        if (preg_match('/\A\(([0-9]{1,10})\)(?: (.*))?\z/s', $text, $match) === 1) {
            if (isset($match[2]) && $match[2] !== '') {
                $names[$match[1]] = $match[2];
            }

            return $names[$match[1]] ?? throw new InvalidProfile("line $line names a function that has no name yet");
        }

        return $text !== '' ? $text : throw new InvalidProfile("line $line has no name");
    }

    /**
     * Reads a file as named() a function; '' for one that has no name yet, which hurts no figure.
     *
     * @param array<int|string, string> $paths
     */
    private static function path(string $text, array &$paths): string
    {
        if (preg_match('/\A\(([0-9]{1,10})\)(?: (.*))?\z/s', $text, $match) !== 1) {
            return $text;
        }
        if (($match[2] ?? '') !== '') {
            $paths[$match[1]] = $match[2];
        }

        return $paths[$match[1]] ?? '';
    }

    /**
     * @return list<int> per event; missing ones at the end are 0
     */
    private static function costs(string $line, int $positions, int $number): array
    {
        $costs = [];
        foreach (explode(' ', $line, self::MAX_EVENTS + 8) as $word) {
            if ($word === '' || $positions-- > 0) {
                continue;
            }
            $costs[] = ctype_digit($word) && strlen($word) <= 18 ? (int) $word : self::count($word, $number);
        }

        return $costs;
    }

    private static function count(string $text, int $line): int
    {
        $word = strstr(ltrim($text), ' ', true);
        $word = $word === false ? trim($text) : $word;
        if (ctype_digit($word) && strlen($word) <= 18) {
            return (int) $word;
        }
        // Xdebug writes freed memory as a negative number.
        if (preg_match('/\A-[0-9]{1,18}\z/', $word) === 1) {
            return (int) $word;
        }
        throw new InvalidProfile("line $line has a cost that is not a number, or too large");
    }

    /**
     * @return list<string>
     */
    private static function words(string $text): array
    {
        return preg_split('/\s+/', trim($text), self::MAX_EVENTS + 4, PREG_SPLIT_NO_EMPTY) ?: [];
    }
}
