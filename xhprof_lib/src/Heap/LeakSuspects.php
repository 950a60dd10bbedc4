<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Possible leaks of an index. Containers that accumulate are grouped under what a developer would look at: the list that they
 * are elements of, or below elements of. Seven arrays Registry::$listeners[0..6]->rows are parts of Registry::$listeners.
 *
 * @internal
 *
 * @phpstan-import-type Suspect from HeapIndex
 * @phpstan-import-type SuspectPart from HeapIndex
 * @phpstan-type Step array{from: int, text: string, isElement: bool, isOfList: bool}
 * @phpstan-type Row array{node: int, bytes: int, count: int, type: string, parts: list<int>}
 * @phpstan-type Fold array{node: int, shape: string, isList: bool}
 */
final class LeakSuspects
{
    /** The kind whose nodes may be parts of one another. */
    private const ACCUMULATES = 'accumulates';

    /** Parts of a container that are named; the largest. */
    private const PARTS = 20;

    /** An array with fewer elements is a tuple, as [object, method] is, and is not named instead of its elements. */
    private const LIST = 3;

    /** Most lists within lists that are folded. */
    private const LEVELS = 4;

    /** Steps of a path, from its end, that are looked at. */
    private const STEPS = 64;

    /** @var array<int, Step> by node: its last step, from the node that the shortest path goes through */
    private array $steps = [];

    public function __construct(
        private readonly HeapIndexFile $index,
        private readonly NodeTable $nodes,
        private readonly NodeLinks $links,
        private readonly RetainingPaths $paths,
    ) {
    }

    /** @return list<Suspect> most bytes first within each kind */
    public function of(int $limit): array
    {
        $suspects = [];
        foreach (array_keys($this->index->list('suspects')) as $kind) {
            $rows = [];
            foreach ($this->index->rows('suspects', (string) $kind) as [$node, $bytes, $count, $type]) {
                $row = ['node' => (int) $node, 'bytes' => (int) $bytes, 'count' => (int) $count, 'type' => (string) $type];
                $rows[$row['node']] = $row + ['parts' => []];
            }
            $all = $rows;
            if ($kind === self::ACCUMULATES) {
                for ($level = 0; $level < self::LEVELS; $level++) {
                    $rows = $this->folded($rows, $level === 0);
                    $all = $rows + $all;
                }
                uasort($rows, static fn (array $a, array $b): int => $b['bytes'] <=> $a['bytes'] ?: $a['node'] <=> $b['node']);
            }
            foreach (array_slice($rows, 0, $limit) as $row) {
                $suspects[] = ['kind' => (string) $kind] + $this->described($row) + [
                    'part_count' => count($row['parts']),
                    'parts' => array_map(
                        fn (int $part): array => $this->described($all[$part]),
                        array_slice($row['parts'], 0, self::PARTS),
                    ),
                ];
            }
        }

        return $suspects;
    }

    /** A part's path without its beginning, which is the container's: "...[3]->rows" of Registry::$listeners[3]->rows. */
    public static function pathWithin(string $part, string $container): string
    {
        return str_starts_with($part, $container) && $part !== $container ? '...' . substr($part, strlen($container)) : $part;
    }

    /**
     * Puts candidates that share a container below it.
     *
     * @param array<int, Row> $rows by node
     * @param bool $withSingles also a candidate that is alone below an element of a list
     * @return array<int, Row>
     */
    private function folded(array $rows, bool $withSingles): array
    {
        $folds = [];
        $alike = [];
        foreach ($rows as $id => $row) {
            $folds[$id] = $this->folds($id);
            foreach ($folds[$id] as $fold) {
                $alike[$fold['node']][$fold['shape']] = ($alike[$fold['node']][$fold['shape']] ?? 0) + 1;
            }
        }
        $within = [];
        foreach ($folds as $id => $foldsOfNode) {
            foreach ($foldsOfNode as $fold) {
                $container = $fold['node'];
                if (isset($rows[$container]) || $alike[$container][$fold['shape']] > 1 || $withSingles && $fold['isList']) {
                    $within[$container][] = $id;
                    break;
                }
            }
        }
        // A part that is a container itself is listed without its own parts.
        $isPart = array_fill_keys(array_merge([], ...array_values($within)), true);
        $folded = [];
        foreach ($within as $container => $parts) {
            $folded[$container] = $this->container($container, $parts, $rows);
        }

        return array_diff_key($folded + $rows, $isPart);
    }

    /** @return list<Fold> arrays that the node is an element of, or below an element of, the nearest first */
    private function folds(int $id): array
    {
        $folds = [];
        $shape = '';
        for ($left = self::STEPS; $left > 0; $left--) {
            $step = $this->steps[$id] ??= $this->step($id);
            $shape = $step['text'] . $shape;
            $id = $step['from'];
            if ($id >= $this->nodes->count) {
                break;
            }
            if ($step['isElement']) {
                $folds[] = ['node' => $id, 'shape' => $shape, 'isList' => $step['isOfList']];
            }
        }

        return $folds;
    }

    /** @return Step */
    private function step(int $id): array
    {
        $from = $this->index->integer('up', $id);
        if ($from >= $this->nodes->count) {
            return ['from' => $from, 'text' => '', 'isElement' => false, 'isOfList' => false];
        }
        $holder = $this->nodes->at($from);
        $reference = $this->links->reference($this->index->integer('up edge', $id), $holder, $this->nodes->at($id), false);
        $isIndex = $reference->kind === HeapReference::INDEX;
        $isElement = $isIndex || $holder->type === 'array' && $reference->kind === HeapReference::NAMED;
        // Beside its elements an array refers to its table.
        $isOfList = $isIndex && $holder->references > self::LIST;
        $text = $isElement ? '[*]' : $reference->text;

        return ['from' => $from, 'text' => $text, 'isElement' => $isElement, 'isOfList' => $isOfList];
    }

    /**
     * @param list<int> $parts candidates
     * @param array<int, Row> $rows
     * @return Row
     */
    private function container(int $id, array $parts, array $rows): array
    {
        usort($parts, static fn (int $a, int $b): int => $rows[$b]['bytes'] <=> $rows[$a]['bytes'] ?: $a <=> $b);
        // It does not retain parts that others hold, too. They are found through it nevertheless.
        $sum = 0;
        foreach ($parts as $part) {
            $sum += $this->isDominatedBy($part, array_fill_keys($parts, true)) ? 0 : $rows[$part]['bytes'];
        }
        $bytes = max($this->index->long('retained', $id), $sum);
        if (isset($rows[$id])) {
            return ['bytes' => $bytes, 'parts' => $parts] + $rows[$id];
        }
        $node = $this->nodes->at($id);
        $kinds = $this->links->dominatedKinds($node, 0, 4000);
        unset($kinds['array table']);
        $type = array_key_first($kinds);
        $first = $rows[$parts[0]];

        return [
            'node' => $id,
            'bytes' => $bytes,
            'count' => $type === null ? count($parts) : $kinds[$type],
            'type' => $type === null ? $first['type'] : (string) $type,
            'parts' => $parts,
        ];
    }

    /** @param array<int, true> $nodes */
    private function isDominatedBy(int $id, array $nodes): bool
    {
        for ($left = self::STEPS; $left > 0; $left--) {
            $id = $this->index->integer('dominator', $id);
            if ($id >= $this->nodes->count) {
                return false;
            }
            if (isset($nodes[$id])) {
                return true;
            }
        }

        return false;
    }

    /**
     * @param Row $row
     * @return SuspectPart
     */
    private function described(array $row): array
    {
        $node = $this->nodes->at($row['node']);

        return [
            'node' => $node,
            'bytes' => $row['bytes'],
            'count' => $row['count'],
            'type' => $row['type'],
            'path' => $this->paths->shortest($node)->text,
        ];
    }
}
