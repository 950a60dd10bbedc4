<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * The types, classes and owners of native memory in an index.
 *
 * @internal
 */
final class HeapGroups
{
    /** @var list<HeapGroup> by their numbers in the index */
    public readonly array $all;

    /** @var array<mixed> retained bytes by type */
    private readonly array $retained;

    public function __construct(HeapIndexFile $index)
    {
        $groups = [];
        foreach ($index->rows('groups') as $number => $row) {
            [$type, $name, $nodes, $bytes, $size, $kept] = $row;
            $figures = [(int) $nodes, (int) $bytes, (int) $size, (int) $kept];
            $groups[] = new HeapGroup($number, (string) $type, (string) $name, ...$figures);
        }
        $this->all = $groups;
        $this->retained = $index->list('types');
    }

    /** @return list<HeapGroup> one per type, most bytes first */
    public function types(): array
    {
        $types = [];
        foreach ($this->all as $group) {
            $sum = $types[$group->type] ?? [0, 0, 0];
            $types[$group->type] = [$sum[0] + $group->count, $sum[1] + $group->bytes, $sum[2] + $group->size];
        }
        $groups = [];
        $number = 0;
        foreach ($types as $type => [$count, $bytes, $size]) {
            $kept = $this->retained[$type] ?? 0;
            $groups[] = new HeapGroup(--$number, (string) $type, '', $count, $bytes, $size, is_int($kept) ? $kept : 0);
        }

        return self::byBytes($groups);
    }

    public function type(string $type): ?HeapGroup
    {
        foreach ($this->types() as $group) {
            if ($group->type === $type) {
                return $group;
            }
        }

        return null;
    }

    /** @return list<HeapGroup> one per class that has objects, most bytes first */
    public function classes(): array
    {
        return self::byBytes(array_filter($this->all, static fn (HeapGroup $group): bool
            => in_array($group->type, HeapIndex::OBJECTS, true)));
    }

    /** @return list<HeapGroup> one per owner of native memory, most bytes first */
    public function owners(): array
    {
        return self::byBytes(array_filter($this->all, static fn (HeapGroup $group): bool => $group->type === 'native'));
    }

    /** The objects of a class; its name in any case, with or without a leading "\". */
    public function class(string $class): ?HeapGroup
    {
        foreach ($this->classes() as $group) {
            if (strcasecmp($group->name, ltrim($class, '\\')) === 0) {
                return $group;
            }
        }

        return null;
    }

    /** @return list<HeapGroup> classes, owners and types whose name contains the text, in any case; most bytes first */
    public function search(string $text, int $limit): array
    {
        $all = [...$this->classes(), ...$this->owners(), ...$this->types()];
        $found = array_filter($all, static fn (HeapGroup $group): bool
            => stripos($group->name === '' ? $group->type : $group->name, $text) !== false);

        return array_slice(self::byBytes($found), 0, $limit);
    }

    /** @return array<int, HeapGroup> by their numbers: itself, or of a type all */
    public function within(HeapGroup $group): array
    {
        return $group->id >= 0
            ? [$group->id => $group]
            : array_filter($this->all, static fn (HeapGroup $one): bool => $one->type === $group->type);
    }

    /** Number of the nodes of the groups (of a type: of the types) before it. */
    public function first(HeapGroup $group): int
    {
        $first = 0;
        foreach ($group->id < 0 ? $this->types() : $this->all as $one) {
            $first += abs($one->id) < abs($group->id) ? $one->count : 0;
        }

        return $first;
    }

    /**
     * @param array<HeapGroup> $groups
     * @return list<HeapGroup>
     */
    private static function byBytes(array $groups): array
    {
        usort($groups, static fn (HeapGroup $a, HeapGroup $b): int
            => [$b->bytes, $b->count, $a->name] <=> [$a->bytes, $a->count, $b->name]);

        return $groups;
    }
}
