<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * The nodes of an index: by number, by address, by group.
 *
 * @internal
 */
final class NodeTable
{
    public readonly int $count;

    public function __construct(private readonly HeapIndexFile $index, private readonly HeapGroups $groups)
    {
        $this->count = $index->number('nodes');
    }

    public function at(int $id): HeapNode
    {
        $group = $this->groupOf($id);
        [$first, $end] = $this->index->integers('first', $id, 2);
        [$into, $intoEnd] = $this->index->integers('into', $id, 2);
        [$child, $childEnd] = $this->index->integers('child first', $id, 2);

        return new HeapNode(
            $id,
            $this->address($id),
            $group->type ?? '',
            $this->index->text($this->index->integer('name', $id)),
            $this->index->long('size', $id),
            $this->index->long('block', $id),
            $this->index->long('retained', $id),
            $this->isLive($id),
            $end - $first,
            $intoEnd - $into,
            $childEnd - $child,
        );
    }

    public function address(int $id): int
    {
        return $this->index->long('address', $id);
    }

    public function isLive(int $id): bool
    {
        return $this->index->byte('live', $id) === "\1";
    }

    public function groupOf(int $id): ?HeapGroup
    {
        return $this->groups->all[$this->index->integer('group', $id)] ?? null;
    }

    /** The node at an address. */
    public function find(int $address): ?HeapNode
    {
        $key = HeapGraph::key($address);
        for ([$low, $high] = [0, $this->count - 1]; $low <= $high;) {
            $middle = ($low + $high) >> 1;
            $id = $this->index->integer('by key', $middle);
            $found = HeapGraph::key($this->address($id));
            if ($found === $key) {
                return $this->at($id);
            }
            if ($found < $key) {
                $low = $middle + 1;
            } else {
                $high = $middle - 1;
            }
        }

        return null;
    }

    /** @return \Generator<int, int> number of the group by address */
    public function located(): \Generator
    {
        for ($at = 0; $at < $this->count; $at += HeapGraph::CHUNK) {
            $addresses = $this->index->longs('address', $at, min(HeapGraph::CHUNK, $this->count - $at));
            foreach ($this->index->integers('group', $at, count($addresses)) as $i => $group) {
                yield $addresses[$i] => $group;
            }
        }
    }

    /** @return list<int> nodes of a group, the largest retained size first */
    public function ranked(HeapGroup $group, int $offset = 0, int $limit = PHP_INT_MAX): array
    {
        $offset = max(0, $offset);

        return $this->index->integers(
            $group->id < 0 ? 'by type' : 'by group',
            $this->groups->first($group) + $offset,
            min($limit, $group->count - $offset),
        );
    }

    /** @return list<HeapNode> see HeapIndex */
    public function outermost(HeapGroup $group, int $limit): array
    {
        $nodes = [];
        foreach ($this->ranked($group) as $id) {
            if (count($nodes) >= $limit) {
                break;
            }
            if (!$this->isNested($id)) {
                $nodes[] = $this->at($id);
            }
        }

        return $nodes;
    }

    /** Whether a node of its own group dominates it, perhaps through arrays. */
    private function isNested(int $id): bool
    {
        $own = $this->groupOf($id);
        for ($steps = 0; $steps < 6; $steps++) {
            $id = $this->index->integer('dominator', $id);
            if ($id >= $this->count) {
                return false;
            }
            $group = $this->groupOf($id);
            if ($group === $own) {
                return true;
            }
            if (!in_array($group->type ?? '', ['array', 'array table', 'reference'], true)) {
                return false;
            }
        }

        return false;
    }
}
