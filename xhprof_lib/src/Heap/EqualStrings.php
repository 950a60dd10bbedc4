<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Strings of a snapshot with equal contents. The snapshot has a hash of each: with a key that nobody knows, so it shows which
 * strings are equal, and not what they hold.
 *
 * @internal
 *
 * @phpstan-import-type EqualGroup from HeapIndex
 */
final class EqualStrings
{
    public function __construct(private readonly HeapIndexFile $index, private readonly NodeTable $nodes)
    {
    }

    /** @return array{groups: int, copies: int, bytes: int} contents that exist more than once, copies too many, their bytes */
    public function sums(): array
    {
        return [
            'groups' => $this->count(),
            'copies' => $this->index->number('string copies'),
            'bytes' => $this->index->number('string copies bytes'),
        ];
    }

    /** @return list<EqualGroup> the most wasted bytes first */
    public function all(int $offset, int $limit): array
    {
        $groups = [];
        for ($number = max(0, $offset), $end = min($this->count(), $number + $limit); $number < $end; $number++) {
            $groups[] = $this->group($number);
        }

        return $groups;
    }

    /** @return EqualGroup|null the strings that are equal to one, with it; null if there is no other */
    public function of(HeapNode $node): ?array
    {
        $number = $this->index->items('equal of', 4) > $node->id ? $this->index->integer('equal of', $node->id) : 0;

        return $number < 1 || $number > $this->count() ? null : $this->group($number - 1);
    }

    private function count(): int
    {
        return max(0, $this->index->items('equal first', 4) - 1);
    }

    /** @return list<int> numbers of the strings of the group of a node, in the order of the file */
    public function numbers(HeapNode $node, int $offset, int $limit): array
    {
        $number = $this->index->items('equal of', 4) > $node->id ? $this->index->integer('equal of', $node->id) : 0;
        if ($number < 1 || $number > $this->count()) {
            return [];
        }
        [$first, $end] = $this->index->integers('equal first', $number - 1, 2);
        $first += max(0, $offset);

        return $this->index->integers('equal', $first, min($limit, $end - $first));
    }

    /** @return EqualGroup */
    private function group(int $number): array
    {
        [$first, $end] = $this->index->integers('equal first', $number, 2);

        return [
            'count' => $end - $first,
            'bytes' => $this->index->long('equal bytes', $number),
            'example' => $this->nodes->at($this->index->integer('equal', $first)),
        ];
    }
}
