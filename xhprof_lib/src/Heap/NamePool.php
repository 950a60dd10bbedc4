<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Texts by number, each kept once until there are too many: then some are kept twice.
 *
 * @internal
 */
final class NamePool
{
    /** Longest text in bytes; longer ones are cut. */
    public const MAX_BYTES = 1024;

    private const MAX_KNOWN = 1 << 20;

    /** @var array<string, int> */
    private array $known = [];

    /** @var list<string> */
    private array $pieces = [];

    private string $piece = '';

    /** @var list<string> where each ends, packed */
    private array $ends = [];

    /** @var list<int> */
    private array $end = [];

    private int $bytes = 0;
    private int $count = 0;

    public function __construct()
    {
        $this->number('');
    }

    /** @return int number of the text, 0 of "" */
    public function number(string $text): int
    {
        if (isset($this->known[$text])) {
            return $this->known[$text];
        }
        if (strlen($text) > self::MAX_BYTES) {
            return $this->number(substr($text, 0, self::MAX_BYTES - 3) . '...');
        }
        if (count($this->known) >= self::MAX_KNOWN) {
            $this->known = ['' => 0];
        }
        $this->piece .= $text;
        $this->bytes += strlen($text);
        $this->end[] = $this->bytes;
        if (strlen($this->piece) > 1 << 18) {
            $this->pieces[] = $this->piece;
            $this->piece = '';
        }
        if (count($this->end) >= HeapGraph::CHUNK) {
            $this->ends[] = pack('P*', ...$this->end);
            $this->end = [];
        }

        return $this->known[$text] = $this->count++;
    }

    /** @return list<string> pieces of all texts, one after the other */
    public function texts(): array
    {
        return [...$this->pieces, $this->piece];
    }

    /** @return list<string> where each text ends, packed in eight bytes each */
    public function ends(): array
    {
        return [...$this->ends, pack('P*', ...$this->end)];
    }
}
