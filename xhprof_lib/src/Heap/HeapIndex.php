<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * A heap snapshot that can be asked: who refers to what, what keeps it alive, how much would be free without it. Made once from
 * the snapshot's file, then kept in this user's cache, so that a page reads a few kilobytes of it only. Names in answers are
 * any bytes: Text::printable() or VisibleName before they are shown.
 *
 * @phpstan-type Details array{refcount?: int, length?: int, value?: string, file?: string, line?: int, shared?: true}
 * @phpstan-type Tier array{bytes: int, blocks: int}
 * @phpstan-type Summary array{nodes: int, edges: int, usage: int, typed: Tier, native: Tier, unreachable: Tier,
 *     shared_bytes: int, outside_bytes: int, typed_percent: float, unreadable: int, incomplete: bool}
 * @phpstan-type Holder array{text: string, count: int, bytes: int, retained: int, example: HeapNode}
 * @phpstan-type Allocation array{path: list<string>, count: int, bytes: int}
 * @phpstan-type Suspect array{kind: 'accumulates'|'garbage'|'unreachable', node: HeapNode, bytes: int, count: int, of: string,
 *     path: string}
 */
final class HeapIndex
{
    /** Types whose name is a class: each of their classes is a group. */
    public const OBJECTS = ['object', 'closure', 'generator', 'fiber', 'enum case'];

    /**
     * Opens the index of a snapshot; makes it first if there is none, which takes seconds for a million nodes.
     *
     * @param string $file a snapshot of the format xhprof-heap
     * @param (\Closure(string $what, int $done, int $of): void)|null $progress told a few times a second while it is made
     * @param int|null $mostNodes more nodes than this are refused before they fill the memory; null for the default
     *
     * @throws \XHProf\Exception\StoreError when the file cannot be read
     * @throws \XHProf\Exception\DamagedSnapshot when it is none, or hostile
     */
    public static function open(string $file, ?\Closure $progress = null, ?int $mostNodes = null): self
    {
        throw new \LogicException('to come');
    }

    /** Whether the index is there, so that open() will be quick. */
    public static function isReady(string $file): bool
    {
        return false;
    }

    /** Removes the index of a snapshot that is to be deleted. */
    public static function discard(string $file): void
    {
    }

    /**
     * The first line of the file: php, pid, sapi, host, command, time, reader, stopped, usage, peak, real_usage, limit, chunks,
     * max_string, redacted; what is not known is left out.
     *
     * @return array<string, int|float|string|bool>
     */
    public function header(): array
    {
        return [];
    }

    /** @return Summary of the last line; where that is missing, of the nodes that are there */
    public function summary(): array
    {
        throw new \LogicException('to come');
    }

    /** @return list<string> sentences on what is wrong with the file: it is cut, references lead nowhere ... */
    public function notes(): array
    {
        return [];
    }

    /** @return list<HeapGroup> one per type, most bytes first */
    public function types(): array
    {
        return [];
    }

    /** @return list<HeapGroup> one per class that has objects, most bytes first */
    public function classes(): array
    {
        return [];
    }

    /** @return list<HeapGroup> one per owner of native memory, most bytes first */
    public function owners(): array
    {
        return [];
    }

    /** @return HeapGroup|null the objects of a class; its name in any case, with or without a leading "\" */
    public function group(string $class): ?HeapGroup
    {
        return null;
    }

    /** @return list<HeapGroup> classes, owners and types whose name contains the text, in any case; most bytes first */
    public function search(string $text, int $limit = 50): array
    {
        return [];
    }

    /** @return list<HeapNode> nodes of a group (class, type or owner), the most retained first */
    public function members(HeapGroup $group, int $offset = 0, int $limit = 50): array
    {
        return [];
    }

    /** @return HeapNode|null what is at an address */
    public function node(int $address): ?HeapNode
    {
        return null;
    }

    /** @return list<HeapNode> the roots */
    public function roots(): array
    {
        return [];
    }

    /** @return Details what else the file tells of a node; value: the beginning of a string, which is length bytes long */
    public function details(HeapNode $node): array
    {
        return [];
    }

    /** @return list<HeapReference> what the node refers to, in the order of the file; $node->references of them in all */
    public function references(HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        return [];
    }

    /** @return list<HeapReference> what refers to the node; $node->referrers of them in all */
    public function referrers(HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        return [];
    }

    /** @return list<HeapNode> what is dominated directly, the most retained first; null: the top of the tree, without the garbage */
    public function dominated(?HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        return [];
    }

    /** @return list<HeapNode> what must go for the node to go, the outermost first, without itself */
    public function dominators(HeapNode $node): array
    {
        return [];
    }

    /** The shortest way from a root to the node. */
    public function path(HeapNode $node): HeapPath
    {
        return new HeapPath([], '');
    }

    /** @return list<HeapPath> the shortest way through each of what refers to the node, the shortest first */
    public function paths(HeapNode $node, int $limit = 10): array
    {
        return [];
    }

    /**
     * Who keeps the nodes of a group: their shortest paths, with all elements of a list as one ("[*]").
     *
     * @return list<Holder> the most retained first
     */
    public function holders(HeapGroup $group, int $limit = 20): array
    {
        return [];
    }

    /** Whether the snapshot tells by which call path its blocks were allocated. */
    public function hasAllocations(): bool
    {
        return false;
    }

    /** @return list<string> functions from main() to the one that allocated the node; none where that is not known */
    public function allocation(HeapNode $node): array
    {
        return [];
    }

    /** @return list<Allocation> call paths that allocated the nodes of the group (null: of all), most bytes first */
    public function allocations(?HeapGroup $group, int $limit = 20): array
    {
        return [];
    }

    /**
     * What may be a leak: containers that keep much in many small parts; objects that nothing keeps but that were not freed
     * (garbage cycles); blocks that nothing refers to.
     *
     * @return list<Suspect> most bytes first within each kind
     */
    public function suspects(int $limit = 20): array
    {
        return [];
    }

    /**
     * @param 'string'|'array' $type
     * @return list<HeapNode> the largest strings by bytes, arrays by what they retain
     */
    public function largest(string $type, int $limit = 50): array
    {
        return [];
    }
}
