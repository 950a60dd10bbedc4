<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Splits the time of functions into parts: TimeParts is the sum. This is the one place that decides. Wall time of a function itself
 * is its CPU time and the rest, in which it was idle. A function that waits was idle for what it waits for: its operations say what
 * for where they were recorded, else its name does. The time of operations of other functions, as of user functions where PHP's
 * own ones are left out, is taken from their idle time, and that of collecting from their CPU time. What compiling was idle is the
 * reading of files. Any other idle time is that in which the program did not run. Where the kernel has counted for how long others
 * had the processor, and that is more, the rest of it is in functions that wait and compute, as those of a database within the
 * process do: delayed() has how much. Samples of wall time have no CPU time: what they
 * met in a function that waits, in compiling and collecting counts as that, and of the rest it is not known.
 *
 * @phpstan-type Shares array{idle?: array<string, float>, cpu?: array<string, float>}
 */
final class TimeSplit
{
    /** Kinds of operations that take CPU time. */
    public const ENGINE = ['compile', 'gc'];

    /** How names of nodes begin whose own CPU time is that of compiling. */
    public const COMPILING = ['load::', 'eval::'];

    /** @var array<string, array{array<string, int|float>, array<string, int|float>}> per function parts of its idle and CPU time */
    private array $parts = [];

    /** @var array<string, array{int|float, int|float}> per function its own wall and CPU time */
    private array $own = [];

    /** @var array{int|float, int|float} wall and CPU time of all */
    public readonly array $whole;

    /**
     * @param list<string> $names of functions, also with levels of recursion
     * @param list<int|float> $wall their own wall time, in any unit
     * @param list<int|float>|null $cpu their own CPU time; null: not known
     * @param array<string, array<string, int|float>> $operations function => kind => time in the same unit
     * @param bool $bySamples whether these are samples
     * @param bool $isIdleKnown false where functions that wait are left out and no operation says who waited
     * @param array<string, float> $delayed of functions that wait, as of delayed()
     */
    public function __construct(
        private readonly array $names,
        private readonly array $wall,
        private readonly ?array $cpu,
        array $operations,
        private readonly bool $isIdleKnown,
        bool $bySamples = false,
        array $delayed = [],
    ) {
        $this->whole = [array_sum($wall), array_sum($cpu ?? [])];
        $isMet = $cpu === null && $bySamples;
        foreach ($cpu ?? ($isMet ? array_fill(0, count($names), 0) : []) as $i => $onCpu) {
            $base = EdgeKey::stripRecursion($names[$i]);
            $this->own[$base] ??= [0, 0];
            $this->own[$base][0] += $wall[$i];
            $this->own[$base][1] += $onCpu;
        }
        foreach ($this->own as $name => [$ownWall, $ownCpu]) {
            $name = (string) $name;
            $parts = $isMet
                ? [self::metIn($name, $ownWall, $operations[$name] ?? []), []]
                : self::partsOf($name, $ownWall - $ownCpu, $ownCpu, $operations[$name] ?? []);
            if (isset($delayed[$name])) {
                $waits = 1 - $delayed[$name];
                $parts[0] = array_map(static fn (int|float $time): float => $time * $waits, $parts[0]);
            }
            if ($parts !== [[], []]) {
                $this->parts[$name] = $parts;
            }
        }
    }

    /** @return array<string, int|float> by part, also below 0: all but the CPU time of the program and what is in no other part */
    public function known(): array
    {
        $sums = [];
        foreach ($this->parts as $both) {
            foreach ($both as $parts) {
                foreach ($parts as $part => $time) {
                    $sums[$part] = ($sums[$part] ?? 0) + $time;
                }
            }
        }

        return $sums;
    }

    /** @return array<string, int|float> by part the wall time of functions that wait, without CPU time: they waited at most that */
    public function mayWait(): array
    {
        $sums = [];
        foreach ($this->cpu === null ? $this->wall : [] as $i => $wall) {
            $part = OperationFunctions::waitsFor($this->names[$i]);
            if ($part !== null && $wall > 0) {
                $sums[$part->value] = ($sums[$part->value] ?? 0) + $wall;
            }
        }
        arsort($sums);

        return $sums;
    }

    /** The part of idle time that is in no other one. */
    public function rest(): TimePart
    {
        return $this->cpu === null || !$this->isIdleKnown ? TimePart::Unknown : TimePart::NotRunning;
    }

    /**
     * What the time of each function was spent on, for whoever draws it: functions that are not named were idle for rest(), and had
     * all of their CPU time for themselves.
     *
     * @return array<string, Shares> by function parts with their shares of 1
     */
    public function shares(): array
    {
        $shares = [];
        foreach ($this->parts as $name => [$idle, $cpu]) {
            [$ownWall, $ownCpu] = $this->own[$name];
            $shares[$name] = array_filter([
                'idle' => self::sharesOf($idle, $ownWall - $ownCpu, $this->rest()),
                'cpu' => self::sharesOf($cpu, $ownCpu, TimePart::Cpu),
            ]);
        }

        return $shares;
    }

    /** @return array<string, int|float> by function what it waited, the most first */
    public function waiting(): array
    {
        $waits = static fn (string $key): bool => TimePart::from($key)->group() === TimePart::WAITING;
        $waiting = array_map(
            static fn (array $parts): int|float => array_sum(array_filter($parts[0], $waits, ARRAY_FILTER_USE_KEY)),
            $this->parts,
        );
        arsort($waiting);

        return array_filter($waiting, static fn (int|float $time): bool => $time > 0);
    }

    /**
     * What of the waiting was none, as others had the processor: what is more than the idle time of functions that do not wait.
     * They take it from who computes, so each function has it by its CPU time, and no more than it was idle.
     *
     * @param int|float $delay time for which others had the processor, as the kernel has counted it
     *
     * @return array<string, float> by function that waits the share of its waiting
     */
    public function delayed(int|float $delay): array
    {
        $delay -= array_sum($this->idle());
        $waits = $this->waiting();
        $cpu = array_map(fn (string $name): int|float => max(0, $this->own[$name][1]), array_map(strval(...), array_keys($waits)));
        $cpu = array_combine(array_keys($waits), $cpu);
        $delayed = [];
        // Those that are full leave the rest to the others.
        while ($delay > 0 && array_sum($cpu) > 0) {
            $rate = $delay / array_sum($cpu);
            $full = array_filter($cpu, static fn (int|float $time, int|string $name): bool
                => $time * $rate >= $waits[$name], ARRAY_FILTER_USE_BOTH);
            foreach ($full === [] ? $cpu : $full as $name => $time) {
                $delayed[(string) $name] = min(1.0, $time * $rate / $waits[$name]);
                $delay -= min($time * $rate, $waits[$name]);
            }
            $cpu = $full === [] ? [] : array_diff_key($cpu, $full);
        }

        return array_filter($delayed);
    }

    /** @return array<string, int|float> by function the idle time that is in no part, the most first */
    public function idle(): array
    {
        $idle = [];
        foreach ($this->own as $name => [$wall, $cpu]) {
            $idle[(string) $name] = $wall - $cpu - array_sum($this->parts[$name][0] ?? []);
        }
        arsort($idle);

        return array_filter($idle, static fn (int|float $time): bool => $time > 0);
    }

    /** Whether the node's own CPU time is that of compiling a file or text. */
    public static function isCompiling(string $name): bool
    {
        return array_filter(self::COMPILING, static fn (string $prefix): bool => str_starts_with($name, $prefix)) !== [];
    }

    /** What samples of wall time mean that meet the function itself; null: computing, or not running. */
    public static function metAs(string $name): ?TimePart
    {
        return match (true) {
            self::isCompiling($name) => TimePart::Compile,
            strcasecmp($name, 'gc_collect_cycles') === 0 => TimePart::Gc,
            default => OperationFunctions::waitsFor($name),
        };
    }

    /**
     * @param array<string, int|float> $operations kind => time
     *
     * @return array{array<string, int|float>, array<string, int|float>} parts of the idle and of the CPU time
     */
    private static function partsOf(string $name, int|float $idle, int|float $cpu, array $operations): array
    {
        if (self::isCompiling($name)) {
            return [[TimePart::CompileWait->value => $idle], [TimePart::Compile->value => $cpu]];
        }
        if (strcasecmp($name, 'gc_collect_cycles') === 0) {
            return [[], [TimePart::Gc->value => $cpu]];
        }
        $kind = OperationFunctions::waitsFor($name);
        $engine = array_intersect_key($operations, array_flip(self::ENGINE));
        $waits = array_diff_key(self::valid($operations), $engine);
        $waited = array_sum($waits);
        $ofIdle = match (true) {
            $kind !== null && $waited <= 0 => [$kind->value => $idle],
            $waited <= 0 || ($kind === null && $idle <= 0) => [],
            default => self::scaled($waits, $kind === null ? min($idle, $waited) : $idle),
        };
        $ofCpu = $engine === [] || $cpu <= 0 ? [] : self::scaled($engine, min($cpu, array_sum($engine)));

        return [$ofIdle, array_filter($ofCpu)];
    }

    /**
     * @param array<string, int|float> $operations kind => time
     *
     * @return array<string, int|float> parts of the time in which samples met a function
     */
    private static function metIn(string $name, int|float $wall, array $operations): array
    {
        $kind = self::metAs($name);
        $known = self::valid($operations);
        if ($kind !== null && $known === []) {
            return [$kind->value => $wall];
        }

        return $known === [] || $wall <= 0 ? [] : self::scaled($known, $kind === null ? min($wall, array_sum($known)) : $wall);
    }

    /**
     * @param array<string, int|float> $operations kind => time
     *
     * @return array<string, int|float> those of kinds that are parts
     */
    private static function valid(array $operations): array
    {
        return array_filter(
            $operations,
            static fn (int|float $time, string $kind): bool => $time > 0 && TimePart::tryFrom($kind) !== null,
            ARRAY_FILTER_USE_BOTH,
        );
    }

    /**
     * @param array<string, int|float> $parts more than 0 together
     *
     * @return array<string, int|float> the same, whose sum is another one
     */
    private static function scaled(array $parts, int|float $sum): array
    {
        $whole = array_sum($parts);
        if ($whole <= 0 || $whole == $sum) {
            return $whole <= 0 ? [] : $parts;
        }
        $last = array_key_last($parts);
        $left = $sum;
        foreach ($parts as $part => $time) {
            $parts[$part] = $part === $last ? $left : $sum * ($time / $whole);
            $left -= $parts[$part];
        }

        return $parts;
    }

    /**
     * @param array<string, int|float> $parts
     *
     * @return array<string, float>
     */
    private static function sharesOf(array $parts, int|float $whole, TimePart $rest): array
    {
        if ($parts === []) {
            return [];
        }
        if (count($parts) === 1 && reset($parts) == $whole) {
            return [(string) array_key_first($parts) => 1.0];
        }
        $shares = array_map(static fn (int|float $time): float => $whole > 0 ? round($time / $whole, 6) : 0.0, $parts);
        $left = round(1 - array_sum($shares), 6);

        return $left > 0 ? $shares + [$rest->value => $left] : $shares;
    }
}
