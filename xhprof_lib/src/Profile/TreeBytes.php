<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Depths and functions of a call tree as bytes of its file: what is around a node is found without the other nodes.
 *
 * @internal
 */
final class TreeBytes
{
    /** @var array<array-key, int> by bytes of a function's number its first name */
    private array $functions = [];

    /** @var list<string> by depth those that end a node */
    private array $ends = [];

    /** @var array<int, int> see TreeNodes::same() */
    private readonly array $same;

    /**
     * @param string $depth per node a byte
     * @param string $fn    per node the number of its function, little-endian
     * @param int    $width bytes of such a number
     */
    public function __construct(
        private readonly TreeNodes $nodes,
        private readonly string $depth,
        private readonly string $fn,
        private readonly int $width,
    ) {
        $this->same = $nodes->same();
        for ($level = 0; $level < 256; $level++) {
            $this->ends[] = ($this->ends[$level - 1] ?? '') . chr($level);
        }
    }

    public function depth(int $node): int
    {
        return ord($this->depth[$node]);
    }

    /** @return int the last node before this one at a depth above it: the one that is open there */
    public function above(int $node, int $depth): int
    {
        $at = $depth < 0 ? false : strrpos($this->depth, chr($depth), $node - 1 - $this->nodes->count);

        return $at === false ? throw $this->orphan() : $at;
    }

    /** @return int the first node behind all below it */
    public function end(int $node, int $depth): int
    {
        return $node + 1 + strcspn($this->depth, $this->ends[$depth], $node + 1);
    }

    /** @return int index of its name, of equal ones the first */
    public function function(int $node): int
    {
        $bytes = substr($this->fn, $node * $this->width, $this->width);
        if (!isset($this->functions[$bytes])) {
            $number = unpack('V', str_pad($bytes, 4, "\0"))[1] ?? -1;
            if (!isset($this->nodes->names[$number])) {
                throw $this->nodes->invalid('a node of the call tree has no name');
            }
            $this->functions[$bytes] = $this->same[$number] ?? $number;
        }

        return $this->functions[$bytes];
    }

    /**
     * @param list<string> $names
     *
     * @return list<int> nodes of these functions
     */
    public function find(array $names): array
    {
        $found = [];
        foreach (array_keys(array_intersect($this->nodes->names, $names)) as $number) {
            $bytes = substr(pack('V', $number), 0, $this->width);
            $at = $number >> 8 * $this->width > 0 ? false : strpos($this->fn, $bytes);
            for (; $at !== false; $at = strpos($this->fn, $bytes, $at + 1)) {
                if ($at % $this->width === 0) {
                    $found[] = intdiv($at, $this->width);
                }
            }
        }
        sort($found);

        return $found;
    }

    public function orphan(): \Throwable
    {
        return $this->nodes->invalid('a node of the call tree has no parent');
    }
}
