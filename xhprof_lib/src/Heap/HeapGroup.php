<?php

declare(strict_types=1);

namespace XHProf\Heap;

/** All nodes of a type, all objects of a class, or all memory of an owner. */
final class HeapGroup
{
    /**
     * @param int    $id       its number in the index
     * @param string $type     type of its nodes
     * @param string $name     class of objects, owner of native memory; "" of a whole type
     * @param int    $bytes    of the heap's blocks
     * @param int    $size     bytes that they use
     * @param int    $retained bytes that would be free without all of them, those that one holds within another counted once
     */
    public function __construct(
        public readonly int $id,
        public readonly string $type,
        public readonly string $name,
        public readonly int $count,
        public readonly int $bytes,
        public readonly int $size,
        public readonly int $retained,
    ) {
    }
}
