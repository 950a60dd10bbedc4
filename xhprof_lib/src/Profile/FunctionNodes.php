<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Finds the nodes of a few functions in the bytes of a call tree's columns, and the edges that they make with their callers and
 * callees: what they take is the sum of ranges of the exclusive columns. Nothing else of a large tree is looked at.
 *
 * @internal
 */
final class FunctionNodes
{
    /** @var list<int> nodes that are open around the one that is looked at, by depth */
    private array $path = [];

    /** @var array<int, int> how many of them a function has */
    private array $open = [];

    /** @var array<string, array<string, int>> by caller, '' for none, and callee the edge */
    private array $edges = [];

    /** @var list<array{int, int}> per edge where its first call ended, and began, below 0: that of callees is before their callers' */
    private array $order = [];

    /** @var array{list<int>, list<int>, list<int>} per node its edge, itself, and the first node behind all below it */
    private array $found = [[], [], []];

    private function __construct(private readonly TreeNodes $nodes, private readonly TreeBytes $bytes)
    {
    }

    /**
     * @param list<string> $names of functions
     * @param list<int>    $found their nodes, as TreeBytes finds them
     *
     * @return FoldedEdges|null the edges of all levels of these, as EdgeFolder has them; null if the columns are no bytes
     */
    public static function edges(TreeNodes $nodes, array $names, array $found): ?FoldedEdges
    {
        $bytes = $nodes->bytes();
        if ($bytes === null) {
            return null;
        }
        $self = new self($nodes, $bytes);
        $wanted = [];
        foreach ($names as $name) {
            $wanted += array_fill_keys(array_keys($nodes->names, $name, true), true);
        }
        foreach ($found as $node) {
            $self->around($node, $wanted);
        }

        return $self->folded();
    }

    /** @param array<int, true> $wanted functions whose nodes are looked at themselves */
    private function around(int $node, array $wanted): void
    {
        $depth = $this->bytes->depth($node);
        $this->climb($node, $depth);
        $open = $this->open;
        $caller = $depth > 0 ? $this->bytes->function($this->path[$depth - 1]) : null;
        $function = $this->bytes->function($node);
        $label = $this->label($function, $open[$function] ?? 0);
        $end = $this->bytes->end($node, $depth);
        $this->add($caller === null ? '' : $this->label($caller, $open[$caller] - 1), $label, $node, $end);
        $open[$function] = ($open[$function] ?? 0) + 1;
        for ($callee = $node + 1; $callee < $end; $callee = $behind) {
            if ($this->bytes->depth($callee) !== $depth + 1) {
                throw $this->bytes->orphan();
            }
            $behind = $this->bytes->end($callee, $depth + 1);
            $function = $this->bytes->function($callee);
            if (!isset($wanted[$function])) {
                $this->add($label, $this->label($function, $open[$function] ?? 0), $callee, $behind);
            }
        }
    }

    /** Finds what is open around a node: most of it was open around the one before. */
    private function climb(int $node, int $depth): void
    {
        $above = [];
        for ([$at, $level] = [$node, $depth - 1]; $level >= 0; $level--) {
            $at = $this->bytes->above($at, $level);
            if ($at === ($this->path[$level] ?? null)) {
                break;
            }
            $above[] = $at;
        }
        while (count($this->path) > $level + 1) {
            $this->open[$this->bytes->function((int) array_pop($this->path))]--;
        }
        foreach (array_reverse($above) as $at) {
            $this->path[] = $at;
            $function = $this->bytes->function($at);
            $this->open[$function] = ($this->open[$function] ?? 0) + 1;
        }
    }

    private function label(int $function, int $level): string
    {
        return $level > 0 ? "{$this->nodes->names[$function]}@$level" : $this->nodes->names[$function];
    }

    private function add(string $caller, string $callee, int $node, int $end): void
    {
        $edge = $this->edges[$caller][$callee] ?? null;
        if ($edge === null) {
            $edge = $this->edges[$caller][$callee] = count($this->order);
            $this->order[] = [$end, -$node];
        }
        $this->found[0][] = $edge;
        $this->found[1][] = $node;
        $this->found[2][] = $end;
    }

    private function folded(): FoldedEdges
    {
        [$edges, $nodes, $ends] = $this->found;
        $calls = $this->nodes->before(['ct'], [...$nodes, ...array_map(static fn (int $node): int => $node + 1, $nodes)])['ct'];
        $before = $this->nodes->before($this->nodes->metrics, [...$nodes, ...$ends, 1]);
        $blank = array_fill(0, count($this->order), 0);
        $figures = ['ct' => $blank] + array_fill_keys($this->nodes->metrics, $blank);
        foreach ($edges as $i => $edge) {
            $figures['ct'][$edge] += $calls[$nodes[$i] + 1] - $calls[$nodes[$i]];
        }
        foreach ($before as $metric => $sums) {
            foreach ($edges as $i => $edge) {
                $figures[$metric][$edge] += $sums[$ends[$i]] - $sums[$nodes[$i]];
            }
        }
        $names = [];
        foreach ($this->edges as $caller => $callees) {
            foreach ($callees as $callee => $edge) {
                $names[$edge] = [$caller, $callee];
            }
        }
        $ended = $this->order;
        asort($ended);
        $numbers = ['' => -1];
        $caller = $callee = [];
        $order = array_keys($ended);
        foreach ($order as $edge) {
            [$from, $to] = $names[$edge];
            $caller[] = $numbers[$from] ??= count($numbers) - 1;
            $callee[] = $numbers[$to] ??= count($numbers) - 1;
        }
        unset($numbers['']);
        $sorted = static fn (array $column): array => array_map(static fn (int $edge): int => $column[$edge], $order);

        return new FoldedEdges(array_keys($numbers), $caller, $callee, array_map($sorted, $figures));
    }
}
