<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * References between nodes, by numbers of nodes from 0. Data read in order is packed, 5 bytes a reference; data read at random
 * is a list of integers, 16 bytes each.
 *
 * @internal
 */
final class HeapGraph
{
    /** Kinds of references, a byte each; kinds below WEAK keep their target alive. */
    public const NAMED = "\0";
    public const INDEX = "\1";
    public const PART = "\2";
    public const WEAK = "\3";
    public const WEAK_INDEX = "\4";
    public const SCALAR = "\5";
    public const SCALAR_INDEX = "\6";
    /** Kind of a reference to an address that the file does not have. */
    public const LOST = "\7";

    /** Their names, by their byte. */
    private const NAMES = [
        HeapReference::NAMED, HeapReference::INDEX, HeapReference::PART, HeapReference::WEAK, HeapReference::WEAK,
        HeapReference::SCALAR, HeapReference::SCALAR, HeapReference::NAMED,
    ];

    /** No node. */
    public const NONE = 0xFFFFFFFF;

    /** Integers packed at once. */
    public const CHUNK = 8192;

    /** @var array<int, int>|null by $into: number of the reference, and above its 32 bits the node that it is from */
    private ?array $from = null;

    /** @var array<int, int> the first of each node's in $from; one more at the end */
    private array $into = [];

    /**
     * @param array<int, int> $first number of each node's first reference; one more at the end
     * @param string    $to    nodes that the references lead to, four bytes each; of scalars something else
     * @param string    $kinds of the references, a byte each
     */
    public function __construct(
        public readonly int $nodes,
        public readonly array $first,
        public readonly string $to,
        public readonly string $kinds,
    ) {
    }

    /**
     * @param array<int, list<array{int, string}>> $references of each node: where to, kind
     */
    public static function fromReferences(array $references): self
    {
        $first = [0];
        $to = [];
        $kinds = '';
        foreach ($references as $list) {
            foreach ($list as [$node, $kind]) {
                $to[] = $node;
                $kinds .= $kind;
            }
            $first[] = count($to);
        }

        return new self(count($references), $first, pack('V*', ...$to), $kinds);
    }

    /** @return HeapReference::* the name of a kind */
    public static function nameOf(string $kind): string
    {
        return self::NAMES[ord($kind)] ?? HeapReference::NAMED;
    }

    /**
     * Key of an address in lookup tables: PHP uses an integer's lowest bits for its place in a table, and those of addresses
     * are all alike, which made lookups eight times slower. No two addresses have the same key.
     */
    public static function key(int $address): int
    {
        return $address ^ $address >> 12 ^ $address >> 20;
    }

    /** @return array<int, int> the first of each node's references in from(); one more at the end */
    public function into(): array
    {
        $this->from();

        return $this->into;
    }

    /** @return array<int, int> references by their target: their number, and above its 32 bits their source */
    public function from(): array
    {
        if ($this->from !== null) {
            return $this->from;
        }
        $into = array_fill(0, $this->nodes + 2, 0);
        $kinds = $this->kinds;
        $count = strlen($kinds);
        for ($at = 0; $at < $count; $at += self::CHUNK) {
            $number = $at;
            foreach (self::unpack($this->to, $at, self::CHUNK) as $node) {
                if ($kinds[$number++] < self::SCALAR) {
                    $into[$node + 2]++;
                }
            }
        }
        for ($node = 2; $node <= $this->nodes + 1; $node++) {
            $into[$node] += $into[$node - 1];
        }
        $from = $into[$this->nodes + 1] === 0 ? [] : array_fill(0, $into[$this->nodes + 1], 0);
        $first = $this->first;
        $source = 0;
        $next = $first[1] ?? 0;
        for ($at = 0; $at < $count; $at += self::CHUNK) {
            $number = $at;
            foreach (self::unpack($this->to, $at, self::CHUNK) as $node) {
                while ($number >= $next) {
                    $next = $first[++$source + 1];
                }
                if ($kinds[$number] < self::SCALAR) {
                    $from[$into[$node + 1]++] = $source << 32 | $number;
                }
                $number++;
            }
        }
        array_pop($into);
        $this->into = $into;

        return $this->from = $from;
    }

    /** @return array<int, int> */
    private static function unpack(string $packed, int $at, int $count): array
    {
        return unpack('V*', substr($packed, $at * 4, $count * 4)) ?: [];
    }
}
