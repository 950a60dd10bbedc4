<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\CallTreeBuilder;
use XHProf\Profile\CodePlace;
use XHProf\Profile\Metrics;

/** Collects call paths with their values and builds a call tree from them. Its root is main(), also if the file has none. */
final class PathTree
{
    public const ROOT = 0;

    private const MAX_NODES = 2000000;
    private const MAX_DEPTH = 50000;

    private readonly CallTreeBuilder $tree;

    /** @var list<int> per node */
    private array $depth = [0];

    /** @var array<int, int|float> */
    private array $calls = [];

    /** @var list<array{string, int}> name and node of each frame of the last path */
    private array $last = [];

    /** @var array<string, array<int, int|float>> */
    private array $figures = [];

    /** @var array<string, CodePlace> */
    private array $places = [];

    public function __construct()
    {
        $this->tree = new CallTreeBuilder();
        $this->tree->node(CallTreeBuilder::NONE, $this->tree->name(FrameName::MAIN));
    }

    /**
     * @return int the node of that function below another
     *
     * @throws InvalidProfile
     */
    public function below(int $caller, string $name): int
    {
        $node = $this->tree->node($caller, $this->tree->name(FrameName::normalize($name)));
        if ($node === count($this->depth)) {
            $depth = $this->depth[$caller] + 1;
            if ($node >= self::MAX_NODES || $depth > self::MAX_DEPTH) {
                throw new InvalidProfile('the call paths are too many or too deep');
            }
            $this->depth[] = $depth;
        }

        return $node;
    }

    /**
     * @param list<string> $stack outermost function first
     *
     * @throws InvalidProfile
     */
    public function path(array $stack): int
    {
        $node = self::ROOT;
        $isSame = true;
        foreach ($stack as $i => $name) {
            // Consecutive stacks mostly begin alike.
            $isSame = $isSame && isset($this->last[$i]) && $this->last[$i][0] === $name;
            if ($isSame) {
                $node = $this->last[$i][1];
                continue;
            }
            $node = $i === 0 && FrameName::isTop($name) ? self::ROOT : $this->below($node, $name);
            $this->last[$i] = [$name, $node];
        }
        for ($i = count($this->last); $i > count($stack); $i--) {
            array_pop($this->last);
        }

        return $node;
    }

    /**
     * Notes where the code of functions is, of those that are on any path.
     *
     * @param list<string>     $names
     * @param list<?CodePlace> $places per name
     */
    public function places(array $names, array $places): void
    {
        foreach ($names as $i => $name) {
            if (isset($places[$i])) {
                $this->places["\0" . (FrameName::isTop($name) ? FrameName::MAIN : FrameName::normalize($name))] ??= $places[$i];
            }
        }
    }

    public function addCalls(int $node, int|float $calls): void
    {
        $this->calls[$node] = ($this->calls[$node] ?? 0) + $calls;
    }

    /**
     * @param string $metric of the tree, "corrected_wt" or "allocated_bytes" too
     */
    public function add(string $metric, int $node, int|float $value): void
    {
        $this->figures[$metric][$node] = ($this->figures[$metric][$node] ?? 0) + $value;
    }

    /** @return int number of nodes */
    public function count(): int
    {
        return count($this->depth);
    }

    /** @return array<int, int> the nodes' places in tree() */
    public function positions(): array
    {
        return $this->tree->positions();
    }

    /**
     * @throws InvalidProfile if there is nothing, or too much
     */
    public function tree(): CallTree
    {
        if ($this->tree->count() === 1 && $this->figures === []) {
            throw new InvalidProfile('there are no call stacks');
        }
        foreach ($this->places === [] ? [] : $this->tree->names() as $function => $name) {
            $this->tree->place($function, $this->places["\0$name"] ?? null);
        }
        $this->calls[self::ROOT] ??= 1;
        $columns = ['ct' => $this->calls];
        $hasMetrics = false;
        foreach ($this->recorded() as $metric => $values) {
            $isCorrected = Metrics::isCorrected($metric) && Metrics::isCorrectable(Metrics::counterpart($metric));
            $columns[$isCorrected ? 'corrected.' . Metrics::counterpart($metric) : "self.$metric"] = $values;
            $hasMetrics = $hasMetrics || !$isCorrected;
        }

        return $this->tree->tree(
            $columns + ($hasMetrics ? [] : ['self.samples' => $this->calls]),
            self::whole(...),
        );
    }

    /**
     * Files of one metric may have one that a tree has only beside another: corrected times then stand for the times, and live
     * memory for the memory.
     *
     * @return array<string, array<int, int|float>> by metric
     */
    private function recorded(): array
    {
        $figures = [];
        foreach ($this->figures as $metric => $values) {
            $raw = Metrics::counterpart($metric);
            $isAlone = Metrics::isCorrected($metric) && Metrics::isCorrectable($raw) && !isset($this->figures[$raw]);
            $figures[$isAlone ? $raw : $metric] = $values;
        }
        $others = array_filter(array_keys($figures), static fn (string $metric): bool => !Metrics::isAllocation($metric));
        if ($others === [] && isset($figures['live_bytes'])) {
            $figures['mu'] = $figures['live_bytes'];
            unset($figures['live_bytes'], $figures['live_blocks']);
        }

        return $figures;
    }

    /**
     * Rounds the running sum: fractions of many paths add up to what the file has.
     *
     * @param list<int|float> $column
     *
     * @return list<int>
     *
     * @throws InvalidProfile
     */
    private static function whole(array $column): array
    {
        $whole = [];
        $fraction = 0.0;
        foreach ($column as $value) {
            if (is_float($value)) {
                if (!is_finite($value) || abs($value) > 1e18) {
                    throw new InvalidProfile('a figure is too large');
                }
                // Only fractions are carried on: sums of large floats would lose them.
                $down = floor($value);
                $fraction += $value - $down;
                $carried = (int) floor($fraction + 0.5);
                $value = (int) $down + $carried;
                $fraction -= $carried;
            }
            $whole[] = $value;
        }

        return $whole;
    }
}
