<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Format\ClosestWord;
use XHProf\Format\QuantityParser;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Operations\OperationReport;
use XHProf\Profile\TimePart;
use XHProf\Run\RouteFigures;

/**
 * What a limit is of, as people write it: "calls", "calls of Shop\Cart::total", "sql in loops", "sql like SELECT * FROM review*",
 * "peak", "waiting.sql".
 */
final class FigureName
{
    public const CALLS = 'calls';
    public const OPERATIONS = 'operations';
    public const FILES = 'files';
    public const EXCEPTIONS = 'exceptions';
    public const ALLOCATED = 'allocated';
    public const BLOCKS = self::ALLOCATED . ' blocks';
    public const PEAK = 'peak';
    public const PROCESS_PEAK = 'process peak';
    public const MEMORY = 'memory';
    public const WALL = 'wall';
    public const CPU = 'cpu';
    public const FAILED = 'failed requests';

    /** Time in which it did not compute; behind a dot a kind: "waiting.sql". */
    public const WAITING = 'waiting';
    public const NOT_RUNNING = 'not running';

    /** Figures by name => unit, and what they are: for the documentation and for messages. */
    public const ALL = [
        self::CALLS => ['count', 'calls of all functions'],
        self::OPERATIONS => ['count', 'operations of all kinds but compiling and collecting garbage'],
        self::FILES => ['count', 'files that were compiled or taken from opcache'],
        self::EXCEPTIONS => ['count', 'exceptions and errors that were made'],
        self::ALLOCATED => ['bytes', 'memory that was allocated, freed or not'],
        self::BLOCKS => ['count', 'blocks of memory that were allocated'],
        self::PEAK => ['bytes', 'growth of the memory peak while it ran'],
        self::PROCESS_PEAK => ['bytes', 'peak of the memory of the whole process'],
        self::MEMORY => ['bytes', 'memory that it used more at the end than at the beginning'],
        self::WALL => ['us', 'time from begin to end; of a route of a window the mean of its requests'],
        self::CPU => ['us', 'time on the processor; of a route of a window the mean of its requests'],
        self::WAITING => ['us', 'time in which it waited for something; `waiting.sql` for a kind of it'],
        self::NOT_RUNNING => ['us', 'time in which it neither ran nor waited: others had the processor'],
        self::FAILED => ['count', 'requests of a window that failed'],
        'p50' => ['us', 'half of the requests of a window took no longer'],
        'p90' => ['us', '90 % of them'],
        'p95' => ['us', '95 % of them'],
        'p99' => ['us', '99 % of them'],
    ];

    private const OF_FUNCTIONS = [self::CALLS, self::WALL, self::CPU, self::WAITING, self::NOT_RUNNING];

    /** @param 'count'|'bytes'|'us' $unit */
    private function __construct(
        public readonly string $text,
        public readonly string $base,
        public readonly string $unit,
        public readonly ?FunctionPattern $functions = null,
        public readonly bool $isSelf = false,
        public readonly ?string $kind = null,
        public readonly ?Pattern $like = null,
        public readonly bool $duplicates = false,
        public readonly bool $loops = false,
        public readonly ?string $part = null,
    ) {
    }

    /** @return self|string a sentence without a full stop where it names no figure */
    public static function parse(string $text): self|string
    {
        $trimmed = trim((string) preg_replace('/\s+/', ' ', $text));
        if (preg_match('/\A(.*?) of (.*)\z/s', $trimmed, $match) === 1) {
            return self::ofFunction($trimmed, $match[1], $match[2]);
        }
        [$base, $like] = preg_match('/\A(.*?) like (.*)\z/s', $trimmed, $match) === 1 ? [$match[1], $match[2]] : [$trimmed, null];
        if (preg_match('/\A([a-z]+)( duplicates| in loops)?\z/', $base, $match) === 1 && self::isOperation($match[1])) {
            return self::ofOperation($trimmed, $match[1], $match[2] ?? '', $like);
        }
        if ($like !== null) {
            return "\"$base like ...\" needs a kind of operations: " . implode(', ', self::kinds());
        }
        if (isset(self::ALL[$base])) {
            return new self($trimmed, $base, self::ALL[$base][0]);
        }
        $part = self::partOf($trimmed);

        return $part !== null
            ? new self($trimmed, self::WAITING, 'us', part: $part)
            : 'unknown figure "' . Text::printable($text) . '"' . self::hint($trimmed);
    }

    /** The table of the documentation, in Markdown. */
    public static function markdown(): string
    {
        $units = ['count' => 'number', 'bytes' => 'size', 'us' => 'time'];
        $lines = array_map(
            static fn (string $name, array $figure): string => "| `$name` | {$figure[1]} | {$units[$figure[0]]} |\n",
            array_keys(self::ALL),
            self::ALL,
        );

        return "| limit of | what it is | |\n|---|---|---|\n" . implode('', $lines);
    }

    /** @return list<string> kinds of operations that a limit may name */
    public static function kinds(): array
    {
        return [self::OPERATIONS, ...OperationReport::allKinds()];
    }

    /** @return list<string> names of the kinds of waiting: "waiting.sql" */
    public static function waits(): array
    {
        $waits = array_filter(TimePart::cases(), static fn (TimePart $part): bool => $part->group() === TimePart::WAITING);

        return array_map(static fn (TimePart $part): string => self::WAITING . ".$part->value", array_values($waits));
    }

    /** @return string|null value of the TimePart that a name stands for */
    private static function partOf(string $name): ?string
    {
        return in_array($name, self::waits(), true) ? substr($name, strlen(self::WAITING) + 1) : null;
    }

    /** @return int|float|string the amount that is allowed; a sentence where it is none of this unit */
    public function amount(string|int|float $given): int|float|string
    {
        if (is_string($given)) {
            $given = trim($given);
            $digits = str_replace(' ', '', $given);
            $amount = match ($this->unit) {
                'count' => ctype_digit($digits) && strlen($digits) < 16 ? (int) $digits : null,
                'bytes' => QuantityParser::bytes($given),
                'us' => QuantityParser::timeWithUnit($given),
            };

            return $amount ?? "\"$this->text\" takes {$this->example()}, not \"" . Text::printable($given) . '"';
        }
        if ($given < 0 || ($this->unit !== 'us' && is_float($given))) {
            return "\"$this->text\" takes {$this->example()}, not $given";
        }

        return $this->unit === 'us' && $given != 0
            ? "\"$this->text\" is a time and needs a unit: write \"$given ms\" or \"$given us\""
            : $given;
    }

    private function example(): string
    {
        return match ($this->unit) {
            'count' => 'a number like 20, or a growth like "+5%"',
            'bytes' => 'a size like "32M", or a growth like "+5%"',
            'us' => 'a time like "20 ms", or a growth like "+5%"',
        };
    }

    /** A value for people. */
    public function show(int|float $value): string
    {
        return Units::in($value, $this->unit);
    }

    /** Whether only windows of requests have it. */
    public function isOfWindows(): bool
    {
        return $this->base === self::FAILED || isset(RouteFigures::QUANTILES[$this->base]);
    }

    /** Whether it varies from run to run of the same work, so that it is tested as a time. */
    public function isTime(): bool
    {
        return $this->unit === 'us';
    }

    private static function ofFunction(string $text, string $base, string $function): self|string
    {
        $isSelf = str_starts_with($base, 'self ');
        $base = $isSelf ? substr($base, 5) : $base;
        $part = self::partOf($base);
        $isTime = $base === self::WALL || $base === self::CPU;
        if (($part === null && !in_array($base, self::OF_FUNCTIONS, true)) || ($isSelf && !$isTime)) {
            return 'functions have calls, wall, cpu, self wall, self cpu, waiting and not running, not "'
                . Text::printable($base) . '"'
                . ClosestWord::hint($base, [...self::OF_FUNCTIONS, 'self wall', 'self cpu']);
        }
        $pattern = FunctionPattern::parse($function);
        if (is_string($pattern)) {
            return $pattern;
        }
        if ($pattern->isMany && !$isSelf && $base !== self::CALLS) {
            return "the $base time of several functions has that of their callees twice: write \"self $base of $function\"";
        }

        $unit = $base === self::CALLS ? 'count' : 'us';

        return new self($text, $part === null ? $base : self::WAITING, $unit, $pattern, $isSelf, part: $part);
    }

    private static function ofOperation(string $text, string $kind, string $what, ?string $like): self|string
    {
        $pattern = $like === null ? null : Pattern::parse($like);

        return is_string($pattern) ? $pattern : new self(
            $text,
            self::OPERATIONS,
            'count',
            kind: $kind === self::OPERATIONS ? null : $kind,
            like: $pattern,
            duplicates: $what === ' duplicates',
            loops: $what === ' in loops',
        );
    }

    private static function isOperation(string $word): bool
    {
        return in_array($word, self::kinds(), true);
    }

    private static function hint(string $text): string
    {
        $known = [...array_keys(self::ALL), ...self::kinds(), ...self::waits()];
        foreach (self::kinds() as $kind) {
            array_push($known, "$kind duplicates", "$kind in loops");
        }
        $hint = ClosestWord::hint($text, $known);

        return $hint !== '' ? $hint : '; there are ' . implode(', ', array_keys(self::ALL)) . ', kinds of operations ('
            . implode(', ', OperationReport::allKinds()) . ') and "calls of FUNCTION"';
    }
}
