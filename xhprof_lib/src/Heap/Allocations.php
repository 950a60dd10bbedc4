<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Call paths that allocated the nodes of an index.
 *
 * @internal
 *
 * @phpstan-import-type Allocation from HeapIndex
 */
final class Allocations
{
    private const MAX_DEPTH = 4096;

    public function __construct(
        private readonly HeapIndexFile $index,
        private readonly NodeTable $nodes,
    ) {
    }

    public function areKnown(): bool
    {
        return $this->index->isTrue('paths');
    }

    /** @return list<string> functions from main() to the one that allocated the node */
    public function of(HeapNode $node): array
    {
        return $this->callPath($this->index->integer('path', $node->id));
    }

    /** @return list<Allocation> of the nodes of the group (null: of all), most bytes first */
    public function sums(?HeapGroup $group, int $limit): array
    {
        if (!$this->areKnown()) {
            return [];
        }
        $nodes = $group === null ? range(0, max(0, $this->nodes->count - 1)) : $this->nodes->ranked($group);
        $paths = $this->index->column('path');
        $blocks = $this->index->column('block');
        $sums = [];
        foreach ($nodes as $node) {
            $path = unpack('V', $paths, $node * 4)[1] ?? 0;
            $bytes = unpack('P', $blocks, $node * 8)[1] ?? 0;
            if ($path > 0 && ($bytes > 0 || $group !== null)) {
                $sums[$path] ??= [0, 0];
                $sums[$path][0] += $bytes;
                $sums[$path][1]++;
            }
        }
        arsort($sums);
        $allocations = [];
        foreach (array_slice($sums, 0, $limit, true) as $path => [$bytes, $count]) {
            $allocations[] = ['path' => $this->callPath($path), 'count' => $count, 'bytes' => $bytes];
        }

        return $allocations;
    }

    /** @return list<string> */
    private function callPath(int $path): array
    {
        $names = [];
        for ($left = self::MAX_DEPTH; $path > 0 && $left > 0; $left--) {
            $names[] = $this->index->text($this->index->integer('path name', $path));
            $path = $this->index->integer('path parent', $path);
        }

        return array_reverse($names);
    }
}
