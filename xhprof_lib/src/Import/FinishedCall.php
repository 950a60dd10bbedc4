<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * A call, or several of one function by the same caller, with the calls it made.
 *
 * @internal
 */
final class FinishedCall
{
    /** Height of the calls below this one, itself included. */
    public int $height = 1;

    /** @var array<string, self> by name, marked by a NUL before it */
    public array $below = [];

    /** @var array<int, int> costs of the calls it made, per event */
    public array $passed = [];

    /**
     * @param array<int, int>       $costs  its own, per event
     * @param list<array<int, int>> $called costs of each call it made
     */
    public function __construct(public readonly string $name, public array $costs, array $called, public int $calls = 1)
    {
        foreach ($called as $call) {
            foreach ($call as $event => $cost) {
                $this->passed[$event] = ($this->passed[$event] ?? 0) + $cost;
            }
        }
    }

    /** @return int how many of them became one with others */
    public function take(self $callee): int
    {
        $this->height = max($this->height, $callee->height + 1);
        $known = $this->below["\0$callee->name"] ?? null;
        if ($known !== null) {
            return 1 + $known->merge($callee);
        }
        $this->below["\0$callee->name"] = $callee;

        return 0;
    }

    /** Adds another call of the same function by the same caller. */
    private function merge(self $other): int
    {
        $this->calls += $other->calls;
        $this->height = max($this->height, $other->height);
        foreach ($other->costs as $event => $cost) {
            $this->costs[$event] = ($this->costs[$event] ?? 0) + $cost;
        }
        $merged = 0;
        foreach ($other->below as $callee) {
            $merged += $this->take($callee);
        }

        return $merged;
    }
}
