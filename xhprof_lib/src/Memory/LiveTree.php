<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Profile\CallTree;

/**
 * The call paths that hold live memory, as a tree of their own: "live_bytes" and "live_blocks" are self values. Each type that
 * a path holds is a child node named "[type]". "(before)" and other rows without a call path are roots beside main().
 */
final class LiveTree
{
    /**
     * @param array<int, string> $types name of the type by the name number of its nodes; [] without types
     * @param MarkRange|null     $range null for all of the memory
     */
    private function __construct(
        public readonly MemoryProfile $memory,
        public readonly CallTree $tree,
        public readonly array $types,
        public readonly ?MarkRange $range,
    ) {
    }

    /**
     * @param bool           $hasTypes whether there are nodes of types
     * @param MarkRange|null $range    only blocks allocated within it; null for all, and those from before
     */
    public static function fromMemory(MemoryProfile $memory, bool $hasTypes = true, ?MarkRange $range = null): self
    {
        $live = self::liveByNode($memory, $hasTypes, $range);
        $tree = $memory->tree;
        $names = $tree->names;
        $typeNames = [];
        foreach ($hasTypes ? $memory->types : [] as $type => $name) {
            $typeNames[$type] = count($names);
            $names[] = "[$name]";
        }
        $fn = $depth = $ct = $bytes = $blocks = [];
        $add = static function (int $name, int $level, int $calls, ?array $row) use (&$fn, &$depth, &$ct, &$bytes, &$blocks): void {
            $fn[] = $name;
            $depth[] = $level;
            $ct[] = $calls;
            $bytes[] = $row[0] ?? 0;
            $blocks[] = $row[1] ?? 0;
        };
        $addTypes = static function (array $rows, int $level) use ($add, $typeNames): void {
            foreach ($rows as $type => $row) {
                $add($typeNames[$type], $level, 0, $row);
            }
        };
        foreach (self::neededNodes($tree, $live) as $node) {
            $add($tree->fn[$node], $tree->depth[$node], $tree->ct[$node], $hasTypes ? null : $live[$node][0] ?? null);
            $addTypes($hasTypes ? $live[$node] ?? [] : [], $tree->depth[$node] + 1);
        }
        foreach (MemoryProfile::NAMES as $node => $name) {
            if (isset($live[$node])) {
                $isTyped = $hasTypes && $node !== MemoryProfile::BELOW_THRESHOLD;
                $add(count($names), 0, 0, $isTyped ? null : $live[$node][0] ?? null);
                $addTypes($isTyped ? $live[$node] : [], 1);
                $names[] = $name;
            }
        }
        $types = array_combine($typeNames, array_slice($memory->types, 0, count($typeNames)));

        return new self($memory, CallTree::ofLive($names, $fn, $depth, $ct, $bytes, $blocks), $types, $range);
    }

    /**
     * @return array<int, array<int, array{int, int}>> bytes and blocks by node and type; without types all as type 0
     */
    private static function liveByNode(MemoryProfile $memory, bool $hasTypes, ?MarkRange $range): array
    {
        $live = [];
        foreach ($memory->node as $row => $node) {
            if ($range !== null && ($node === MemoryProfile::BEFORE || !$range->has($memory->mark[$row]))) {
                continue;
            }
            $type = $hasTypes ? $memory->type[$row] : 0;
            $live[$node][$type] ??= [0, 0];
            $live[$node][$type][0] += $memory->bytes[$row];
            $live[$node][$type][1] += $memory->blocks[$row];
        }

        return $live;
    }

    /**
     * @param array<int, array<int, array{int, int}>> $live
     *
     * @return list<int> main(), nodes that hold something, and those that called them, in order
     */
    private static function neededNodes(CallTree $tree, array $live): array
    {
        $needed = [0 => true];
        $parents = $tree->parents();
        foreach (array_keys($live) as $node) {
            for (; $node >= 0 && !isset($needed[$node]); $node = $parents[$node]) {
                $needed[$node] = true;
            }
        }
        ksort($needed);

        return array_keys($needed);
    }
}
