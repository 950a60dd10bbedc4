<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Export\Utf8Names;
use XHProf\File\Sink;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\SnapshotColumns;

/**
 * A heap snapshot as reli's memory profiler writes it ("inspector:memory"), so that the jq examples of its documentation work
 * here too: sums, locations by type, objects by class, and a tree of contexts.
 *
 * @link https://github.com/reliforp/reli-prof/blob/main/docs/memory-profiler.md
 */
final class Reli implements HeapFormat
{
    public const NAME = 'reli';
    public const EXTENSION = 'reli.json';
    public const OPENS = "jq, with the questions of reli's memory profiler, and its tools";

    private const CHUNK = 2 << 20;
    private const PAGE = 4096;

    public function __construct(private readonly bool $isPretty)
    {
    }

    public function write(HeapIndex $index, Sink $out, \Closure $progress): void
    {
        $all = $index->all();
        $json = new JsonWriter($out, $this->isPretty);
        [$locations, $sums] = self::sums($all, $progress);
        $json->open('{');
        $json->key('summary');
        $json->open('[');
        $json->item();
        $json->open('{');
        self::summary($json, $index, $sums);
        $json->close('}');
        $json->close(']');
        $json->key('location_types_summary');
        $json->open('{');
        foreach ($locations as $name => [$count, $bytes]) {
            // reli has used either name for their number.
            self::row($json, $name, ['count' => $count, 'location_count' => $count, 'memory_usage' => $bytes]);
        }
        $json->close('}');
        $json->key('class_objects_summary');
        $json->open('{');
        foreach (self::classes($index) as $name => [$count, $bytes]) {
            self::row($json, (string) $name, ['count' => $count, 'total_size' => $bytes, 'memory_usage' => $bytes]);
        }
        $json->close('}');
        $json->key('context');
        $json->open('{');
        (new ReliTree($all, $json, $progress))->write();
        $json->close('}');
        $json->close('}');
        $out->write("\n");
    }

    /**
     * @param \Closure(string, int, int): void $progress
     *
     * @return array{array<string, array{int, int}>, array{huge: int, slack: int, tables: int, frames: int}} of
     *     locations number and bytes by name, most bytes first; bytes
     */
    private static function sums(SnapshotColumns $all, \Closure $progress): array
    {
        $names = new ReliNames($all);
        $locations = [];
        $sums = ['huge' => 0, 'slack' => 0, 'tables' => 0, 'frames' => 0];
        foreach ($all->rows(static fn (int $done, int $total) => $progress('Adding up', $done, $total)) as $node => $row) {
            $type = $all->type($node);
            $block = $row['block'];
            $isHuge = $block > self::CHUNK - self::PAGE;
            $name = $names->location($node);
            if ($name === null || !$row['inHeap']) {
                continue;
            }
            $used = $block > 0 ? min($row['size'], $block) : $row['size'];
            $slack = $block > 0 ? $block - $used : 0;
            $locations[$name] ??= [0, 0];
            $locations[$name][0]++;
            $locations[$name][1] += $used;
            $sums['slack'] += $slack;
            $sums['tables'] += $type === 'array table' ? $slack : 0;
            $sums['frames'] += $type === 'frame' ? $used : 0;
            $sums['huge'] += $isHuge && $type !== 'native' && $type !== 'unreachable' ? $block : 0;
        }
        uasort($locations, static fn (array $a, array $b): int => $b[1] <=> $a[1]);

        return [$locations, $sums];
    }

    /** @param array{huge: int, slack: int, tables: int, frames: int} $sums */
    private static function summary(JsonWriter $json, HeapIndex $index, array $sums): void
    {
        $header = $index->header();
        $summary = $index->summary();
        $fact = static fn (string $name): int => is_int($header[$name] ?? null) ? $header[$name] : 0;
        $typed = $summary['typed']['bytes'];
        $everything = $typed + $summary['native']['bytes'] + $summary['unreachable']['bytes'];
        $chunks = $fact('chunks') * self::CHUNK;
        $huge = $fact('huge_bytes');
        $stack = $index->type('vm stack');
        $arena = $index->type('arena');
        $numbers = [
            'zend_mm_heap_total' => $chunks + $huge,
            'zend_mm_heap_usage' => $typed,
            'zend_mm_chunk_total' => $chunks,
            'zend_mm_chunk_usage' => $typed - min($sums['huge'], $typed),
            'zend_mm_huge_total' => $huge,
            'zend_mm_huge_usage' => min($sums['huge'], $typed),
            'vm_stack_total' => $stack->bytes ?? 0,
            'vm_stack_usage' => $sums['frames'],
            'compiler_arena_total' => $arena->bytes ?? 0,
            'compiler_arena_usage' => $arena->size ?? 0,
            'possible_allocation_overhead_total' => $sums['slack'],
            'possible_array_overhead_total' => $sums['tables'],
            'memory_get_usage' => $summary['usage'],
            'memory_get_real_usage' => $fact('real_usage'),
            // Memory that the heap has from the system besides its chunks and huge blocks is its cache.
            'cached_chunks_size' => max(0, $fact('real_usage') - $chunks - $huge),
            'native_usage' => $summary['native']['bytes'],
            'unreachable_usage' => $summary['unreachable']['bytes'],
        ];
        foreach ($numbers as $name => $number) {
            $json->number($name, $number);
        }
        $percent = $everything === 0 ? 0.0 : round(100 * $typed / $everything, 4);
        $json->raw('heap_memory_analyzed_percentage', Utf8Names::data($percent));
        $php = is_string($header['php'] ?? null) ? $header['php'] : '';
        if (preg_match('/\A(\d)\.(\d)/', $php, $match) === 1) {
            $json->text('php_version', "v$match[1]$match[2]");
        }
        $json->text('analyzer', 'xhprof');
    }

    /** @return array<string|int, array{int, int}> number and bytes by class, most bytes first */
    private static function classes(HeapIndex $index): array
    {
        $unnamed = ['closure' => 'Closure', 'generator' => 'Generator', 'fiber' => 'Fiber'];
        $classes = [];
        foreach ($index->classes() as $group) {
            $name = $group->name !== '' ? $group->name : $unnamed[$group->type] ?? '(unknown)';
            $classes[$name] ??= [0, 0];
            $classes[$name][0] += $group->count;
            $classes[$name][1] += $group->bytes;
        }
        // Stable: classes() has equal ones in order already.
        uasort($classes, static fn (array $a, array $b): int => [$b[1], $b[0]] <=> [$a[1], $a[0]]);

        return $classes;
    }

    /** @param array<string, int> $numbers */
    private static function row(JsonWriter $json, string $name, array $numbers): void
    {
        $json->key($name);
        $json->open('{');
        foreach ($numbers as $key => $number) {
            $json->number($key, $number);
        }
        $json->close('}');
    }
}
