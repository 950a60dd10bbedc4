<?php

declare(strict_types=1);

namespace XHProf\Heap;

/** A node of a heap snapshot, as the index has it; HeapIndex::details() reads the rest. */
final class HeapNode
{
    /**
     * @param int    $id       its number in the index, from 0; changes from snapshot to snapshot
     * @param int    $address  in the process; of roots a number from 1
     * @param string $type     "object", "string", "array table" ...
     * @param string $name     class of an object; name of a function, class, constant, root; owner of native memory; or ""
     * @param int    $size     bytes that it uses
     * @param int    $block    bytes of the heap that it accounts for; 0: within another's, or not in the heap
     * @param int    $retained retained size in bytes of the heap: its own and those of all nodes that it dominates
     * @param bool   $isLive   whether a root keeps it, by references that are not weak
     * @param int    $references number of its references
     * @param int    $referrers  number of references to it
     * @param int    $dominated  number of nodes it dominates directly
     */
    public function __construct(
        public readonly int $id,
        public readonly int $address,
        public readonly string $type,
        public readonly string $name,
        public readonly int $size,
        public readonly int $block,
        public readonly int $retained,
        public readonly bool $isLive,
        public readonly int $references,
        public readonly int $referrers,
        public readonly int $dominated,
    ) {
    }

    /** "0x7f12a4c01e00", as in URLs and tools. */
    public function hex(): string
    {
        return sprintf('0x%x', $this->address);
    }

    /** "Foo", "string", "function Foo::bar", "root global_variables": not escaped, any bytes. */
    public function title(): string
    {
        return self::titleOf($this->type, $this->name);
    }

    /** Returns the title() of a node with this type and name. */
    public static function titleOf(string $type, string $name): string
    {
        return match (true) {
            $name === '', $type === 'array table', $name === $type => $type,
            in_array($type, HeapIndex::OBJECTS, true), str_contains($name, $type) => $name,
            default => "$type $name",
        };
    }
}
