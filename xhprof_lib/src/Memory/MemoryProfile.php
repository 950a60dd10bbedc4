<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\SavedColumns;

/**
 * Live blocks of one run by call path, type and mark, as columns. Validated once, never changed after.
 *
 * A row covers the blocks of one type that one node of the call tree allocated itself, between one mark and the next.
 */
final class MemoryProfile
{
    /** Rows without a node: allocated before the tracking began, by threads other than PHP's, or summed up by a dump. */
    public const BEFORE = -1;
    public const OTHER_THREADS = -2;
    public const BELOW_THRESHOLD = -3;

    /** Values of "node" that are no node. */
    public const NAMES = [
        self::BEFORE => '(before)', self::OTHER_THREADS => '(other threads)', self::BELOW_THRESHOLD => '(below threshold)',
    ];

    /** Fields of an allocator; all but the size may be missing. */
    public const FIGURES = [
        'size', 'peak', 'allocated_bytes', 'allocated_blocks', 'freed_bytes', 'freed_blocks', 'before_bytes',
    ];

    private const MAX_MARKS = 1 << 31;
    private const MAX_ALLOCATORS = 32;

    /**
     * @param array<string, array<string, int>> $allocators name => FIGURES that are known
     * @param int       $sampleBytes mean distance of sampled bytes; 0: every block was recorded
     * @param int       $marks       made in all
     * @param list<non-empty-string> $types
     * @param list<int> $node        per row, of the call tree or one of NAMES
     * @param list<int> $type        per row, an index into types
     * @param list<int> $mark        per row, the number of marks before its allocation
     * @param list<int> $blocks      per row
     * @param list<int> $bytes       per row
     * @param array{size: int, node: list<int>, bytes: list<int>}|null $peak bytes by node when PHP's heap was largest;
     *     null: not known
     * @param MarkedJobs|null $jobs null: no job has ended with a mark
     */
    private function __construct(
        public readonly CallTree $tree,
        public readonly array $allocators,
        public readonly int $sampleBytes,
        public readonly int $marks,
        public readonly int $droppedBlocks,
        public readonly int $droppedBytes,
        public readonly array $types,
        public readonly array $node,
        public readonly array $type,
        public readonly array $mark,
        public readonly array $blocks,
        public readonly array $bytes,
        private readonly ?array $peak = null,
        public readonly ?MarkedJobs $jobs = null,
    ) {
    }

    /**
     * @param array<string, string> $map name => another name
     *
     * @return self the same memory, held by functions of these names
     */
    public function renamed(array $map): self
    {
        return $map === [] ? $this : new self(
            $this->tree->renamed($map),
            $this->allocators,
            $this->sampleBytes,
            $this->marks,
            $this->droppedBlocks,
            $this->droppedBytes,
            $this->types,
            $this->node,
            $this->type,
            $this->mark,
            $this->blocks,
            $this->bytes,
            $this->peak,
            $this->jobs,
        );
    }

    /** @return int|null size of PHP's heap when its paths were recorded, close to the largest; null: not known */
    public function peakSize(): ?int
    {
        return $this->peak['size'] ?? null;
    }

    /** @return self|null what was live then, by path alone: neither types nor blocks are known */
    public function atPeak(): ?self
    {
        if ($this->peak === null) {
            return null;
        }
        $none = array_fill(0, count($this->peak['node']), 0);

        return new self(
            $this->tree,
            $this->allocators,
            $this->sampleBytes,
            0,
            $this->droppedBlocks,
            $this->droppedBytes,
            ['(any type)'],
            $this->peak['node'],
            $none,
            $none,
            $none,
            $this->peak['bytes'],
            $this->peak,
        );
    }

    /**
     * @param array<mixed> $data the document "memory" of a run, or a dump
     * @param CallTree     $tree of the same run
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data, CallTree $tree): self
    {
        $marks = SavedColumns::integer($data['marks'] ?? 0, 'the number of marks', self::MAX_MARKS);
        $types = SavedColumns::names($data['types'] ?? null, 'the list of types');
        $rows = is_array($data['rows'] ?? null) ? $data['rows'] : [];
        $column = static fn (string $name, int $least, int $most, ?int $count): array
            => SavedColumns::integers($rows[$name] ?? null, "\"$name\"", $least, $count, $most);
        $node = $column('node', self::BELOW_THRESHOLD, $tree->count() - 1, null);
        $count = count($node);
        $dropped = is_array($data['dropped'] ?? null) ? $data['dropped'] : [];

        return new self(
            $tree,
            self::allocators($data['allocators'] ?? null),
            SavedColumns::integer($data['sample_bytes'] ?? 0, 'the distance of samples'),
            $marks,
            SavedColumns::integer($dropped['blocks'] ?? 0, 'the number of dropped blocks'),
            SavedColumns::integer($dropped['bytes'] ?? 0, 'the number of dropped bytes'),
            $types,
            $node,
            $column('type', 0, count($types) - 1, $count),
            $column('mark', 0, $marks, $count),
            $column('blocks', 0, PHP_INT_MAX, $count),
            $column('bytes', 0, PHP_INT_MAX, $count),
            self::peak($data['peak'] ?? null, $tree->count()),
            MarkedJobs::fromArray($data, $marks),
        );
    }

    /**
     * @return array{size: int, node: list<int>, bytes: list<int>}|null
     *
     * @throws InvalidProfile
     */
    private static function peak(mixed $peak, int $nodes): ?array
    {
        if (!is_array($peak)) {
            return null;
        }
        $node = SavedColumns::integers($peak['node'] ?? null, '"node" of the peak', 0, null, $nodes - 1);

        return [
            'size' => SavedColumns::integer($peak['size'] ?? null, 'the size of the peak'),
            'node' => $node,
            'bytes' => SavedColumns::integers($peak['bytes'] ?? null, '"bytes" of the peak', 0, count($node)),
        ];
    }

    /**
     * @return int bytes from before the tracking, as far as the allocators know; dropped allocations are among them
     */
    public function before(): int
    {
        return array_sum(array_column($this->allocators, 'before_bytes'));
    }

    /**
     * @return array<string, array<string, int>>
     */
    private static function allocators(mixed $allocators): array
    {
        if (!is_array($allocators) || count($allocators) > self::MAX_ALLOCATORS) {
            throw new InvalidProfile('it has no allocators');
        }
        $known = [];
        foreach ($allocators as $name => $values) {
            if (!is_string($name) || $name === '' || strlen($name) > 64 || !is_array($values)) {
                throw new InvalidProfile('an allocator has no name or no figures');
            }
            foreach (self::FIGURES as $key) {
                if (isset($values[$key])) {
                    $known[$name][$key] = SavedColumns::integer($values[$key], "the figure \"$key\" of an allocator");
                }
            }
            if (!isset($known[$name]['size'])) {
                throw new InvalidProfile('an allocator has no size');
            }
        }

        return $known;
    }
}
