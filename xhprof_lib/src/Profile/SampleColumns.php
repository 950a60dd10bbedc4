<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * What sampling gave, as columns: when each sample was taken, and the call stack it met. A stack is a function and the stack
 * that called it, so that what stacks have in common is kept once. A sample stands for the time since the one before it.
 */
final class SampleColumns
{
    /** Deeper than any program, and less than what would turn a hostile file into hours of work. */
    private const MAX_DEPTH = 100000;

    /** µs; half a year: what lies further apart was not sampled in one go. */
    private const MAX_DURATION = 1 << 44;

    /**
     * @param int                    $start    when the first sample was taken, µs since 1970
     * @param int                    $interval what lies between two samples as a rule, µs
     * @param non-empty-list<int>    $t        per sample the time it stands for, µs; the first stands for one interval
     * @param non-empty-list<int>    $stack    per sample, an index into fn and parent
     * @param list<string>           $names    names of functions
     * @param non-empty-list<int>    $fn       per stack its innermost function, an index into names
     * @param non-empty-list<int>    $parent   per stack the stack that called it, always an earlier one; -1 for the outermost
     */
    private function __construct(
        public readonly int $start,
        public readonly int $interval,
        public readonly array $t,
        public readonly array $stack,
        public readonly array $names,
        public readonly array $fn,
        public readonly array $parent,
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
        $stacks = new SampleStacks(self::MAX_DEPTH);
        $stack = array_map($stacks->add(...), $ordered);

        return new self($times[0], $interval, $t, $stack, $stacks->names(), $stacks->fn(), $stacks->parent());
    }

    /** @return int number of samples */
    public function count(): int
    {
        return count($this->t);
    }

    /**
     * @return int the time that all samples stand for, µs
     */
    public function duration(): int
    {
        return array_sum($this->t);
    }

    /**
     * The call paths that were met. A node's calls are the samples that met it as the innermost, its time is what they stand
     * for: how often a function was really called sampling cannot tell.
     */
    public function tree(): CallTree
    {
        $ct = array_fill(0, count($this->fn), 0);
        $wt = $ct;
        foreach ($this->stack as $sample => $stack) {
            $ct[$stack]++;
            $wt[$stack] += $this->t[$sample] * 1000;
        }
        $children = [];
        foreach ($this->parent as $stack => $parent) {
            $children[$parent][] = $stack;
        }
        $data = ['names' => $this->names, 'fn' => [], 'depth' => [], 'ct' => [], 'self' => ['wt' => []]];
        /** @var list<array{int, int}> $open stack and its depth, the next one last */
        $open = [[0, 0]];
        while (($next = array_pop($open)) !== null) {
            [$stack, $depth] = $next;
            $data['fn'][] = $this->fn[$stack];
            $data['depth'][] = $depth;
            $data['ct'][] = $ct[$stack];
            $data['self']['wt'][] = $wt[$stack];
            foreach (array_reverse($children[$stack] ?? []) as $child) {
                $open[] = [$child, $depth + 1];
            }
        }

        return CallTree::fromArray($data);
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
