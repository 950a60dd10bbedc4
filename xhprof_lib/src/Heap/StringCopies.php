<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Finds the strings with equal hashes while a snapshot is read.
 *
 * @internal
 */
final class StringCopies
{
    /** @var array<int, int> the first node by hash and length */
    private array $first = [];

    /** Pairs of nodes, four bytes each: the first of a content, and another one of it. */
    private string $pairs = '';

    private int $hashed = 0;

    /** @param mixed $hash as the snapshot has it: 16 hexadecimal digits; anything else is left out */
    public function add(int $node, mixed $hash, mixed $length): void
    {
        if (!is_string($hash) || strlen($hash) !== 16 || !ctype_xdigit($hash) || !is_int($length)) {
            return;
        }
        $this->hashed++;
        $key = (unpack('q', pack('H16', $hash))[1] ?? 0) ^ $length << 16;
        $first = $this->first[$key] ??= $node;
        if ($first !== $node) {
            $this->pairs .= pack('VV', $first, $node);
        }
    }

    /** All strings have been added: frees what only finding them takes. */
    public function end(): void
    {
        $this->first = [];
    }

    /**
     * Writes the columns, the groups with most wasted bytes first: "equal first" and "equal", the nodes of each group; "equal
     * bytes"; "equal of", the number of a node's group from 1 on, 0: it has none.
     *
     * @param array<int, int> $blocks bytes by node
     * @return array<string, int> facts
     */
    public function write(HeapIndexFile $index, array $blocks): array
    {
        $members = [];
        for ($at = 0, $bytes = strlen($this->pairs); $at < $bytes; $at += 8) {
            [1 => $first, 2 => $node] = unpack('V2', $this->pairs, $at) ?: [1 => 0, 2 => 0];
            $members[$first][] = $node;
        }
        $this->pairs = '';
        $wasted = [];
        foreach ($members as $first => $others) {
            // One of them is needed. Where one is in opcache's memory, all of the heap's are too many.
            $sizes = [$blocks[$first]];
            foreach ($others as $node) {
                $sizes[] = $blocks[$node];
            }
            $wasted[$first] = array_sum($sizes) - min($sizes);
        }
        $wasted = array_filter($wasted);
        arsort($wasted);
        $firsts = [0];
        $nodes = [];
        $numbers = $wasted === [] ? [] : array_fill(0, count($blocks), 0);
        foreach (array_keys($wasted) as $number => $first) {
            foreach ([$first, ...$members[$first]] as $node) {
                $numbers[$node] = $number + 1;
                $nodes[] = $node;
            }
            $firsts[] = count($nodes);
        }
        $index->putIntegers('equal first', $firsts);
        $index->putIntegers('equal', $nodes);
        $index->putIntegers('equal bytes', array_values($wasted), 'P');
        $index->putIntegers('equal of', $numbers);

        return [
            'hashed strings' => $this->hashed,
            'string copies' => count($nodes) - count($wasted),
            'string copies bytes' => (int) array_sum($wasted),
        ];
    }
}
