<?php

declare(strict_types=1);

namespace XHProf\Heap;

/** A node of a part of the dominator tree. */
final class RetainedBranch
{
    /** @var list<self> the largest nodes that it dominates directly; none where the part ends */
    public array $children = [];

    /** Number and bytes of the others that it dominates directly. */
    public int $more;
    public int $moreBytes;

    /** @var list<string> classes and types of the first of these, the most retained bytes first; none if they are few bytes */
    public array $kinds = [];

    /** Type of those of them that retain most together; '' as above. */
    public string $moreType = '';

    /**
     * @param HeapNode|null $node null: the top of the tree, which is the whole heap
     * @param string $by the reference that leads to the node, "->items"; '' if the dominator does not refer to it itself
     * @param int $bytes retained; of the top those of the heap
     * @param int $dominated number of nodes that it dominates directly
     */
    public function __construct(
        public readonly ?HeapNode $node,
        public readonly string $by,
        public readonly int $bytes,
        public readonly int $dominated,
    ) {
        $this->more = $dominated;
        $this->moreBytes = $bytes - ($node->block ?? 0);
    }
}
