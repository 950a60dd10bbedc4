<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\CallTree;

/**
 * Stacks of a call tree as packed numbers of locations, leaf first, as pprof and OTLP have them. A caller's location is at the
 * line of the call. Nodes are entered in the order of the tree.
 *
 * @internal
 */
final class PackedStacks
{
    /** Most frames of a path in formats that repeat whole paths: deeper ones end in DEEPER, as in the dumps of the extension. */
    public const DEEPEST = 960;
    public const DEEPER = '(deeper)';

    /** @var array<int, int> by depth */
    private array $functions = [];

    /** @var array<int, string> by depth: the locations of the callers */
    private array $callers = [0 => ''];

    /** @param \Closure(int, int): int $location number of the location of a function at a line, 0 for none */
    public function __construct(private readonly CallTree $tree, private readonly \Closure $location)
    {
    }

    /** @return int its depth, which has a bound: deeper paths end in DEEPER, the function behind the last */
    public function enter(int $node): int
    {
        $depth = min($this->tree->depth[$node], self::DEEPEST);
        if ($depth > 0) {
            $caller = ($this->location)($this->functions[$depth - 1], $this->tree->callLine[$node] ?? 0);
            $this->callers[$depth] = Proto::varint($caller) . $this->callers[$depth - 1];
        }
        $this->functions[$depth] = $depth < self::DEEPEST ? $this->tree->fn[$node] : count($this->tree->names);

        return $depth;
    }

    /** @param int $depth of the node that was entered last there */
    public function at(int $depth): string
    {
        return Proto::varint(($this->location)($this->functions[$depth], 0)) . $this->callers[$depth];
    }
}
