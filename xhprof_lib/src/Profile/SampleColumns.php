<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Samples as columns: the time of each sample and its call stack. A stack is a function and the stack that called it, so
 * that stacks share their common part. A sample stands for the time since the one before it.
 */
final class SampleColumns
{
    /** Deeper than any program, and less than what would turn a hostile file into hours of work. */
    private const MAX_DEPTH = 100000;

    /** µs; half a year: samples further apart are not of one run. */
    private const MAX_DURATION = 1 << 44;

    /** No program file has more lines. */
    private const MAX_LINE = 1 << 31;

    /**
     * @param int                    $start    time of the first sample, µs since 1970
     * @param int                    $interval nominal time between two samples, µs
     * @param non-empty-list<int>    $t        per sample the time it stands for, µs; the first stands for one interval
     * @param non-empty-list<int>    $stack    per sample, an index into fn and parent; -1 if none was taken
     * @param list<string>           $names    names of functions
     * @param list<int>              $fn       per stack its innermost function, an index into names
     * @param list<int>              $parent   per stack the stack that called it, always an earlier one; -1 for the outermost
     * @param list<int>|null         $line     per sample the current line of the innermost PHP code, 0 if unknown;
     *                                         null if none were recorded
     * @param list<int>|null         $n        samples per entry; null for one each
     * @param 'wt'|'cpu'             $metric   the metric of the times
     */
    private function __construct(
        public readonly int $start,
        public readonly int $interval,
        public readonly array $t,
        public readonly array $stack,
        public readonly array $names,
        public readonly array $fn,
        public readonly array $parent,
        public readonly ?array $line = null,
        private readonly ?array $n = null,
        public readonly string $metric = 'wt',
    ) {
    }

    /**
     * @param array<mixed> $samples "seconds.microseconds" => "main()==>f==>g", as xhprof_sample_disable() gives it
     *
     * @throws InvalidProfile
     */
    public static function fromSamples(array $samples): self
    {
        $times = [];
        $texts = [];
        foreach ($samples as $time => $stack) {
            if (!is_string($stack) || $stack === '') {
                throw new InvalidProfile('a sample has no call stack');
            }
            $times[] = self::time((string) $time);
            $texts[] = $stack;
        }
        if ($times === []) {
            throw new InvalidProfile('there are no samples');
        }
        asort($times);
        $ordered = [];
        foreach ($times as $index => $_) {
            $ordered[] = $texts[$index];
        }
        $times = array_values($times);
        [$interval, $t] = self::distances($times);
        $line = self::cutLines($ordered);
        $stacks = new SampleStacks(self::MAX_DEPTH);
        $stack = array_map($stacks->add(...), $ordered);

        $tree = $stacks->tree;

        return new self($times[0], $interval, $t, $stack, $tree->names(), $tree->fn(), $tree->parents(), $line);
    }

    /**
     * @param array<string, string> $map name => another name
     *
     * @return self the same samples, whose functions have these names
     */
    public function renamed(array $map): self
    {
        $names = array_map(static fn (string $name): string => $map[$name] ?? $name, $this->names);

        return $map === [] ? $this : new self(...['names' => $names] + get_object_vars($this));
    }

    /**
     * Reads the log that the extension keeps beside a call tree: per sample its node, and the number of its interval.
     *
     * @param array<mixed> $data the document "samples" of a run
     *
     * @return self|null null if no sample was taken: the run was shorter than an interval
     *
     * @throws InvalidProfile
     */
    public static function fromLog(array $data, CallTree $tree): ?self
    {
        if (($data['t'] ?? null) === []) {
            return null;
        }
        $interval = SavedColumns::integer($data['interval_us'] ?? null, 'the interval of the samples', self::MAX_DURATION);
        $start = SavedColumns::integer($data['start_us'] ?? null, 'the time of the first sample', 1 << 58);
        $first = SavedColumns::integers($data['t'] ?? null, '"t" of the samples', 0, null, self::MAX_DURATION);
        $runs = SavedColumns::integers($data['n'] ?? null, '"n" of the samples', 1, count($first), self::MAX_DURATION);
        $node = SavedColumns::integers($data['node'] ?? null, '"node" of the samples', 0, count($first), $tree->count() - 1);
        $line = isset($data['line'])
            ? SavedColumns::integers($data['line'], '"line" of the samples', 0, count($first), self::MAX_LINE)
            : null;
        if ($interval === 0) {
            throw new InvalidProfile('the samples have no interval');
        }
        if (($first[count($first) - 1] - $first[0] + $runs[count($first) - 1]) > intdiv(self::MAX_DURATION, $interval)) {
            throw new InvalidProfile('the samples lie too far apart');
        }
        $columns = ['t' => [], 'stack' => [], 'line' => [], 'n' => []];
        $add = static function (int $intervals, int $stack, int $at, int $samples) use (&$columns, $interval): void {
            $columns['t'][] = $intervals * $interval;
            $columns['stack'][] = $stack;
            $columns['line'][] = $at;
            $columns['n'][] = $samples;
        };
        $next = $first[0];
        foreach ($first as $i => $at) {
            if ($at < $next) {
                throw new InvalidProfile('the samples are not in the order of time');
            }
            if ($at > $next) {
                $add($at - $next, -1, 0, 0);
            }
            $add($runs[$i], $node[$i], $line[$i] ?? 0, $runs[$i]);
            $next = $at + $runs[$i];
        }
        /** @var array{t: non-empty-list<int>, stack: non-empty-list<int>, line: list<int>, n: list<int>} $columns */

        return new self(
            $start + $first[0] * $interval,
            $interval,
            $columns['t'],
            $columns['stack'],
            $tree->names,
            $tree->fn === [] ? [0] : $tree->fn,
            $tree->parents() ?: [-1],
            $line === null ? null : $columns['line'],
            $columns['n'],
            ($data['clock'] ?? 'wall') === 'cpu' ? 'cpu' : 'wt',
        );
    }

    /**
     * @return array<string, mixed> as api.php?get=samples answers, without the metric
     */
    public function toArray(): array
    {
        return [
            'start' => $this->start,
            'interval' => $this->interval,
            'names' => $this->names,
            't' => $this->t,
            'stack' => $this->stack,
            'n' => array_map($this->samplesAt(...), array_keys($this->stack)),
            'stacks' => ['fn' => $this->fn, 'parent' => $this->parent],
        ];
    }

    /** @return int number of samples */
    public function count(): int
    {
        return $this->n === null ? count($this->t) : array_sum($this->n);
    }

    /** @return int samples per entry: the same stack may be sampled several times in a row */
    public function samplesAt(int $entry): int
    {
        return $this->n[$entry] ?? 1;
    }

    /**
     * @return int from the first sample to the end of the last one, µs
     */
    public function duration(): int
    {
        return array_sum($this->t);
    }

    /**
     * @return int the time that the samples stand for, µs: without the time that has no samples
     */
    public function sampled(): int
    {
        $sum = 0;
        foreach ($this->stack as $sample => $stack) {
            $sum += $stack < 0 ? 0 : $this->t[$sample];
        }

        return $sum;
    }

    /**
     * The tree of the sampled call paths. A node's calls are the samples with it as the innermost function, its time is the time
     * they stand for: sampling cannot show how often a function was really called.
     */
    public function tree(): CallTree
    {
        $tree = new CallTreeBuilder();
        $functions = array_map($tree->name(...), $this->names);
        $nodes = [-1 => CallTreeBuilder::NONE];
        $isMet = $this->metStacks();
        foreach ($this->fn as $stack => $function) {
            if (isset($isMet[$stack])) {
                $nodes[$stack] = $tree->node($nodes[$this->parent[$stack]], $functions[$function]);
            }
        }
        $ct = $time = array_fill(0, $tree->count(), 0);
        foreach ($this->stack as $sample => $stack) {
            if ($stack >= 0) {
                $ct[$nodes[$stack]] += $this->samplesAt($sample);
                $time[$nodes[$stack]] += $this->t[$sample] * 1000;
            }
        }

        return $tree->tree(['ct' => $ct, "self.$this->metric" => $time]);
    }

    /**
     * The samples of a range of time. One that lies in it only in part is there with that part of its time; it counts if that is
     * half of it or more. The scripts compute the same in assets/js/profile/samples.js, pathsOf().
     */
    public function part(TimeRange $range): self
    {
        $t = $stack = $line = $n = [];
        $end = 0;
        foreach ($this->t as $entry => $time) {
            $start = $end;
            $end += $time;
            $part = intdiv($range->part($start * 1000, $end * 1000), 1000);
            if ($part > 0) {
                $t[] = $part;
                $stack[] = $this->stack[$entry];
                $line[] = $this->line[$entry] ?? 0;
                $n[] = (int) round($this->samplesAt($entry) * $part / $time);
            }
        }

        return new self(...[
            'start' => $this->start + intdiv($range->from, 1000),
            't' => $t ?: [0],
            'stack' => $stack ?: [-1],
            'line' => $this->line === null ? null : ($line ?: [0]),
            'n' => $n ?: [0],
        ] + get_object_vars($this));
    }

    /** @return array<int, true> the stacks of samples and of their callers, and that of main() */
    private function metStacks(): array
    {
        $isMet = array_fill_keys(array_filter($this->stack, static fn (int $stack): bool => $stack >= 0), true) + [0 => true];
        for ($stack = count($this->fn) - 1; $stack > 0; $stack--) {
            if (isset($isMet[$stack])) {
                $isMet[$this->parent[$stack]] = true;
            }
        }

        return $isMet;
    }

    /**
     * Samples with lines end in them, "main()==>f:17". Lines are only read if all samples have one, because a name may end like
     * that as well.
     *
     * @param non-empty-list<string> $stacks the lines are cut off
     *
     * @param-out non-empty-list<string> $stacks
     *
     * @return list<int>|null null if there are no lines
     */
    private static function cutLines(array &$stacks): ?array
    {
        $lines = [];
        $without = [];
        foreach ($stacks as $stack) {
            if (preg_match('/\A(.+):([0-9]{1,9})\z/s', $stack, $match) !== 1) {
                return null;
            }
            $without[] = $match[1];
            $lines[] = (int) $match[2];
        }
        $stacks = $without;

        return $lines;
    }

    /**
     * @param non-empty-list<int> $times ascending
     *
     * @return array{0: int, 1: non-empty-list<int>} the usual distance; per sample the one to the sample before it
     */
    private static function distances(array $times): array
    {
        if ($times[count($times) - 1] - $times[0] > self::MAX_DURATION) {
            throw new InvalidProfile('the samples lie too far apart');
        }
        $between = [];
        for ($i = 1; $i < count($times); $i++) {
            $between[] = $times[$i] - $times[$i - 1];
        }
        $sorted = array_values(array_filter($between));
        sort($sorted);
        $interval = $sorted[intdiv(count($sorted), 2)] ?? 100000;

        return [$interval, [$interval, ...$between]];
    }

    /** @return int µs since 1970 */
    private static function time(string $time): int
    {
        if (preg_match('/\A([0-9]{1,12})(?:\.([0-9]{1,9}))?\z/', $time, $match) !== 1) {
            throw new InvalidProfile('a sample has no time');
        }

        return (int) $match[1] * 1000000 + (int) substr(str_pad($match[2] ?? '', 6, '0'), 0, 6);
    }
}
