<?php

declare(strict_types=1);

namespace XHProf\Heap;

/** A retaining path: from a root to the node. */
final class HeapPath
{
    /**
     * @param list<array{reference: HeapReference|null, node: HeapNode}> $steps the root first, without a reference; each node
     *     with the reference from the one before it, without one if those before it are omitted
     * @param string $text as PHP would write it: "$GLOBALS['cache']->items[12]->owner"; any bytes
     * @param int  $omitted nodes left out of the middle of a long path
     * @param bool $isLive false: nothing keeps the node, the path begins at a node that is garbage or only weakly held
     */
    public function __construct(
        public readonly array $steps,
        public readonly string $text,
        public readonly bool $isLive = true,
        public readonly int $omitted = 0,
    ) {
    }
}
