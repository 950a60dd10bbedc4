<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** Callers of single nodes of a call tree. Of a tree in a file only these are read. */
final class TreePaths
{
    /** @var array<int, int> callers, where they are known */
    private array $parents = [];

    /** @var array<int, int> calls, where they are known */
    private array $calls = [];

    /**
     * @param list<string>        $names
     * @param \Closure(int): int $function index of a node's name
     * @param \Closure(int): int $parent
     * @param \Closure(int): int $count  calls of a node
     */
    private function __construct(
        private readonly array $names,
        private readonly \Closure $function,
        private readonly \Closure $parent,
        private readonly \Closure $count,
    ) {
    }

    public static function ofTree(CallTree $tree): self
    {
        $parents = $tree->parents();

        return new self(
            $tree->names,
            static fn (int $node): int => $tree->fn[$node],
            static fn (int $node): int => $parents[$node],
            static fn (int $node): int => $tree->ct[$node],
        );
    }

    /** @return self|null null where the columns are no bytes: see TreeNodes::bytes() */
    public static function ofNodes(TreeNodes $nodes): ?self
    {
        $bytes = $nodes->bytes();

        return $bytes === null ? null : new self(
            $nodes->names,
            $bytes->function(...),
            static fn (int $node): int => $node === 0 ? -1 : $bytes->above($node, $bytes->depth($node) - 1),
            static fn (int $node): int => $nodes->at('ct', $node),
        );
    }

    /** @return int -1 for main() */
    public function parent(int $node): int
    {
        return $this->parents[$node] ??= ($this->parent)($node);
    }

    public function name(int $node): string
    {
        return $this->names[($this->function)($node)];
    }

    public function calls(int $node): int
    {
        return $this->calls[$node] ??= ($this->count)($node);
    }
}
