<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Exception\StoreError;
use XHProf\File\OpenFile;

/**
 * The index of a heap snapshot: referrers, retaining paths, retained sizes. Built once from the snapshot's file, then kept
 * in this user's cache, so that most questions read a few kilobytes of it. Names in answers are
 * any bytes: use Text::printable() or VisibleName before they are shown.
 *
 * @phpstan-type Details array{refcount?: int, length?: int, value?: string, file?: string, line?: int, shared?: true}
 * @phpstan-type Tier array{bytes: int, blocks: int}
 * @phpstan-type Summary array{nodes: int, edges: int, usage: int, typed: Tier, native: Tier, unreachable: Tier,
 *     shared_bytes: int, outside_bytes: int, typed_percent: float, unreadable: int, incomplete: bool}
 * @phpstan-type Retainer array{text: string, count: int, bytes: int, retained: int, example: HeapNode}
 * @phpstan-type Allocation array{path: list<string>, count: int, bytes: int}
 * @phpstan-type EqualGroup array{count: int, bytes: int, example: HeapNode}
 * @phpstan-type SuspectPart array{node: HeapNode, bytes: int, count: int, type: string, path: string}
 * @phpstan-type Suspect array{kind: string, node: HeapNode, bytes: int, count: int, type: string, path: string, part_count: int,
 *     parts: list<SuspectPart>}
 */
final class HeapIndex
{
    /** Types whose name is a class: each of their classes is a group. */
    public const OBJECTS = ['object', 'closure', 'generator', 'fiber', 'enum case'];

    /** @internal */
    public readonly HeapGroups $groups;

    /** @internal */
    public readonly NodeTable $nodes;

    private readonly HeapInfo $info;
    private readonly NodeLinks $links;
    private readonly RetainingPaths $retainingPaths;
    private readonly Allocations $allocations;
    private readonly EqualStrings $equalStrings;
    private readonly Retainers $retainers;

    private ?SnapshotReader $reader = null;

    private function __construct(private readonly OpenFile $file, private readonly HeapIndexFile $index)
    {
        $this->groups = new HeapGroups($index);
        $this->nodes = new NodeTable($index, $this->groups);
        $this->info = new HeapInfo($index, $this->groups);
        $this->links = new NodeLinks($index, $this->nodes);
        $this->retainingPaths = new RetainingPaths($index, $this->nodes, $this->links);
        $this->allocations = new Allocations($index, $this->nodes);
        $this->equalStrings = new EqualStrings($index, $this->nodes);
        $this->retainers = new Retainers($index, $this->nodes, $this->groups);
    }

    /**
     * Opens the index of a snapshot; builds it first if there is none, which takes seconds for a million nodes.
     *
     * @param string|OpenFile $file a snapshot of the format xhprof-heap; a link is followed if it is given by its path
     * @param (\Closure(string $what, int $done, int $total): void)|null $progress called a few times a second while it is built
     * @param int|null $mostNodes most nodes, refused before they fill the memory; null: as many as memory_limit allows
     *
     * @throws \XHProf\Exception\StoreError if the file cannot be read
     * @throws \XHProf\Exception\DamagedSnapshot if it is no snapshot, or hostile
     */
    public static function open(string|OpenFile $file, ?\Closure $progress = null, ?int $mostNodes = null): self
    {
        $file = is_string($file) ? OpenFile::named($file) : $file;

        return self::find($file) ?? new self($file, (new IndexBuilder($file, $progress, $mostNodes))->build());
    }

    /** Opens the index if it exists already. */
    public static function find(string|OpenFile $file): ?self
    {
        try {
            $file = is_string($file) ? OpenFile::named($file) : $file;
        } catch (StoreError) {
            return null;
        }
        $index = HeapIndexFile::find($file);

        return $index === null ? null : new self($file, $index);
    }

    /** Removes the index of a snapshot that is about to be deleted. */
    public static function discard(string|OpenFile $file): void
    {
        HeapIndexFile::discard(is_string($file) ? OpenFile::named($file) : $file);
    }

    /**
     * The first line of the file: php, pid, sapi, host, command, time, reader, stopped, usage, peak, real_usage, limit, chunks,
     * max_string, redacted; unknown values are left out.
     *
     * @return array<string, int|float|string|bool>
     */
    public function header(): array
    {
        return $this->info->header;
    }

    /** @return Summary of the last line; where that is missing, of the nodes that are there */
    public function summary(): array
    {
        return $this->info->summary();
    }

    /** @return list<string> sentences on what is wrong with the file: it is cut, references lead nowhere ... */
    public function notes(): array
    {
        return $this->info->notes();
    }

    /** @internal for readers of the whole snapshot */
    public function all(): SnapshotColumns
    {
        return new SnapshotColumns($this->index, $this->groups, $this->file);
    }

    /** Number of nodes. */
    public function count(): int
    {
        return $this->nodes->count;
    }

    /** @return list<HeapGroup> one per type, most bytes first */
    public function types(): array
    {
        return $this->groups->types();
    }

    /** All nodes of a type. */
    public function type(string $type): ?HeapGroup
    {
        return $this->groups->type($type);
    }

    /** @return list<HeapGroup> one per class that has objects, most bytes first */
    public function classes(): array
    {
        return $this->groups->classes();
    }

    /** @return list<HeapGroup> one per owner of native memory, most bytes first */
    public function owners(): array
    {
        return $this->groups->owners();
    }

    /** @return HeapGroup|null the objects of a class; its name in any case, with or without a leading "\" */
    public function group(string $class): ?HeapGroup
    {
        return $this->groups->class($class);
    }

    /** @return list<HeapGroup> classes, owners and types whose name contains the text, in any case; most bytes first */
    public function search(string $text, int $limit = 50): array
    {
        return $this->groups->search($text, $limit);
    }

    /** @return list<HeapNode> nodes of a group (class, type or owner), the largest retained size first */
    public function members(HeapGroup $group, int $offset = 0, int $limit = 50): array
    {
        return array_map($this->nodes->at(...), $this->nodes->ranked($group, $offset, $limit));
    }

    /**
     * @return list<HeapNode> nodes of a group, the largest retained size first, without those dominated by another of the same
     *     group: of a linked list its head
     */
    public function outermost(HeapGroup $group, int $limit = 50): array
    {
        return $this->nodes->outermost($group, $limit);
    }

    /**
     * @param 'string'|'array' $type
     * @return list<HeapNode> the largest strings by bytes, arrays by retained size
     */
    public function largest(string $type, int $limit = 50): array
    {
        $group = $this->type($type);

        return $group === null ? [] : $this->members($group, 0, $limit);
    }

    /**
     * @param string $text not empty
     * @return array{list<HeapNode>, bool} strings that have the text in what the snapshot shows of them, in the order of the
     *     file; whether there may be more
     */
    public function stringsWith(string $text, int $limit = 50): array
    {
        return (new StringSearch($this->file, $this->nodes))->find($text, $limit);
    }

    /** @return HeapNode|null the node at an address */
    public function node(int $address): ?HeapNode
    {
        return $this->nodes->find($address);
    }

    /** @return list<HeapNode> the roots */
    public function roots(): array
    {
        return array_map($this->nodes->at(...), array_values(array_filter($this->index->list('roots'), is_int(...))));
    }

    /** @return Details further data of a node from the file; value: the beginning of a string, which is length bytes long */
    public function details(HeapNode $node): array
    {
        $this->reader ??= new SnapshotReader($this->file);
        $row = $this->reader->head($this->index->long('offset', $node->id));
        $details = [];
        if (($row['a'] ?? null) !== $node->address) {
            return $details;
        }
        foreach (['refcount' => 'r', 'length' => 'n', 'line' => 'l'] as $name => $key) {
            if (is_int($row[$key] ?? null)) {
                $details[$name] = $row[$key];
            }
        }
        foreach (['value' => 'v', 'file' => 'f'] as $name => $key) {
            if (is_string($row[$key] ?? null)) {
                $details[$name] = $row[$key];
            }
        }

        return $details + (($row['m'] ?? false) === true ? ['shared' => true] : []);
    }

    /** @return list<HeapReference> references of the node, in the order of the file; $node->references in all */
    public function references(HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        return $this->links->references($node, $offset, $limit);
    }

    /** @return list<HeapReference> references to the node; $node->referrers in all */
    public function referrers(HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        return $this->links->referrers($node, $offset, $limit);
    }

    /** @return list<HeapNode> directly dominated nodes, largest retained size first; null: the top of the tree, without garbage */
    public function dominated(?HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        return $this->links->dominated($node, $offset, $limit);
    }

    /**
     * @return array<string, int> number per class or type of the nodes that a node dominates directly, from an offset on; the
     *     largest retained size first
     */
    public function dominatedKinds(HeapNode $node, int $offset = 0, int $most = 4000): array
    {
        return $this->links->dominatedKinds($node, $offset, $most);
    }

    /** The largest parts of the dominator tree below a node; null: of the whole tree, without garbage. */
    public function retainedTree(?HeapNode $node): RetainedBranch
    {
        return (new RetainedTree($this->links))->below($node, $this->summary()['usage']);
    }

    /** The reference by which a dominator holds a node, "->items"; '' if it does not hold the node directly. */
    public function heldBy(HeapNode $node, HeapNode $dominator): string
    {
        return $this->links->heldBy($node, $dominator);
    }

    /** @return list<HeapNode> the dominators of the node, the outermost first, without itself */
    public function dominators(HeapNode $node): array
    {
        return $this->links->dominators($node);
    }

    /** The shortest retaining path of the node, from a root. */
    public function path(HeapNode $node): HeapPath
    {
        return $this->retainingPaths->shortest($node);
    }

    /** @return list<HeapPath> the shortest retaining path through each referrer of the node, the shortest first */
    public function paths(HeapNode $node, int $limit = 10): array
    {
        return $this->retainingPaths->all($node, $limit);
    }

    /**
     * Retaining paths of the nodes of a group: the shortest ones, with all elements of a list as one ("[*]").
     *
     * @return list<Retainer> the largest retained size first
     */
    public function retainers(HeapGroup $group, int $limit = 20): array
    {
        return $this->described($this->retainers->of($group, $limit));
    }

    /** Whether the snapshot records the call paths that allocated its blocks. */
    public function hasAllocations(): bool
    {
        return $this->allocations->areKnown();
    }

    /** @return list<string> functions from main() to the one that allocated the node; none if unknown */
    public function allocation(HeapNode $node): array
    {
        return $this->allocations->of($node);
    }

    /** @return list<Allocation> call paths that allocated the nodes of the group (null: of all), most bytes first */
    public function allocations(?HeapGroup $group, int $limit = 20): array
    {
        return $this->allocations->sums($group, $limit);
    }

    /** Whether the snapshot shows which strings are equal. Those of older versions do not. */
    public function hasStringHashes(): bool
    {
        return $this->index->number('hashed strings') > 0;
    }

    /** @return array{groups: int, copies: int, bytes: int} contents that exist more than once, copies too many, their bytes */
    public function equalStringSums(): array
    {
        return $this->equalStrings->sums();
    }

    /**
     * Contents of at least 16 bytes that more than one string has. bytes: of the heap, that a single string would save.
     *
     * @return list<EqualGroup> most bytes first
     */
    public function equalStrings(int $offset = 0, int $limit = 20): array
    {
        return $this->equalStrings->all($offset, $limit);
    }

    /** @return EqualGroup|null the strings with the content of one; null if it is the only one, or unknown */
    public function equalTo(HeapNode $node): ?array
    {
        return $this->equalStrings->of($node);
    }

    /** @return list<HeapNode> the strings with the content of one, with itself */
    public function equalMembers(HeapNode $node, int $offset = 0, int $limit = 50): array
    {
        return array_map($this->nodes->at(...), $this->equalStrings->numbers($node, $offset, $limit));
    }

    /** @return list<Retainer> retaining paths of the strings with the content of one, of the first $most of them */
    public function equalRetainers(HeapNode $node, int $limit = 20, int $most = 100000): array
    {
        return $this->described($this->retainers->ofNodes($this->equalStrings->numbers($node, 0, $most), $limit));
    }

    /**
     * Possible leaks, by kind. "accumulates": a container that keeps much in many parts, count of them "of" a class or type;
     * the largest of its part_count parts that accumulate themselves, those below the elements of a list below the list.
     * "chain": the same, one within the other. "garbage": objects that nothing keeps but that were not freed (in cycles);
     * count of cycles, the largest is the node. "unreachable": blocks that nothing refers to.
     *
     * @return list<Suspect> most bytes first within each kind
     */
    public function suspects(int $limit = 20): array
    {
        return (new LeakSuspects($this->index, $this->nodes, $this->links, $this->retainingPaths))->of($limit);
    }

    /**
     * @param list<array{int, int, int, int, int}> $sums of Retainers
     * @return list<Retainer>
     */
    private function described(array $sums): array
    {
        return array_map(fn (array $sum): array => [
            'text' => $this->retainers->text($sum[0]),
            'count' => $sum[2],
            'bytes' => $sum[3],
            'retained' => $sum[1],
            'example' => $this->nodes->at($sum[4]),
        ], $sums);
    }
}
