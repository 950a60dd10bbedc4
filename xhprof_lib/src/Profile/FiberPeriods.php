<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * When the fibers of a run were on the engine's stack: from when a call of another fiber has resumed them until they suspended or
 * ended, also while one ran that they had resumed. A timeline has when they ran, but for what was shorter than its threshold: see
 * skip(). The scripts compute the same in assets/js/profile/fiber-clock.js.
 */
final class FiberPeriods
{
    /** @var list<array{int, int, int}> what is on the stack, what runs last: fiber, since when, node of what resumed it */
    private array $stack = [];

    /** @var array<int, true> the fibers of the stack */
    private array $stacked = [];

    /** @var list<array{int, int, int, int}> start, end, fiber, node of the call that resumed it: in order of their ends */
    private array $periods = [];

    private readonly OpenCalls $open;

    /** The first call that has not begun. */
    private int $next = 0;

    /** The fiber that was seen last for the first time. */
    private int $newest = 0;

    /** @var array<int, int> per fiber its first call */
    private array $first = [];

    private function __construct(private readonly Timeline $timeline)
    {
        $this->open = new OpenCalls($timeline);
        foreach ($timeline->fiber ?? [] as $call => $fiber) {
            $this->first[$fiber] ??= $call;
        }
        $this->push(0, 0, 0);
    }

    /**
     * @return list<array{int, int, int, int}> start, end, fiber, node of what resumed it; of each fiber in the order of time
     */
    public static function of(Timeline $timeline): array
    {
        $made = new self($timeline);
        $last = 0;
        foreach ($timeline->slices ?? [] as [$start, $end, $fiber]) {
            $start = max($last, $start);
            $end = min($timeline->duration, $end);
            if ($end > $start) {
                $made->skip($last, $start);
                $made->run($fiber, $start);
                $last = $end;
            }
        }
        $made->skip($last, $timeline->duration);
        while ($made->stack !== []) {
            $made->pop($timeline->duration);
        }

        return $made->periods;
    }

    /**
     * What ran in this time was too short for the timeline. Calls that began in it have fibers; without any, the fiber that ran
     * before has suspended, as those that a loop resumes do.
     */
    private function skip(int $from, int $to): void
    {
        if ($to <= $from) {
            return;
        }
        $this->beginUntil($from);
        $fiber = $this->beginUntil($to);
        if ($fiber !== null && isset($this->stacked[$fiber])) {
            $this->popTo($fiber, $from);
        } elseif (count($this->stack) > 1) {
            $this->pop($from);
        }
    }

    private function run(int $fiber, int $time): void
    {
        if (isset($this->stacked[$fiber])) {
            $this->popTo($fiber, $time);

            return;
        }
        $node = $this->resumer($time);
        if ($node !== 0 && $this->hasResumedTheFirst($fiber)) {
            $this->pop($time);
            $node = 0;
        }
        $this->push($fiber, $time, $node);
        $this->newest = max($this->newest, $fiber);
    }

    /** @return int the node of the innermost open call of all fibers on the stack */
    private function resumer(int $time): int
    {
        $this->beginUntil($time);
        [$fiber, , $node] = $this->stack[count($this->stack) - 1];

        return $this->open->innermost($fiber, $time) ?? $node;
    }

    /** @return int|null the fiber of the last call that began since the last time; null for none */
    private function beginUntil(int $time): ?int
    {
        $starts = $this->timeline->t;
        $first = $this->next;
        for ($count = count($starts); $this->next < $count && $starts[$this->next] <= $time; $this->next++) {
            $this->open->begin($this->next);
        }

        return $this->next > $first ? $this->timeline->fiber[$this->next - 1] ?? 0 : null;
    }

    /**
     * Whether a fiber that is seen now had resumed the one that ran at the start of the run, which has suspended. No call of the
     * run has resumed it, so what it calls is called by main(), and began there.
     */
    private function hasResumedTheFirst(int $fiber): bool
    {
        $tree = $this->timeline->tree;
        $node = $this->timeline->node[$this->first[$fiber] ?? -1] ?? 0;

        return count($this->stack) === 1 && $fiber > $this->newest && $tree->depth[$node] === 1 && $tree->ct[$node] > 0;
    }

    private function push(int $fiber, int $time, int $node): void
    {
        $this->stack[] = [$fiber, $time, $node];
        $this->stacked[$fiber] = true;
    }

    private function popTo(int $fiber, int $time): void
    {
        while ($this->stack[count($this->stack) - 1][0] !== $fiber) {
            $this->pop($time);
        }
    }

    private function pop(int $time): void
    {
        $popped = array_pop($this->stack);
        if ($popped !== null) {
            [$fiber, $start, $node] = $popped;
            unset($this->stacked[$fiber]);
            $this->periods[] = [$start, $time, $fiber, $node];
        }
    }
}
