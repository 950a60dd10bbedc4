<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/**
 * One profile of a callgrind file, line by line. A line that is none of the format is skipped.
 *
 * @internal
 */
final class CallgrindPart
{
    /** Keys that name a file: of a function, inlined code, or what is called. They share their numbers. */
    private const FILES = ['fl', 'fi', 'fe', 'cfi', 'cfl'];

    private ?CallgrindCalls $calls = null;

    private ?FinishedCalls $finished = null;

    /** @var array<string, list<string>> */
    private array $head = [];

    /** @var array<int|string, string> by number */
    private array $names = [];

    /** @var array<int|string, string> by number */
    private array $files = [];

    /** @var array<string, string> names as they are shown, by those of the file */
    private array $shown = [];

    private string $code = '';

    private readonly CallgrindCosts $numbers;

    private ?string $function = null;

    /** @var array{name: string, calls: int}|null */
    private ?array $callee = null;

    /** @var array{name: string, costs: array<int, int>, called: list<array{name: string, calls: int, costs: array<int, int>}>}|null
     *     only where the file has call paths */
    private ?array $open = null;

    private bool $isXdebug = false;

    private bool $isMemprof = false;

    private readonly SkippedLines $skipped;

    public function __construct()
    {
        $this->skipped = new SkippedLines();
        $this->numbers = new CallgrindCosts();
    }

    /** Whether nothing was read yet. */
    public function isEmpty(): bool
    {
        return $this->calls === null && $this->head === [] && $this->skipped->count() === 0;
    }

    /**
     * @param bool $isCut whether the file ends in this line
     *
     * @throws InvalidProfile
     */
    public function line(int $number, string $line, bool $isCut): void
    {
        $line = ltrim($line, " \t");
        $first = $line[0] ?? '#';
        if ($first === '#') {
            return;
        }
        $isUsed = match (true) {
            ctype_digit($first), $first === '+', $first === '-', $first === '*'
                // The number at the end of a file that was cut short may be the beginning of another.
                => !($isCut && $this->isUnfinished()) && $this->costs($line),
            default => $this->assignment($line) || $this->heading($line),
        };
        if (!$isUsed) {
            $this->skipped->add($number, $line);
        }
    }

    /**
     * @param list<string> $notes of the file
     *
     * @throws InvalidProfile
     */
    public function run(array $notes): ImportedRun
    {
        $this->finish();
        $examples = $this->skipped->count() > 0 ? ": {$this->skipped->examples()}" : '';
        if ($this->calls === null || $this->calls->isEmpty()) {
            $why = $this->calls === null ? 'the file does not say what it counts ("events:")' : 'the file has no costs';
            throw new InvalidProfile($why . $examples);
        }
        $calls = $this->calls;
        $tree = $this->finished?->tree();
        $notes = [...$notes, ...$this->skipped->notes(), ...$this->ending($calls), ...$this->finished?->notes() ?? []];

        return new ImportedRun($tree?->toEdges() ?? $calls->profile(), $tree, $this->meta(), null, $notes);
    }

    /** "fn=(3) name". */
    private function assignment(string $line): bool
    {
        $equals = strpos($line, '=');
        if ($equals === false || !ctype_lower(substr($line, 0, $equals))) {
            return false;
        }
        $key = substr($line, 0, $equals);
        $value = ltrim(substr($line, $equals + 1), ' ');
        if ($key === 'fn') {
            $this->finish();
            $this->function = $this->named($value);
            $this->callee = null;
            $this->open = $this->finished === null ? null : ['name' => $this->function, 'costs' => [], 'called' => []];
        } elseif (in_array($key, self::FILES, true)) {
            $path = self::numbered($value, $this->files) ?? '';
            $this->code = $key === 'fl' ? $path : $this->code;
        } elseif ($key === 'cfn') {
            $this->callee = ['name' => $this->named($value), 'calls' => 0];
        } elseif ($key === 'calls') {
            // The costs that follow are not the function's own, whether it is said what it calls or not.
            $this->callee ??= ['name' => FrameName::NONE, 'calls' => 0];
            $count = CallgrindCosts::number((string) strtok($value, " \t"));
            $this->callee['calls'] = max(0, $count ?? 0);

            return $count !== null;
        }

        return true;
    }

    /** "events: Ir Dr". */
    private function heading(string $line): bool
    {
        if (preg_match('/\A([a-z]+): ?(.*)\z/s', $line, $match) !== 1) {
            return false;
        }
        [, $key, $value] = $match;
        $this->head[$key][] = $value;
        if ($key === 'events' && $this->calls === null) {
            $this->begin(self::words($value));
        } elseif ($key === 'positions') {
            $this->numbers->positions(count(self::words($value)));
        }

        return true;
    }

    /**
     * @param list<string> $events
     *
     * @throws InvalidProfile
     */
    private function begin(array $events): void
    {
        $creator = $this->head['creator'][0] ?? '';
        // Xdebug 2.0 does not name itself.
        $this->isXdebug = str_starts_with($creator, 'xdebug')
            || ($creator === '' && str_starts_with($this->head['version'][0] ?? '', '0.9'));
        $this->isMemprof = in_array(CallgrindEvents::BLOCKS, $events, true);
        $metrics = CallgrindEvents::metrics($events);
        if (array_filter($metrics) === []) {
            throw new InvalidProfile('the file counts nothing ("events:")');
        }
        $this->calls = new CallgrindCalls($metrics, $this->isXdebug, $creator === 'xhprof');
        $hasPaths = $this->isXdebug || ($this->isMemprof && $creator === '');
        $this->finished = $hasPaths ? new FinishedCalls($metrics, $this->isXdebug) : null;
    }

    /** @throws InvalidProfile */
    private function costs(string $line): bool
    {
        $costs = $this->numbers->of($line);
        if ($this->calls === null || $this->function === null || $costs === null) {
            $this->callee = null;

            return false;
        }
        if ($this->callee === null) {
            $this->calls->spent($this->function, $costs);
            if ($this->code !== '' && !str_starts_with($this->code, 'php:')) {
                // In Xdebug's files a function's own costs have its first line, or 0.
                $this->finished?->place($this->function, $this->code, (int) $line);
            }
            if ($this->open !== null && $this->open['called'] === []) {
                foreach ($costs as $event => $cost) {
                    $this->open['costs'][$event] = ($this->open['costs'][$event] ?? 0) + $cost;
                }
            }
        } else {
            $this->calls->called($this->function, $this->callee['name'], $this->callee['calls'], $costs);
            if ($this->open !== null) {
                $this->open['called'][] = $this->callee + ['costs' => $costs];
            }
        }
        $this->callee = null;

        return true;
    }

    /** @return list<string> */
    private function ending(CallgrindCalls $calls): array
    {
        $own = $calls->total(0);
        $said = isset($this->head['summary']) ? CallgrindCosts::number(self::words($this->head['summary'][0])[0] ?? '') : null;
        $why = $this->missingEnd() ?? ($this->callee === null ? null : 'its last call has no costs');
        if ($why === null && !$this->isXdebug && !$this->hasTotals() && $own < ($said ?? 0)) {
            $why = "its costs add up to $own, its \"summary:\" line says $said";
        }

        return $why === null ? [] : ["the file was cut short: $why"];
    }

    /** The line that the file's writer ends with and that is not there, in words. */
    private function missingEnd(): ?string
    {
        $creator = $this->head['creator'][0] ?? '';

        return match (true) {
            $this->isXdebug => isset($this->head['summary']) ? null : 'it has no "summary:" line',
            $this->hasTotals() => null,
            $this->isMemprof, $creator === 'xhprof' => 'it has no "totals:" line',
            // One with the sum at its beginning can be checked by that.
            str_starts_with($creator, 'callgrind') => isset($this->head['summary']) ? null : 'it has no "totals:" line',
            default => null,
        };
    }

    /** Whether the file's writer, if it is known, has not written its last line yet. */
    private function isUnfinished(): bool
    {
        return $this->missingEnd() !== null
            || (!$this->hasTotals() && str_starts_with($this->head['creator'][0] ?? '', 'callgrind'));
    }

    private function hasTotals(): bool
    {
        return isset($this->head['totals']) || isset($this->head['total']);
    }

    /** @return array<string, mixed> */
    private function meta(): array
    {
        $pid = $this->head['pid'][0] ?? '';
        $about = [];
        foreach (['creator' => 'creator', 'desc' => 'description'] as $key => $name) {
            $about += isset($this->head[$key]) ? [$name => implode('; ', array_slice($this->head[$key], 0, 8))] : [];
        }

        return array_filter([
            'command' => $this->head['cmd'][0] ?? null,
            'pid' => ctype_digit($pid) && strlen($pid) < 10 ? (int) $pid : null,
            'meta' => $about,
        ], static fn (mixed $value): bool => $value !== null && $value !== 0 && $value !== []);
    }

    private function finish(): void
    {
        if ($this->open !== null) {
            $this->finished?->add($this->open['name'], $this->open['costs'], $this->open['called']);
            $this->open = null;
        }
    }

    private function named(string $text): string
    {
        $name = self::numbered($text, $this->names) ?? $text;

        return $this->shown["\0$name"] ??= FrameName::normalize(match (true) {
            $this->isXdebug => XdebugNames::ofProfile($name),
            FrameName::isTop($name), $this->isMemprof && $name === 'root' => FrameName::MAIN,
            default => $name,
        });
    }

    /**
     * Reads "(3) name" or "(3)name" the first time, "(3)" later; or the name alone.
     *
     * @param array<int|string, string> $names by number
     *
     * @return string|null null for a number that has no name yet
     */
    private static function numbered(string $text, array &$names): ?string
    {
        $id = substr($text, 1, -1);
        if (isset($names[$id]) && $text === "($id)") {
            return $names[$id];
        }
        if (preg_match('/\A\(([0-9]{1,10})\) ?(.*)\z/s', $text, $match) !== 1) {
            return $text;
        }
        if ($match[2] !== '') {
            $names[$match[1]] = $match[2];
        }

        return $names[$match[1]] ?? null;
    }

    /**
     * @return list<string>
     */
    private static function words(string $text): array
    {
        return preg_split('/\s+/', trim($text), CallgrindEvents::MAX + 4, PREG_SPLIT_NO_EMPTY) ?: [];
    }
}
