<?php

declare(strict_types=1);

namespace XHProf\Heap;

/** How a root keeps a node alive: from the root to the node. */
final class HeapPath
{
    /**
     * @param list<array{reference: HeapReference|null, node: HeapNode}> $steps the root first, without a reference; each node
     *     with the reference by which the one before it holds it, without where those before it are omitted
     * @param string $text as PHP would write it: "$GLOBALS['cache']->items[12]->owner"; any bytes
     * @param int  $omitted nodes in the middle that are not told, for the way is too long
     * @param bool $isLive false: nothing keeps the node, the path begins at what is garbage or only weakly held
     */
    public function __construct(
        public readonly array $steps,
        public readonly string $text,
        public readonly bool $isLive = true,
        public readonly int $omitted = 0,
    ) {
    }
}
