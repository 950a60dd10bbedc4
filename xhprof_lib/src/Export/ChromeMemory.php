<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Memory\LiveTree;
use XHProf\Run\RunMeta;

/**
 * Live memory as a dump within a trace, as Chrome's own memory-infra writes them: totals of the allocators, and per heap the
 * live bytes by call path and type.
 *
 * @link https://chromium.googlesource.com/chromium/src/+/main/docs/memory-infra/heap_profiler_internals.md
 */
final class ChromeMemory
{
    private const HEAP = 'zend_mm';
    private const NATIVE = 'malloc';

    /** Heap of summed-up blocks if both heaps were recorded, because theirs is not known. */
    private const REST = '(below threshold)';

    /** Columns of a heap, all of equal length. */
    private const COLUMNS = ['counts', 'sizes', 'types', 'nodes'];

    private const UNKNOWN_TYPE = '(unknown)';

    /** @var array<string, int> numbers of the strings that are used */
    private array $strings = [];

    public function __construct(private readonly LiveTree $live, private readonly RunMeta $meta)
    {
    }

    public function write(Sink $out): void
    {
        [$nodes, $heaps, $types] = $this->heaps();
        $pid = $this->meta->origin->pid ?? 1;
        $ts = (int) round(($this->meta->ts ?? 0) * 1e6);
        $out->write("{\"traceEvents\":[\n{\"pid\":$pid,\"tid\":0,\"ts\":0,\"ph\":\"M\",\"cat\":\"__metadata\",");
        $out->write("\"name\":\"process_name\",\"args\":{\"name\":\"php\"}},\n{\"pid\":$pid,\"tid\":0,\"ts\":$ts,\"ph\":\"v\",");
        $out->write('"cat":"disabled-by-default-memory-infra","id":"0x1","name":"periodic_interval",');
        $out->write("\"args\":{\"dumps\":{\"level_of_detail\":\"detailed\",\n\"allocators\":{");
        $out->write($this->allocators() . "},\n\"heaps_v2\":{\"version\":1,\"maps\":{\"strings\":[");
        $comma = '';
        foreach ($this->strings as $string => $id) {
            $out->write("$comma\n{\"id\":$id,\"string\":" . Utf8Names::json((string) $string) . '}');
            $comma = ',';
        }
        $out->write("],\n\"nodes\":[");
        foreach ($nodes as $id => [$name, $parent]) {
            $above = $parent === 0 ? '' : ",\"parent\":$parent";
            $out->write(($id > 1 ? ',' : '') . "\n{\"id\":$id,\"name_sid\":$name$above}");
        }
        $out->write("],\n\"types\":[");
        $comma = '';
        foreach ($types as $name => $id) {
            $out->write("$comma\n{\"id\":$id,\"name_sid\":{$this->string((string) $name)}}");
            $comma = ',';
        }
        $out->write("]},\n\"allocators\":{");
        $comma = '';
        foreach ($heaps as $heap => $rows) {
            $out->write("$comma\n\"$heap\":{");
            foreach (self::COLUMNS as $i => $column) {
                $out->write(($i > 0 ? ',' : '') . "\n\"$column\":[" . implode(',', array_column($rows, $i)) . ']');
            }
            $out->write('}');
            $comma = ',';
        }
        $out->write("}}}}}\n]}\n");
    }

    private function allocators(): string
    {
        $memory = $this->live->memory;
        $scalar = static fn (string $units, int $value): string
            => sprintf('{"type":"scalar","units":"%s","value":"%x"}', $units, $value);
        $all = [];
        foreach ($memory->allocators as $name => $values) {
            $attributes = ['"size":' . $scalar('bytes', $values['size'])];
            if (($values['peak'] ?? 0) > 0) {
                $attributes[] = '"peak_size":' . $scalar('bytes', $values['peak']);
            }
            // Known only if every block was recorded.
            $isWhole = ($values['before_bytes'] ?? 0) === 0 && $memory->droppedBlocks === 0 && $memory->sampleBytes === 0;
            if (isset($values['allocated_blocks'], $values['freed_blocks']) && $isWhole) {
                $count = $values['allocated_blocks'] - $values['freed_blocks'];
                $attributes[] = '"object_count":' . $scalar('objects', $count);
            }
            $all[] = "\n" . Utf8Names::json($name) . ':{"attrs":{' . implode(',', $attributes) . '}}';
        }

        return implode(',', $all);
    }

    /**
     * A block's type shows its heap: types of malloc() have one of their own.
     *
     * @return array{array<int, array{int, int}>, array<string, list<array{int, int, int, int}>>, array<string, int>} of nodes,
     *     from 1, the string and the parent, 0: none; COLUMNS by heap; numbers of the types
     */
    private function heaps(): array
    {
        $hasTypes = $this->live->types !== [];
        $live = $hasTypes ? $this->live : LiveTree::fromMemory($this->live->memory, true, $this->live->range);
        $tree = $live->tree;
        $nodes = $heaps = $types = [];
        $open = [-1 => 0];
        foreach ($tree->fn as $at => $fn) {
            $level = $tree->depth[$at];
            $type = $live->types[$fn] ?? null;
            if ($type === null) {
                $open[$level] = count($nodes) + 1;
                $nodes[$open[$level]] = [$this->string($tree->names[$fn]), $open[$level - 1]];
            }
            $bytes = $tree->allocations['live_bytes'][$at];
            $blocks = $tree->allocations['live_blocks'][$at];
            if ($type === null && $bytes === 0 && $blocks === 0) {
                continue;
            }
            $heap = $type === null ? $this->heapOfRest() : ($type === self::NATIVE ? self::NATIVE : self::HEAP);
            $shown = $hasTypes && $type !== null ? $type : self::UNKNOWN_TYPE;
            $types[$shown] ??= count($types);
            $node = $type === null ? $open[$level] : $open[$level - 1];
            $heaps[$heap] ??= [];
            $last = $hasTypes ? null : array_pop($heaps[$heap]);
            if ($last !== null && $last[3] === $node) {
                $blocks += $last[0];
                $bytes += $last[1];
            } elseif ($last !== null) {
                $heaps[$heap][] = $last;
            }
            $heaps[$heap][] = [$blocks, $bytes, $types[$shown], $node];
        }
        foreach (array_keys($types) as $type) {
            $this->string((string) $type);
        }

        return [$nodes, $heaps, $types];
    }

    private function heapOfRest(): string
    {
        $isTracked = fn (string $heap): bool => isset($this->live->memory->allocators[$heap]['allocated_bytes']);

        return match (true) {
            !$isTracked(self::NATIVE) => self::HEAP,
            !$isTracked(self::HEAP) => self::NATIVE,
            default => self::REST,
        };
    }

    private function string(string $text): int
    {
        return $this->strings[$text] ??= count($this->strings) + 1;
    }
}
