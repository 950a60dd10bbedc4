<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;

/**
 * Collects call paths with their figures and makes a call tree of them. Its root is main(), also where the file has none.
 */
final class PathTree
{
    public const ROOT = 0;

    private const MOST_NODES = 2000000;
    private const MOST_DEPTH = 50000;

    /** What other tools call the top of a program. */
    private const MAIN = ['main()' => true, '{main}' => true];

    /** @var array<string, int> */
    private array $names = ["\0main()" => 0];

    /** @var non-empty-list<int> */
    private array $fn = [0];

    /** @var list<int> */
    private array $depth = [0];

    /** @var list<array<int, int>> name => node, per node */
    private array $below = [[]];

    /** @var array<int, int|float> */
    private array $calls = [];

    /** @var list<array{string, int}> name and node of each frame of the last path */
    private array $last = [];

    /** @var array<string, array<int, int|float>> */
    private array $figures = [];

    /**
     * @return int the node of that function below another
     *
     * @throws InvalidProfile
     */
    public function below(int $caller, string $name): int
    {
        if (!EdgeKey::isName($name)) {
            throw new InvalidProfile($name === '' ? 'a function has no name' : "a function is named by a number only, $name");
        }
        // Marked, for PHP turns "12" into 12.
        $index = $this->names["\0$name"] ??= count($this->names);
        $node = $this->below[$caller][$index] ?? null;
        if ($node === null) {
            $node = count($this->fn);
            $depth = $this->depth[$caller] + 1;
            if ($node >= self::MOST_NODES || $depth > self::MOST_DEPTH) {
                throw new InvalidProfile('there are too many call paths, or they are too deep');
            }
            $this->below[$caller][$index] = $node;
            $this->fn[] = $index;
            $this->depth[] = $depth;
            $this->below[] = [];
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
            // Stacks that follow each other mostly begin alike.
            $isSame = $isSame && isset($this->last[$i]) && $this->last[$i][0] === $name;
            if ($isSame) {
                $node = $this->last[$i][1];
                continue;
            }
            $node = $i === 0 && isset(self::MAIN[$name]) ? self::ROOT : $this->below($node, $name);
            $this->last[$i] = [$name, $node];
        }
        array_splice($this->last, count($stack));

        return $node;
    }

    public function addCalls(int $node, int|float $calls): void
    {
        $this->calls[$node] = ($this->calls[$node] ?? 0) + $calls;
    }

    /**
     * @param string $metric of the tree, "corrected_wt" or "allocated_bytes" too
     */
    public function add(string $metric, int $node, int|float $figure): void
    {
        $this->figures[$metric][$node] = ($this->figures[$metric][$node] ?? 0) + $figure;
    }

    /**
     * @throws InvalidProfile
     */
    public function tree(): CallTree
    {
        if (count($this->fn) === 1 && $this->figures === []) {
            throw new InvalidProfile('there are no call stacks');
        }
        $this->calls[self::ROOT] ??= 1;
        $names = array_map(static fn (string $name): string => substr($name, 1), array_keys($this->names));
        $data = ['names' => $names, 'fn' => [], 'depth' => [], 'ct' => [], 'self' => [], 'corrected' => []];
        $order = $this->preorder();
        foreach ($order as $node) {
            $data['fn'][] = $this->fn[$node];
            $data['depth'][] = $this->depth[$node];
            $data['ct'][] = self::whole($this->calls[$node] ?? 0);
        }
        foreach ($this->figures as $metric => $figures) {
            $column = [];
            foreach ($order as $node) {
                $column[] = self::whole($figures[$node] ?? 0);
            }
            if (in_array($metric, ['corrected_wt', 'corrected_cpu'], true)) {
                $data['corrected'][substr($metric, 10)] = $column;
            } else {
                $data['self'][$metric] = $column;
            }
        }
        if ($data['self'] === []) {
            $data['self'] = ['samples' => $data['ct']];
        }

        return CallTree::fromArray($data);
    }

    /**
     * @return list<int> nodes, callees in the order they came
     */
    private function preorder(): array
    {
        $order = [];
        $open = [self::ROOT];
        while (($node = array_pop($open)) !== null) {
            $order[] = $node;
            foreach (array_reverse($this->below[$node]) as $child) {
                $open[] = $child;
            }
        }

        return $order;
    }

    /**
     * @throws InvalidProfile
     */
    private static function whole(int|float $figure): int
    {
        if (is_float($figure) && (!is_finite($figure) || abs($figure) > 1e18)) {
            throw new InvalidProfile('a figure is too large');
        }

        return (int) round($figure);
    }
}
