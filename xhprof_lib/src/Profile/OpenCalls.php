<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * The calls of a timeline that are open at a time: each fiber has a stack of them. Calls end with their callers, whatever the file
 * says.
 */
final class OpenCalls
{
    /** @var array<int, list<array{int, int}>> per fiber end and node of its open calls */
    private array $open = [];

    public function __construct(private readonly Timeline $timeline)
    {
    }

    /**
     * All calls begin once, in the order of the timeline.
     *
     * @return array{int, int, int|null} start and end of the call, and the node of its caller: null for the outermost of a fiber
     */
    public function begin(int $call): array
    {
        $timeline = $this->timeline;
        $start = $timeline->t[$call];
        $fiber = $timeline->fiber[$call] ?? 0;
        $this->open[$fiber] ??= [];
        $stack = &$this->open[$fiber];
        while (($caller = end($stack)) !== false && $caller[0] <= $start) {
            array_pop($stack);
        }
        [$most, $callerNode] = $caller === false ? [$timeline->duration, null] : $caller;
        $end = min($most, $start + $timeline->d[$call]);
        $stack[] = [$end, $timeline->node[$call]];

        return [min($most, $start), $end, $callerNode];
    }

    /** @return int|null the node of the innermost call of a fiber that is open after this time; null for none */
    public function innermost(int $fiber, int $time): ?int
    {
        $stack = $this->open[$fiber] ?? [];
        for ($last = count($stack) - 1; $last >= 0 && $stack[$last][0] <= $time; $last--) {
            // Others may begin in the same nanosecond: it stays until then.
        }

        return $stack[$last][1] ?? null;
    }
}
