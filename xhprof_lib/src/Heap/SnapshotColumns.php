<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\File\OpenFile;

/**
 * A whole snapshot for code that reads all of it: the index's columns in memory, packed as they are in its file, and the lines
 * of the snapshot. A million nodes with three million references take 50 MB.
 *
 * @internal
 *
 * @phpstan-type Row array{address: int, size: int, block: int, inHeap: bool, refcount: int|null, length: int, value: string,
 *     file: string, line: int}
 */
final class SnapshotColumns
{
    /** Texts kept in memory for later calls. */
    private const KNOWN_TEXTS = 1 << 15;

    public readonly int $nodes;

    /** Number of references. */
    public readonly int $references;

    /** Kinds of the references, see HeapGraph, a byte each. */
    public readonly string $kinds;

    private readonly string $first;
    private readonly string $to;
    private readonly string $labels;
    private readonly string $groups;
    private readonly string $names;
    private readonly string $offsets;
    private readonly SnapshotReader $reader;

    /** @var list<string> by the group's number */
    private readonly array $types;

    /** @var array<int, string> */
    private array $texts = [];

    public function __construct(private readonly HeapIndexFile $index, HeapGroups $groups, private readonly OpenFile $file)
    {
        $this->nodes = $index->number('nodes');
        $this->references = $index->number('references');
        $this->kinds = $index->column('kind');
        $this->first = $index->column('first');
        $this->to = $index->column('to');
        $this->labels = $index->column('label');
        $this->groups = $index->column('group');
        $this->names = $index->column('name');
        $this->offsets = $index->column('offset');
        $this->types = array_map(static fn (HeapGroup $group): string => $group->type, $groups->all);
        $this->reader = new SnapshotReader($file);
    }

    public function type(int $node): string
    {
        return $this->types[unpack('V', $this->groups, $node * 4)[1] ?? -1] ?? '';
    }

    /** @return int number of the node's name, 0: it has none */
    public function nameNumber(int $node): int
    {
        return unpack('V', $this->names, $node * 4)[1] ?? 0;
    }

    public function name(int $node): string
    {
        return $this->text($this->nameNumber($node));
    }

    /** @return array{int, int} index of the node's first reference, number of its references */
    public function range(int $node): array
    {
        [1 => $first, 2 => $end] = unpack('V2', $this->first, $node * 4) ?: [1 => 0, 2 => 0];

        return [$first, $end - $first];
    }

    /** @return int the node that a reference leads to, number of the text of a scalar, NONE of one that is lost */
    public function target(int $reference): int
    {
        return unpack('V', $this->to, $reference * 4)[1] ?? HeapGraph::NONE;
    }

    /** @return array<int, int> the same of several, from 1 on */
    public function targets(int $first, int $count): array
    {
        return $count < 1 ? [] : (unpack("V$count", $this->to, $first * 4) ?: []);
    }

    /** @return int number of a text, or of references of a kind INDEX the index itself */
    public function label(int $reference): int
    {
        return unpack('V', $this->labels, $reference * 4)[1] ?? 0;
    }

    /** @return array<int, int> the same of several, from 1 on */
    public function labels(int $first, int $count): array
    {
        return $count < 1 ? [] : (unpack("V$count", $this->labels, $first * 4) ?: []);
    }

    public static function isIndex(string $kind): bool
    {
        return $kind === HeapGraph::INDEX || $kind === HeapGraph::WEAK_INDEX || $kind === HeapGraph::SCALAR_INDEX;
    }

    public static function isScalar(string $kind): bool
    {
        return $kind === HeapGraph::SCALAR || $kind === HeapGraph::SCALAR_INDEX;
    }

    public static function isWeak(string $kind): bool
    {
        return $kind === HeapGraph::WEAK || $kind === HeapGraph::WEAK_INDEX;
    }

    /** @return string a byte per node: "\1" where a root keeps it */
    public function live(): string
    {
        return $this->index->column('live');
    }

    public function address(int $node): int
    {
        return $this->index->long('address', $node);
    }

    /** @return array<string, int> numbers of the root nodes by their names, in the order of their addresses */
    public function roots(): array
    {
        $roots = [];
        foreach (array_filter($this->index->list('roots'), is_int(...)) as $node) {
            $roots[$this->address($node)] = $node;
        }
        ksort($roots);
        $named = [];
        foreach ($roots as $node) {
            $named[$this->name($node)] ??= $node;
        }

        return $named;
    }

    public function text(int $number): string
    {
        if (count($this->texts) >= self::KNOWN_TEXTS && !isset($this->texts[$number])) {
            $this->texts = [];
        }

        return $this->texts[$number] ??= $this->index->text($number);
    }

    /** @return \Generator<int, string> all texts by their numbers */
    public function texts(): \Generator
    {
        return $this->index->texts();
    }

    /** Number of texts. */
    public function textCount(): int
    {
        return $this->index->items('names ends', 8);
    }

    /**
     * Data of the nodes from the snapshot's lines, in the order of the file.
     *
     * @param (\Closure(int, int): void)|null $progress called with the bytes read and their total
     *
     * @return \Generator<int, Row>
     */
    public function rows(?\Closure $progress = null): \Generator
    {
        $node = 0;
        foreach ($this->reader->rows() as $what => $row) {
            if ($what === SnapshotReader::NODE) {
                if ($progress !== null && $node % 4096 === 0) {
                    $progress($this->reader->offset, $this->file->size);
                }
                yield $node++ => self::row($row);
            }
        }
    }

    /**
     * @return Row a node's data from its line of the snapshot
     */
    public function at(int $node): array
    {
        return self::row($this->reader->head(unpack('P', $this->offsets, $node * 8)[1] ?? 0));
    }

    /**
     * @param array<mixed> $row
     * @return Row
     */
    private static function row(array $row): array
    {
        $number = static fn (string $key): int => is_int($row[$key] ?? null) ? $row[$key] : 0;
        $text = static fn (string $key): string => is_string($row[$key] ?? null) ? $row[$key] : '';

        return [
            'address' => $number('a'),
            'size' => $number('s'),
            'block' => $number('b'),
            'inHeap' => isset($row['b']),
            'refcount' => is_int($row['r'] ?? null) ? $row['r'] : null,
            'length' => $number('n'),
            'value' => $text('v'),
            'file' => $text('f'),
            'line' => $number('l'),
        ];
    }
}
