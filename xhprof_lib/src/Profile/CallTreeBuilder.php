<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Builds a call tree path by path: a node is identified by its calling node and its function. Nodes are numbered in order of
 * arrival; the tree has them in preorder, the callees of a node in order of arrival.
 *
 * @internal
 */
final class CallTreeBuilder
{
    /** The root's caller. */
    public const NONE = -1;

    /**
     * More functions than any tree has. Odd, so that neither a node's callees nor a function's callers share lower bits: PHP's
     * hash tables place integer keys by these.
     */
    private const FUNCTIONS = 16777213;

    /** The only node without a caller, whatever its name. */
    private const ROOT = 0;

    /** @var array<string, int> no name is a number: see EdgeKey::isName() */
    private array $names = [];

    /** @var list<int> per node */
    private array $fn = [];

    /** @var array<int, int> calling node and function => node */
    private array $nodes = [];

    /** @var array<int, CodePlace> by the number of a function */
    private array $places = [];

    /** @var array<int, int> by node */
    private array $callLines = [];

    /**
     * @param string $name a valid one: see EdgeKey::isName()
     *
     * @return int the number of that function
     */
    public function name(string $name): int
    {
        return $this->names[EdgeKey::escaped($name)] ??= count($this->names);
    }

    /** Notes where a function's code is; the first place of a name counts. */
    public function place(int $function, ?CodePlace $place): void
    {
        if ($place !== null) {
            $this->places[$function] ??= $place;
        }
    }

    /** Notes the line from which a path was first called; 0: not known. */
    public function callLine(int $node, int $line): void
    {
        if ($line > 0) {
            $this->callLines[$node] ??= $line;
        }
    }

    /**
     * @param int $caller   a node, NONE for the root
     * @param int $function of name()
     *
     * @return int the node of that path, made where there was none: it is count() - 1 then
     */
    public function node(int $caller, int $function): int
    {
        $key = $caller === self::NONE ? self::ROOT : ($caller + 1) * self::FUNCTIONS + $function;
        $node = $this->nodes[$key] ??= count($this->fn);
        if ($node === count($this->fn)) {
            $this->fn[] = $function;
        }

        return $node;
    }

    /** @return int number of nodes */
    public function count(): int
    {
        return count($this->fn);
    }

    /** @return list<string> */
    public function names(): array
    {
        return array_keys($this->names);
    }

    /** @return list<int> per node the number of its function */
    public function fn(): array
    {
        return $this->fn;
    }

    /** @return array<int, int> per node its place in tree() */
    public function positions(): array
    {
        return array_flip($this->preorder()[0]);
    }

    /** @return list<int> per node the one that calls it, an earlier one; NONE for the root */
    public function parents(): array
    {
        return array_map(static fn (int $key): int => intdiv($key, self::FUNCTIONS) - 1, array_keys($this->nodes));
    }

    /**
     * @param iterable<string, array<int, int|float>>      $columns named as CallTree::columns(), a value per node, 0 unless
     *     given; read one at a time, because a column of a large tree is big
     * @param (\Closure(list<int|float>, string, list<int>): list<int>)|null $whole rounds the values, in preorder, of the column of
     *     that name, with the function of each; null if they are integers
     *
     * @throws InvalidProfile
     */
    public function tree(iterable $columns, ?\Closure $whole = null): CallTree
    {
        [$order, $depth] = $this->preorder();
        $fn = [];
        foreach ($order as $node) {
            $fn[] = $this->fn[$node];
        }
        $ordered = static function () use ($columns, $order, $whole, $fn): \Generator {
            foreach ($columns as $name => $values) {
                $column = [];
                foreach ($order as $node) {
                    $column[] = $values[$node] ?? 0;
                }
                unset($values);
                $column = $whole === null ? $column : $whole($column, $name, $fn);
                /** @var list<int> $column */
                yield $name => $column;
            }
        };

        $places = array_map(fn (int $function): ?CodePlace => $this->places[$function] ?? null, array_values($this->names));
        $lines = $this->callLines === []
            ? []
            : array_map(fn (int $node): int => $this->callLines[$node] ?? 0, $order);

        return CallTree::fromColumns($this->names(), $fn, $depth, $ordered(), CodePlaces::fromPlaces($places), $lines);
    }

    /**
     * @return array{0: list<int>, 1: list<int>} nodes in preorder, the depth of each
     */
    private function preorder(): array
    {
        $children = [];
        foreach ($this->nodes as $key => $node) {
            $children[intdiv($key, self::FUNCTIONS)][] = $node;
        }
        $order = [];
        $depth = [];
        $open = array_map(static fn (int $node): array => [$node, 0], $children[self::ROOT] ?? []);
        while (($next = array_pop($open)) !== null) {
            [$node, $level] = $next;
            $order[] = $node;
            $depth[] = $level;
            foreach (array_reverse($children[$node + 1] ?? []) as $child) {
                $open[] = [$child, $level + 1];
            }
        }

        return [$order, $depth];
    }
}
