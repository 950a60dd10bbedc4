<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Changes from one snapshot to another.
 *
 * @phpstan-type Change array{type: string, name: string, count: array{int, int}, bytes: array{int, int},
 *     retained: array{int, int}, new: int|null, gone: int|null}
 */
final class HeapDiff
{
    /** @var array<string, int>|null objects of each class that both have at the same address */
    private ?array $common = null;

    public function __construct(private readonly HeapIndex $before, private readonly HeapIndex $after)
    {
    }

    /** Whether both are of one process, so that nodes at the same address may be the same object. */
    public function isOneProcess(): bool
    {
        [$a, $b] = [$this->before->header(), $this->after->header()];

        return isset($a['pid'], $b['pid']) && $a['pid'] === $b['pid'] && ($a['host'] ?? '') === ($b['host'] ?? '');
    }

    /** @return list<Change> by class; the largest change of bytes first; new and gone (by address) where it is one process */
    public function classes(): array
    {
        $common = $this->isOneProcess() ? $this->common() : null;

        return self::changes($this->before->classes(), $this->after->classes(), $common);
    }

    /** @return list<Change> by type; the largest change of bytes first */
    public function types(): array
    {
        return self::changes($this->before->types(), $this->after->types(), null);
    }

    /** @return list<Change> by owner of native memory; the largest change of bytes first */
    public function owners(): array
    {
        return self::changes($this->before->owners(), $this->after->owners(), null);
    }

    /**
     * @param HeapGroup $group of the second snapshot
     * @return list<HeapNode> nodes that only the second has, by address; the largest retained size first
     */
    public function newObjects(HeapGroup $group, int $offset = 0, int $limit = 50): array
    {
        $old = $this->before->group($group->name)?->id;
        $known = [];
        foreach ($old === null ? [] : $this->before->nodes->located() as $address => $number) {
            if ($number === $old) {
                $known[$address] = true;
            }
        }
        $nodes = $this->after->nodes;
        $new = [];
        foreach ($nodes->ranked($group) as $id) {
            if (!isset($known[$nodes->address($id)]) && $offset-- <= 0) {
                $new[] = $nodes->at($id);
                if (count($new) >= $limit) {
                    break;
                }
            }
        }

        return $new;
    }

    /** @return array<string, int> */
    private function common(): array
    {
        if ($this->common !== null) {
            return $this->common;
        }
        $there = [];
        foreach (self::objects($this->before) as $address => $class) {
            $there[$address] = $class;
        }
        $this->common = [];
        foreach (self::objects($this->after) as $address => $class) {
            if (($there[$address] ?? null) === $class) {
                $this->common[$class] = ($this->common[$class] ?? 0) + 1;
            }
        }

        return $this->common;
    }

    /** @return \Generator<int, string> class and type by address */
    private static function objects(HeapIndex $index): \Generator
    {
        $classes = [];
        foreach ($index->classes() as $group) {
            $classes[$group->id] = self::key($group);
        }
        foreach ($index->nodes->located() as $address => $group) {
            if (isset($classes[$group])) {
                yield $address => $classes[$group];
            }
        }
    }

    /**
     * @param list<HeapGroup> $before
     * @param list<HeapGroup> $after
     * @param array<string, int>|null $common
     * @return list<Change>
     */
    private static function changes(array $before, array $after, ?array $common): array
    {
        $changes = [];
        foreach ([$before, $after] as $side => $groups) {
            foreach ($groups as $group) {
                $key = self::key($group);
                $changes[$key] ??= [
                    'type' => $group->type, 'name' => $group->name,
                    'count' => [0, 0], 'bytes' => [0, 0], 'retained' => [0, 0], 'new' => null, 'gone' => null,
                ];
                $changes[$key]['count'][$side] = $group->count;
                $changes[$key]['bytes'][$side] = $group->bytes;
                $changes[$key]['retained'][$side] = $group->retained;
            }
        }
        foreach ($common === null ? [] : $changes as $key => $change) {
            $change['new'] = $change['count'][1] - ($common[$key] ?? 0);
            $change['gone'] = $change['count'][0] - ($common[$key] ?? 0);
            $changes[$key] = $change;
        }
        /** @var array<string, Change> $changes */
        $size = static fn (array $change): array => [
            abs($change['bytes'][1] - $change['bytes'][0]), abs($change['count'][1] - $change['count'][0]), $change['bytes'][1],
        ];
        uasort($changes, static fn (array $a, array $b): int => $size($b) <=> $size($a) ?: $a['name'] <=> $b['name']);

        return array_values($changes);
    }

    private static function key(HeapGroup $group): string
    {
        return "$group->type\0$group->name";
    }
}
