<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Paths from the roots to the nodes of an index.
 *
 * @internal
 */
final class RetainingPaths
{
    /** Nodes of a path that are kept at its beginning and at its end. */
    private const STEPS = 40;

    /** Most referrers of a node that are looked at: a node with millions of them is kept by any of them. */
    private const MAX_REFERRERS = 10000;

    /** The column that all paths are read from. */
    private ?string $up = null;

    public function __construct(
        private readonly HeapIndexFile $index,
        private readonly NodeTable $nodes,
        private readonly NodeLinks $links,
    ) {
    }

    public function shortest(HeapNode $node): HeapPath
    {
        return $this->pathThrough($node, $this->index->integer('up edge', $node->id), $this->index->integer('up', $node->id));
    }

    /** @return list<HeapPath> the shortest path through each referrer of the node, the shortest first */
    public function all(HeapNode $node, int $limit): array
    {
        $up = $this->up();
        $found = [];
        foreach ($this->links->incoming($node, 0, self::MAX_REFERRERS) as [$from, $reference]) {
            if ($this->links->kind($reference) >= HeapGraph::WEAK) {
                continue;
            }
            $length = 1;
            for ($at = $from; $at !== HeapGraph::NONE && $at !== $node->id && $length <= $this->nodes->count; $length++) {
                $at = unpack('V', $up, $at * 4)[1] ?? HeapGraph::NONE;
            }
            // A path through the node itself keeps nothing alive.
            if ($at === HeapGraph::NONE && $this->nodes->isLive($from) >= $node->isLive) {
                $found[] = [$length, $from, $reference];
            }
        }
        sort($found);
        $paths = [];
        foreach (array_slice($found, 0, $limit) as [, $from, $reference]) {
            $paths[] = $this->pathThrough($node, $reference, $from);
        }

        return $paths === [] ? [$this->shortest($node)] : $paths;
    }

    /** @param int $before the node whose reference leads to the end of the path */
    private function pathThrough(HeapNode $end, int $reference, int $before): HeapPath
    {
        $up = $this->up();
        $ids = [];
        for ($at = $before, $left = $this->nodes->count; $at < $this->nodes->count && $left > 0; $left--) {
            $ids[] = $at;
            $at = unpack('V', $up, $at * 4)[1] ?? HeapGraph::NONE;
        }
        $omitted = max(0, count($ids) - 2 * self::STEPS);
        if ($omitted > 0) {
            array_splice($ids, self::STEPS, $omitted);
        }
        $steps = [[$end->id, $reference]];
        foreach ($ids as $id) {
            $steps[] = [$id, $this->index->integer('up edge', $id)];
        }
        $described = [];
        $text = '';
        $from = null;
        foreach (array_reverse($steps) as $number => [$id, $edge]) {
            $here = $this->nodes->at($id);
            if ($omitted > 0 && $number === self::STEPS) {
                $text .= " ... $omitted more ... ";
                $from = null;
            }
            if ($number === 0) {
                $text = PathText::start($here->type, $here->name);
            }
            $held = $from === null ? null : $this->links->reference($edge, $from, $here, false);
            $text .= $held->text ?? '';
            $described[] = ['reference' => $held, 'node' => $here];
            $from = $here;
        }

        return new HeapPath($described, PathText::join($text), $described[0]['node']->isLive, $omitted);
    }

    private function up(): string
    {
        return $this->up ??= $this->index->column('up');
    }
}
