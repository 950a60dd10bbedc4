<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Where the time was: wall time in parts, in whole nanoseconds, that add up to it exactly. Of a run, a function with its callees,
 * a call path, a route, of several runs. Each part is 0 or more.
 *
 * @phpstan-type Part array{key: string, label: string, group: string, us: int|float, share: float}
 */
final class TimeParts
{
    /**
     * @param array<string, int> $ns by the value of TimePart, in the order of its cases, without parts of 0
     * @param bool $bySamples whether it is an estimate by samples
     * @param list<string> $notes sentences on what is not known, and what to do
     */
    private function __construct(
        public readonly array $ns,
        public readonly bool $bySamples,
        public readonly array $notes,
    ) {
    }

    /**
     * @param array<string, int> $ns by the value of TimePart, 0 or more
     * @param list<string> $notes
     */
    public static function of(array $ns, bool $bySamples = false, array $notes = []): self
    {
        $ordered = [];
        foreach (TimePart::cases() as $part) {
            if (($ns[$part->value] ?? 0) > 0) {
                $ordered[$part->value] = $ns[$part->value];
            }
        }

        return new self($ordered, $bySamples, array_values(array_unique($notes)));
    }

    /**
     * Parts from sums of functions. Clocks are read one after the other, so that some functions have a little more CPU than wall
     * time: parts below 0 are taken from the time in which nothing ran, then from that on the CPU.
     *
     * @param int $wall ns; 0 or less is nothing
     * @param int $cpu  ns
     * @param array<string, int> $known ns of other parts than Cpu and the rest, also below 0
     * @param TimePart $rest the part of what is in no other one
     * @param list<string> $notes
     */
    public static function split(
        int $wall,
        int $cpu,
        array $known,
        TimePart $rest = TimePart::NotRunning,
        bool $bySamples = false,
        array $notes = [],
    ): self {
        $ns = array_map(static fn (int $value): int => max(0, $value), $known);
        $engine = ($ns[TimePart::Compile->value] ?? 0) + ($ns[TimePart::Gc->value] ?? 0);
        $ns[TimePart::Cpu->value] = max(0, $cpu - $engine);
        $missing = max(0, $wall) - array_sum($ns);
        $ns[$rest->value] = ($ns[$rest->value] ?? 0) + max(0, $missing);
        // What is too much, taken from where it makes least difference: the program's CPU time first, then the largest parts.
        arsort($ns);
        foreach ([TimePart::Cpu->value, ...array_keys($ns)] as $part) {
            $taken = min($ns[$part], max(0, -$missing));
            $ns[$part] -= $taken;
            $missing += $taken;
        }

        return self::of($ns, $bySamples, $notes);
    }

    /**
     * Parts of which the CPU time was measured, and the others are known by samples. Functions that wait compute too, which samples
     * do not show: what waited is at most the time without CPU. Of the rest all was on the CPU for the same share, compiling too.
     *
     * @param int $wall ns
     * @param int $cpu  ns
     * @param array<string, int> $known ns of other parts, by samples
     * @param list<string> $notes
     * @param int $delayed ns for which others had the processor, as far as it is known
     */
    public static function measured(
        int $wall,
        int $cpu,
        array $known,
        TimePart $rest,
        array $notes = [],
        int $delayed = 0,
    ): self {
        $waits = array_diff_key($known, array_flip(TimeSplit::ENGINE));
        $idle = max(0, $wall - $cpu - $delayed);
        $waited = array_sum($waits);
        if ($waited > $idle) {
            $waits = array_map(static fn (int $ns): int => (int) ($ns * ($idle / $waited)), $waits);
            arsort($waits);
            $waits[array_key_first($waits)] += $idle - array_sum($waits); // what is left of rounding
        }
        $others = max(1, $wall - array_sum($waits));
        $onCpu = static fn (int $ns): int => (int) round($ns * min(1, $cpu / $others));
        $known = $waits + array_map($onCpu, array_diff_key($known, $waits));

        return self::split($wall, $cpu, $known, $rest, true, $notes);
    }

    /** @param list<self> $all */
    public static function sum(array $all): self
    {
        $ns = [];
        $notes = [];
        $bySamples = false;
        foreach ($all as $one) {
            foreach ($one->ns as $part => $value) {
                $ns[$part] = ($ns[$part] ?? 0) + $value;
            }
            array_push($notes, ...$one->notes);
            $bySamples = $bySamples || $one->bySamples;
        }

        return self::of($ns, $bySamples, $notes);
    }

    /** @param int $count 0 or more */
    public function times(int $count): self
    {
        return self::of(array_map(static fn (int $ns): int => $ns * $count, $this->ns), $this->bySamples, $this->notes);
    }

    /**
     * @param int $count 1 or more
     *
     * @return self one of so many: parts that still add up to the total, which is rounded to the nanosecond
     */
    public function dividedBy(int $count): self
    {
        $ns = array_map(static fn (int $value): int => intdiv($value, $count), $this->ns);
        $left = (int) round($this->total() / $count) - array_sum($ns);
        $rests = array_map(static fn (int $value): int => $value % $count, $this->ns);
        arsort($rests);
        foreach (array_slice(array_keys($rests), 0, max(0, $left)) as $part) {
            $ns[$part]++;
        }

        return self::of($ns, $this->bySamples, $this->notes);
    }

    /** @param int $ns in which other fibers ran, in no function of the run */
    public function withSuspended(int $ns): self
    {
        return self::of([TimePart::Suspended->value => $ns] + $this->ns, $this->bySamples, $this->notes);
    }

    /** @return int ns of all parts: the wall time */
    public function total(): int
    {
        return array_sum($this->ns);
    }

    public function ns(TimePart $part): int
    {
        return $this->ns[$part->value] ?? 0;
    }

    /** @return int ns of the parts of a group: see TimePart::group() */
    public function group(string $group): int
    {
        return $this->groups()[$group] ?? 0;
    }

    /** @return array<string, int> ns by group, in the order of the parts */
    public function groups(): array
    {
        $groups = [];
        foreach ($this->ns as $part => $ns) {
            $group = TimePart::from($part)->group();
            $groups[$group] = ($groups[$group] ?? 0) + $ns;
        }

        return $groups;
    }

    /** @return float 0 to 1 of the wall time; 0 without any */
    public function share(int $ns): float
    {
        $total = $this->total();

        return $total > 0 ? $ns / $total : 0.0;
    }

    /** Whether nothing of it is known. */
    public function isUnknown(): bool
    {
        return array_keys($this->ns) === [TimePart::Unknown->value];
    }

    /**
     * @return list<array{part: TimePart, a: int, b: int, delta: int}> per part that one of both has, ns of this one, of the other
     *     one, and how much more the other one has; the changes add up to that of the wall time
     */
    public function changes(self $after): array
    {
        $changes = [];
        foreach (TimePart::cases() as $part) {
            [$a, $b] = [$this->ns($part), $after->ns($part)];
            if ($a !== 0 || $b !== 0) {
                $changes[] = ['part' => $part, 'a' => $a, 'b' => $b, 'delta' => $b - $a];
            }
        }

        return $changes;
    }

    /** @return list<Part> for programs and pages: µs to the nanosecond, shares of 1 */
    public function parts(): array
    {
        $parts = [];
        foreach ($this->ns as $key => $ns) {
            $part = TimePart::from($key);
            $parts[] = [
                'key' => $key, 'label' => $part->label(), 'group' => $part->group(), 'us' => $ns / 1000,
                'share' => round($this->share($ns), 6),
            ];
        }

        return $parts;
    }

    /** @return array{total_us: int|float, by: 'calls'|'samples', parts: list<Part>, notes: list<string>} for programs */
    public function toArray(): array
    {
        return [
            'total_us' => $this->total() / 1000,
            'by' => $this->bySamples ? 'samples' : 'calls',
            'parts' => $this->parts(),
            'notes' => $this->notes,
        ];
    }
}
