<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * The call paths of a range of a run's time, from the calls that its timeline has kept: "wt" is their time within the range, "ct"
 * the number of calls that ran in it. A generator has an entry for each time that it ran, and counts no more often than it was
 * called: see calls(). What was too short for the timeline is part of its caller's own time. The scripts compute the same in
 * assets/js/profile/timeline.js, pathsOf().
 */
final class TimelinePart
{
    /** @var array<int, int> per node its own time, ns */
    private array $time;

    /** @var array<int, int> per node how many entries of the timeline are of it */
    private array $entries;

    private function __construct(private readonly Timeline $timeline, private readonly TimeRange $range)
    {
        $nodes = $timeline->tree->count();
        $this->time = array_fill(0, $nodes, 0);
        $this->entries = array_fill(0, $nodes, 0);
    }

    public static function callTree(Timeline $timeline, TimeRange $range): CallTree
    {
        $part = new self($timeline, $range);
        $part->addUp();

        return $part->tree();
    }

    private function addUp(): void
    {
        $timeline = $this->timeline;
        $range = $this->range;
        $clock = $timeline->slices === null ? null : new FiberClock($timeline->slices, $range);
        // main() lasts the whole time.
        $this->time[0] = $range->part(0, $timeline->duration);
        $this->entries[0] = 1;
        /** @var array<int, list<array{int, int}>> $open per fiber end and node of its open calls */
        $open = [];
        foreach ($timeline->t as $call => $start) {
            if ($start > $range->to) {
                break;
            }
            $fiber = $timeline->fiber[$call] ?? 0;
            $open[$fiber] ??= [];
            $stack = &$open[$fiber];
            while (($caller = end($stack)) !== false && $caller[0] <= $start) {
                array_pop($stack);
            }
            [$most, $callerNode] = $caller === false ? [$timeline->duration, 0] : $caller;
            $end = min($most, $start + $timeline->d[$call]);
            $start = min($most, $start);
            $node = $timeline->node[$call];
            $stack[] = [$end, $node];
            $time = $clock === null ? $range->part($start, $end) : $clock->at($fiber, $end) - $clock->at($fiber, $start);
            if ($time > 0 || ($start === $end && $range->holds($start))) {
                $this->entries[$node]++;
                $this->time[$node] += $time;
                $this->time[$callerNode] -= $time;
            }
        }
    }

    /**
     * How many calls the entries are. Those of a generator are more than its calls. That of a call whose fiber was resumed is where
     * it ended, while the run has counted it where it began.
     *
     * @return array<int, int> per node
     */
    private function calls(): array
    {
        $tree = $this->timeline->tree;
        $entries = array_count_values($this->timeline->node);
        $left = $calls = [];
        foreach ($tree->ct as $node => $ct) {
            $calls[$node] = $node === 0 ? 1 : min($entries[$node] ?? 0, $ct);
            $left[$tree->fn[$node]] = ($left[$tree->fn[$node]] ?? 0) + $ct - $calls[$node];
        }
        foreach ($tree->fn as $node => $fn) {
            $more = min(($entries[$node] ?? 0) - $calls[$node], $left[$fn]);
            if ($more > 0) {
                $calls[$node] += $more;
                $left[$fn] -= $more;
            }
        }

        return array_map(static fn (int $in, int $all): int => min($in, $all), $this->entries, $calls);
    }

    private function tree(): CallTree
    {
        $whole = $this->timeline->tree;
        $parents = $whole->parents();
        $met = $this->entries;
        for ($node = count($met) - 1; $node > 0; $node--) {
            if ($met[$node] > 0) {
                $met[$parents[$node]]++;
            }
        }
        $nodes = array_keys(array_filter($met));
        $pick = static fn (array $column): array => array_map(static fn (int $node): int => $column[$node], $nodes);

        $time = array_map(static fn (int $time): int => max(0, $time), $pick($this->time));

        return CallTree::fromColumns(
            $whole->names,
            $pick($whole->fn),
            $pick($whole->depth),
            ['ct' => $pick($this->calls()), 'self.wt' => $time],
            $whole->places,
            $whole->callLine === [] ? [] : $pick($whole->callLine),
        );
    }
}
