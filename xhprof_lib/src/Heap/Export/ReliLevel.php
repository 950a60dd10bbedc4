<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

/** An unfinished context of reli's tree. */
final class ReliLevel
{
    /** The open group, one of $groups; DIRECT before them. */
    public string $group = ReliNames::DIRECT;

    /** Index of the next group in $groups. */
    public int $next = 0;

    /** Where to search for the next reference of the group. */
    public int $cursor = 0;

    public bool $isInGroup = false;

    /** Whether it is within a bracket of its own, which ends with this context. */
    public bool $isWrapped = false;

    /**
     * @param string          $groups  of the context beside DIRECT
     * @param int             $first   number of the first reference
     * @param string          $groupOf a byte per reference
     * @param array<int, int> $repeats number of earlier ones with the same name, by the reference's place
     */
    public function __construct(
        public readonly int $node,
        public readonly string $type,
        public readonly string $name,
        public readonly string $groups,
        public readonly int $first,
        public readonly string $groupOf,
        public readonly array $repeats,
    ) {
    }

    public function count(string $group): int
    {
        return substr_count($this->groupOf, $group);
    }
}
