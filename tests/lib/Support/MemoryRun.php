<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Profile\CallTree;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/RunFiles.php';

/**
 * Runs with live memory, made by hand in the shape in which the extension saves them.
 */
final class MemoryRun
{
    /** The first types in every profile of memory. */
    private const TYPES = ['(unknown)', 'malloc', 'string', 'array', 'reference'];

    /** Bytes from before the tracking. */
    public const BEFORE = 401408;

    /**
     * Three jobs of a worker between four marks. A log grows by 51200 bytes with every job, a cache is filled once, a pool was
     * there before.
     *
     * @return list<array{list<string>, string, int, int, int}> call path, type, mark, blocks, bytes
     */
    public static function worker(): array
    {
        return [
            [['Worker::run', 'Cache::warm', 'Cache::load'], 'array', 1, 40, 1048576],
            [['Worker::run', 'Cache::warm'], 'object:App\Cache\Item', 1, 100, 8800],
            [['Worker::boot', 'Pool::__construct'], 'object:App\Pool', 0, 5, 512000],
            [['Worker::run', 'Job::handle', 'Log::write', 'str_repeat'], 'string', 1, 10, 51200],
            [['Worker::run', 'Job::handle', 'Log::write', 'str_repeat'], 'string', 2, 10, 51200],
            [['Worker::run', 'Job::handle', 'Log::write', 'str_repeat'], 'string', 3, 10, 51200],
            [['Worker::run', 'Job::handle', 'Log::write'], 'array', 3, 1, 5248],
            [['Worker::run', 'Job::handle', 'walk', 'walk', 'walk'], 'reference', 2, 3, 96],
            [['Worker::run', 'Job::handle', 'walk'], 'reference', 4, 2, 64],
        ];
    }

    /**
     * Live blocks were allocated once; nine times as much was allocated and freed in the same places.
     *
     * @param list<array{list<string>, string, int, int, int}> $rows main() is in front of every path
     * @param array<string, mixed> $memory replaces members
     *
     * @return array{tree: array<string, mixed>, memory: array<string, mixed>}
     */
    public static function data(array $rows, int $marks = 0, array $memory = []): array
    {
        $root = self::node();
        foreach ($rows as [$path, , , $blocks, $bytes]) {
            $node = $root;
            foreach ($path as $name) {
                $node = $node->callees[$name] ??= self::node();
            }
            $node->bytes += $bytes;
            $node->blocks += $blocks;
        }
        $tree = self::tree($root);
        $types = self::TYPES;
        $columns = ['node' => [-1], 'type' => [0], 'mark' => [0], 'blocks' => [0], 'bytes' => [self::BEFORE]];
        foreach ($rows as [$path, $type, $mark, $blocks, $bytes]) {
            $node = $root;
            foreach ($path as $name) {
                $node = $node->callees[$name];
            }
            $types = in_array($type, $types, true) ? $types : [...$types, $type];
            $row = [$node->index, (int) array_search($type, $types, true), $mark, $blocks, $bytes];
            foreach (array_keys($columns) as $i => $column) {
                $columns[$column][] = $row[$i];
            }
        }
        $live = array_sum(array_column($rows, 4));
        $blocks = array_sum(array_column($rows, 3));
        $zend = ['size' => $live + self::BEFORE, 'peak' => 3 * $live + self::BEFORE, 'allocated_bytes' => 10 * $live];
        $zend += ['allocated_blocks' => 10 * $blocks, 'freed_bytes' => 9 * $live, 'freed_blocks' => 9 * $blocks];

        return ['tree' => $tree, 'memory' => $memory + [
            'unit' => 'B',
            'sample_bytes' => 0,
            'marks' => $marks,
            'allocators' => [
                'zend_mm' => $zend + ['before_bytes' => self::BEFORE],
                'malloc' => ['size' => 3145728],
                'xhprof/register' => ['size' => 98304],
            ],
            'dropped' => ['blocks' => 0, 'bytes' => 0],
            'types' => $types,
            'rows' => $columns,
        ]];
    }

    /**
     * @param list<array{list<string>, string, int, int, int}> $rows
     * @param array<string, mixed> $meta
     * @param array<string, mixed> $memory
     */
    public static function save(
        RunFolder $store,
        string $source,
        ?string $id,
        array $rows,
        int $marks = 0,
        array $meta = [],
        array $memory = [],
    ): RunId {
        $data = self::data($rows, $marks, $memory);
        $run = $store->save(CallTree::fromArray($data['tree'])->toEdges(), $source, $id, $meta);
        RunFiles::put($store->directory(), $run, $data);

        return $run;
    }

    /**
     * @return array<string, mixed>
     */
    private static function tree(\stdClass $root): array
    {
        $names = ['main()' => 0];
        $tree = ['fn' => [], 'depth' => [], 'ct' => []];
        $self = [];
        $open = [['main()', 0, $root]];
        while ($open !== []) {
            [$name, $depth, $node] = array_pop($open);
            $node->index = count($tree['fn']);
            $tree['fn'][] = $names[$name] ??= count($names);
            $tree['depth'][] = $depth;
            $tree['ct'][] = 1;
            $self['wt'][] = 1000 * (1 + $node->index);
            foreach (['allocated' => 10, 'freed' => 9, 'live' => 1] as $column => $factor) {
                $self["{$column}_bytes"][] = $factor * $node->bytes;
                $self["{$column}_blocks"][] = $factor * $node->blocks;
            }
            foreach (array_reverse($node->callees, true) as $callee => $below) {
                $open[] = [(string) $callee, $depth + 1, $below];
            }
        }

        return ['n' => count($tree['fn']), 'names' => array_map(strval(...), array_keys($names))]
            + $tree + ['self' => $self];
    }

    private static function node(): \stdClass
    {
        return (object) ['bytes' => 0, 'blocks' => 0, 'index' => 0, 'callees' => []];
    }
}
