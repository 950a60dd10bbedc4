<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Relations of an index's nodes: references both ways, dominators.
 *
 * @internal
 */
final class NodeLinks
{
    /** Most nodes that dominators() returns. */
    private const MAX_DOMINATORS = 1000;

    public function __construct(private readonly HeapIndexFile $index, private readonly NodeTable $nodes)
    {
    }

    /** @return list<HeapReference> */
    public function references(HeapNode $node, int $offset, int $limit): array
    {
        [$first, $count] = $this->range('first', $node->id, $offset, $limit);
        $references = [];
        for ($number = $first; $number < $first + $count; $number++) {
            $references[] = $this->reference($number, $node, null);
        }

        return $references;
    }

    /** @return list<HeapReference> */
    public function referrers(HeapNode $node, int $offset, int $limit): array
    {
        $referrers = [];
        foreach ($this->incoming($node, $offset, $limit) as [$from, $number]) {
            $referrers[] = $this->reference($number, $this->nodes->at($from), $node);
        }

        return $referrers;
    }

    /** @return list<array{int, int}> nodes that refer to one, each with the number of its reference */
    public function incoming(HeapNode $node, int $offset, int $limit): array
    {
        [$first, $count] = $this->range('into', $node->id, $offset, $limit);

        return array_map(
            static fn (int $both): array => [$both >> 32, $both & 0xFFFFFFFF],
            $this->index->longs('from', $first, $count),
        );
    }

    /** @return list<HeapNode> */
    public function dominated(?HeapNode $node, int $offset, int $limit): array
    {
        [$first, $count] = $this->range('child first', $node === null ? $this->nodes->count : $node->id, $offset, $limit);

        return array_map($this->nodes->at(...), $this->index->integers('child', $first, $count));
    }

    /** Number of nodes at the top of the dominator tree. */
    public function topCount(): int
    {
        return $this->range('child first', $this->nodes->count, 0, PHP_INT_MAX)[1];
    }

    /** The reference by which a dominator holds a node, "->items"; '' if it does not hold the node directly. */
    public function heldBy(HeapNode $node, HeapNode $dominator): string
    {
        return $this->index->integer('up', $node->id) === $dominator->id
            ? $this->reference($this->index->integer('up edge', $node->id), $dominator, $node, false)->text
            : '';
    }

    /** @return array<string, int> */
    public function dominatedKinds(HeapNode $node, int $offset, int $most): array
    {
        [$first, $count] = $this->range('child first', $node->id, $offset, $most);
        $kinds = [];
        $bytes = [];
        foreach ($this->index->integers('child', $first, $count) as $child) {
            $group = $this->nodes->groupOf($child);
            $title = ($group->name ?? '') ?: ($group->type ?? '');
            $kinds[$title] = ($kinds[$title] ?? 0) + 1;
            $bytes[$title] = ($bytes[$title] ?? 0) + $this->index->long('retained', $child);
        }
        arsort($bytes);

        return array_replace($bytes, $kinds);
    }

    /** Type of those nodes among them that retain most together; '' for none. */
    public function dominatedType(HeapNode $node, int $offset, int $most): string
    {
        [$first, $count] = $this->range('child first', $node->id, $offset, $most);
        $bytes = ['' => 0];
        foreach ($this->index->integers('child', $first, $count) as $child) {
            $type = $this->nodes->groupOf($child)->type ?? '';
            $bytes[$type] = ($bytes[$type] ?? 0) + $this->index->long('retained', $child);
        }
        arsort($bytes);

        return (string) array_key_first($bytes);
    }

    /** @return list<HeapNode> */
    public function dominators(HeapNode $node): array
    {
        $dominators = [];
        $id = $node->id;
        while (
            count($dominators) < self::MAX_DOMINATORS
            && ($id = $this->index->integer('dominator', $id)) < $this->nodes->count
        ) {
            $dominators[] = $this->nodes->at($id);
        }

        return array_reverse($dominators);
    }

    /**
     * A reference by its number.
     *
     * @param bool $isFrom whether the answer holds the node it comes from, if both are known
     */
    public function reference(int $number, HeapNode $from, ?HeapNode $to, bool $isFrom = true): HeapReference
    {
        $kind = $this->kind($number);
        $label = $this->index->integer('label', $number);
        $isIndex = in_array($kind, [HeapGraph::INDEX, HeapGraph::WEAK_INDEX, HeapGraph::SCALAR_INDEX], true);
        $label = $isIndex ? (string) $label : $this->index->text($label);
        $scalar = '';
        $other = $from;
        if ($to === null || !$isFrom) {
            $other = $to;
            $target = $this->index->integer('to', $number);
            if ($kind === HeapGraph::SCALAR || $kind === HeapGraph::SCALAR_INDEX) {
                $scalar = $this->index->text($target);
            } elseif ($to === null && $target < $this->nodes->count) {
                $to = $other = $this->nodes->at($target);
            }
        }
        $name = HeapGraph::nameOf($kind);
        $shape = $isIndex ? HeapReference::INDEX : $name;
        $text = PathText::step($from->type, $from->name, $shape, $label, $to->type ?? '', $to->name ?? '');

        return new HeapReference($name, $label, $other, $scalar, $text);
    }

    /** Returns the kind of a reference: a constant of HeapGraph. */
    public function kind(int $reference): string
    {
        return $this->index->byte('kind', $reference);
    }

    /**
     * @param string $column where each node's part of another column begins
     * @return array{int, int} index of the first one in the other column, their number
     */
    private function range(string $column, int $id, int $offset, int $limit): array
    {
        [$first, $end] = $this->index->integers($column, $id, 2);
        $from = $first + max(0, $offset);

        return [$from, min($limit, $end - $from)];
    }
}
