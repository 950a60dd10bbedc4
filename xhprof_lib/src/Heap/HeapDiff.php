<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * What has changed from one snapshot to another.
 *
 * @phpstan-type Change array{type: string, name: string, count: array{int, int}, bytes: array{int, int},
 *     retained: array{int, int}, new: int|null, gone: int|null}
 */
final class HeapDiff
{
    public function __construct(private readonly HeapIndex $before, private readonly HeapIndex $after)
    {
    }

    /**
     * Whether both are of one process, so that what is at the same address may be the same object.
     */
    public function isOneProcess(): bool
    {
        return isset($this->before->header()['pid'], $this->after->header()['pid'])
            && $this->before->header()['pid'] === $this->after->header()['pid'];
    }

    /** @return list<Change> by class; the largest change of bytes first; new and gone (by address) where it is one process */
    public function classes(): array
    {
        return [];
    }

    /** @return list<Change> by type; the largest change of bytes first */
    public function types(): array
    {
        return [];
    }

    /** @return list<HeapNode> objects of a class that the second has and the first has not, the most retained first */
    public function newObjects(HeapGroup $group, int $offset = 0, int $limit = 50): array
    {
        return [];
    }
}
