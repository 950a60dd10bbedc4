<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/**
 * Builds call paths from events: the beginning and the end of each call, in the order of time, each with the values of some
 * counters. The increase of a counter since the last event is added to the function that ran between the two.
 *
 * @internal
 */
final class CallEvents
{
    /** @var non-empty-list<int> nodes of the calls that run, main() first */
    private array $open = [PathTree::ROOT];

    /** @var array<int, int|float>|null counters of the last event; null before the first */
    private ?array $last = null;

    /**
     * @param list<array{string, int|float}|null> $metrics metric and factor of each counter; null for one that is left out
     */
    public function __construct(private readonly PathTree $tree, private readonly array $metrics)
    {
    }

    /** @return int number of calls that run, without main() */
    public function depth(): int
    {
        return count($this->open) - 1;
    }

    /**
     * Begins a call.
     *
     * @param array<int, int|float> $counters
     *
     * @return int node of the call in the tree
     *
     * @throws InvalidProfile
     */
    public function begin(string $name, array $counters): int
    {
        $this->at($counters);
        $caller = $this->open[count($this->open) - 1];
        $isTop = $caller === PathTree::ROOT && FrameName::isTop($name);
        $node = $isTop ? PathTree::ROOT : $this->tree->below($caller, $name);
        $this->tree->addCalls($node, 1);
        $this->open[] = $node;

        return $node;
    }

    /**
     * Ends the innermost calls, until $depth calls run.
     *
     * @param array<int, int|float> $counters
     */
    public function end(int $depth, array $counters): void
    {
        $this->at($counters);
        while (count($this->open) > $depth + 1 && count($this->open) > 1) {
            array_pop($this->open);
        }
    }

    /**
     * Adds the increase of the counters to the function that runs.
     *
     * @param array<int, int|float> $counters
     */
    public function at(array $counters): void
    {
        $node = $this->open[count($this->open) - 1];
        foreach ($this->last === null ? [] : $counters as $i => $value) {
            $metric = $this->metrics[$i] ?? null;
            if ($metric !== null) {
                $this->tree->add($metric[0], $node, ($value - ($this->last[$i] ?? 0)) * $metric[1]);
            }
        }
        $this->last = $counters + ($this->last ?? []);
    }
}
