<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Export\Utf8Names;
use XHProf\File\Sink;
use XHProf\Heap\HeapGraph;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\SnapshotColumns;

/**
 * A heap snapshot as V8 writes them, for the memory panel of Chrome's DevTools. Three nodes stand before those of the snapshot:
 * the root, "(GC roots)" and "(held weakly only)"; those of scalars come after.
 *
 * @link https://chromium.googlesource.com/v8/v8/+/refs/heads/main/src/profiler/heap-snapshot-generator.h
 */
final class DevTools implements HeapFormat
{
    public const NAME = 'heapsnapshot';
    public const EXTENSION = 'heapsnapshot';
    public const OPENS = "Chrome's DevTools, the memory panel: load the file there";

    private const NODE_TYPES = [
        'hidden', 'array', 'string', 'object', 'code', 'closure', 'regexp', 'number', 'native', 'synthetic',
        'concatenated string', 'sliced string', 'symbol', 'bigint', 'object shape',
    ];
    private const EDGE_TYPES = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak'];

    private const HIDDEN = 0;
    private const NUMBER = 7;
    private const SYNTHETIC = 9;

    private const ELEMENT = 1;
    private const PROPERTY = 2;
    private const INTERNAL = 3;
    private const WEAK = 6;

    /** Node types of DevTools by those of the snapshot; any other is HIDDEN. */
    private const TYPES = [
        'string' => 2, 'array' => 3, 'object' => 3, 'generator' => 3, 'fiber' => 3, 'enum case' => 3, 'array table' => 1,
        'closure' => 5, 'function' => 4, 'opcodes' => 4, 'function part' => 4, 'runtime cache' => 4, 'class' => 4,
        'class part' => 4, 'constant expression' => 4, 'resource' => 8, 'native' => 8, 'unreachable' => 8,
    ];

    /** Roots of the program's own data: nodes below them have a distance in DevTools. */
    private const OWN_ROOTS = ['call_frames', 'global_variables', 'function_table', 'class_table', 'global_constants'];

    /** The root that holds unreferenced blocks. */
    private const LEAKS = 'unreachable';

    private const NODE_FIELDS = 7;

    /** Number of nodes in front of the snapshot's. */
    private const GC_ROOTS = 1;
    private const WEAKLY = 2;
    private const NODES = 3;

    /** Strings in front of the snapshot's. DevTools knows "Array" and "elements". */
    private const STRINGS = ['', '(GC roots)', '(held weakly only)', 'Array', 'elements'];
    private const ARRAY = 3;
    private const ELEMENTS = 4;

    private const MAX_INDEX = 0x7FFFFFFF;
    private const MAX_SIZE = 0xFFFFFFFF;

    /** @var array<int, true> numbers of nodes that DevTools identify them by */
    private array $ids = [];

    /** @var array<string, int> the roots, and which of them are the program's own */
    private array $roots = [];

    /** @var array<string, int> */
    private array $ownRoots = [];

    /** @var list<int> nodes that only weak references lead to, one of each group that refers to each other */
    private array $heads = [];

    /** @var array<int, int> number of the file's node by the number of the scalar's text */
    private array $scalars = [];

    public function write(HeapIndex $index, Sink $out, \Closure $progress): void
    {
        $all = $index->all();
        $this->ids = [];
        $this->roots = $all->roots();
        $this->ownRoots = array_intersect_key($this->roots, array_flip(self::OWN_ROOTS));
        $this->heads = self::unreachableHeads($all, $this->roots[self::LEAKS] ?? -1);
        $this->scalars = self::scalars($all);
        $spool = new StringSpool(count(self::STRINGS) + $all->textCount());
        $this->head($all, $out);
        $this->nodes($all, $out, $spool, $progress);
        $out->write("],\n\"edges\":[");
        $this->edges($all, $out, $spool, $progress);
        $out->write("],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n\"locations\":[],\n\"strings\":[\"\"");
        foreach (array_slice(self::STRINGS, 1) as $text) {
            $out->write(",\n\"$text\"");
        }
        foreach ($all->texts() as $text) {
            $out->write(",\n" . Utf8Names::json($text));
        }
        $spool->write($out);
        $out->write("]}\n");
    }

    private function head(SnapshotColumns $all, Sink $out): void
    {
        $json = static fn (array $names): string => json_encode($names, JSON_THROW_ON_ERROR);
        $nodes = self::NODES + $all->nodes + count($this->scalars);
        $edges = 2 + count($this->roots) + count($this->heads) + $all->references - substr_count($all->kinds, HeapGraph::LOST);
        $out->write('{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","trace_node_id",'
            . "\"detachedness\"],\n\"node_types\":[" . $json(self::NODE_TYPES)
            . ",\"string\",\"number\",\"number\",\"number\",\"number\",\"number\"],\n"
            . "\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\n\"edge_types\":[" . $json(self::EDGE_TYPES)
            . ",\"string_or_number\",\"node\"],\n"
            . '"trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],' . "\n"
            . '"trace_node_fields":["id","function_info_index","count","size","children"],' . "\n"
            . '"sample_fields":["timestamp_us","last_assigned_id"],' . "\n"
            . '"location_fields":["object_index","script_id","line","column"]},' . "\n"
            . "\"node_count\":$nodes,\"edge_count\":$edges,\"trace_function_count\":0},\n\"nodes\":[");
    }

    private function nodes(SnapshotColumns $all, Sink $out, StringSpool $spool, \Closure $progress): void
    {
        $own = count($this->ownRoots);
        $fixed = [2 + $own, count($this->roots) - $own, count($this->heads)];
        foreach ($fixed as $number => $edges) {
            $comma = $number === 0 ? '' : ',';
            $out->write($comma . self::SYNTHETIC . ",$number,{$this->id(0)},0,$edges,0,0\n");
        }
        $reading = static fn (int $done, int $total) => $progress('Writing things', $done, $total);
        foreach ($all->rows($reading) as $node => $row) {
            $type = $all->type($node);
            [$first, $count] = $all->range($node);
            $name = $this->nodeName($all, $spool, $node, $type, $row);
            $edges = $count - substr_count($all->kinds, HeapGraph::LOST, $first, $count);
            $size = min($row['block'], self::MAX_SIZE);
            $out->write(",{$this->nodeType($type, $node)},$name,{$this->id($row['address'])},$size,$edges,0,0\n");
        }
        $id = 0;
        foreach ($this->scalars as $text => $position) {
            $id += 2;
            $out->write(',' . self::NUMBER . ',' . (count(self::STRINGS) + $text) . ",$id,0,0,0,0\n");
        }
    }

    private function nodeType(string $type, int $node): int
    {
        if ($type === 'root') {
            return in_array($node, $this->ownRoots, true) ? self::TYPES['object'] : self::SYNTHETIC;
        }

        return self::TYPES[$type] ?? self::HIDDEN;
    }

    /** @param array{length: int, value: string, line: int, ...} $row */
    private function nodeName(SnapshotColumns $all, StringSpool $spool, int $node, string $type, array $row): int
    {
        $name = $all->nameNumber($node);

        return match (true) {
            $type === 'array' => self::ARRAY,
            $type === 'string' && $row['value'] !== '' => $spool->number($row['value']),
            $type === 'string' => $row['length'] === 0 ? 0 : $spool->number("($row[length] bytes)"),
            $type === 'frame' && $name !== 0 && $row['line'] > 0 => $spool->number($all->text($name) . ":$row[line]"),
            $name !== 0 => count(self::STRINGS) + $name,
            default => $spool->number($type),
        };
    }

    private function edges(SnapshotColumns $all, Sink $out, StringSpool $spool, \Closure $progress): void
    {
        $put = static function (int $type, int $name, int $to) use ($out): void {
            $out->write(",$type,$name," . $to * self::NODE_FIELDS . "\n");
        };
        $out->write(self::ELEMENT . ',1,' . self::GC_ROOTS * self::NODE_FIELDS . "\n");
        $put(self::ELEMENT, 2, self::WEAKLY);
        foreach ($this->ownRoots as $node) {
            $put(self::PROPERTY, count(self::STRINGS) + $all->nameNumber($node), self::NODES + $node);
        }
        $index = 0;
        foreach (array_diff_key($this->roots, $this->ownRoots) as $node) {
            $put(self::ELEMENT, ++$index, self::NODES + $node);
        }
        foreach ($this->heads as $i => $node) {
            $put(self::ELEMENT, $i + 1, self::NODES + $node);
        }
        for ($node = 0; $node < $all->nodes; $node++) {
            [$first, $count] = $all->range($node);
            if ($node % 4096 === 0) {
                $progress('Writing references', $first, $all->references);
            }
            for ($at = $first, $end = $first + $count; $at < $end; $at += HeapGraph::CHUNK) {
                $this->edgesOf($all, $spool, $node, $at, min(HeapGraph::CHUNK, $end - $at), $put);
            }
        }
    }

    /** @param \Closure(int, int, int): void $put */
    private function edgesOf(SnapshotColumns $all, StringSpool $spool, int $node, int $first, int $count, \Closure $put): void
    {
        $isArray = $all->type($node) === 'array';
        $weak = $node === ($this->roots[self::LEAKS] ?? -1) ? self::PROPERTY : self::WEAK;
        $targets = $all->targets($first, $count);
        foreach ($all->labels($first, $count) as $i => $label) {
            $kind = $all->kinds[$first + $i - 1];
            if ($kind === HeapGraph::LOST) {
                continue;
            }
            $to = SnapshotColumns::isScalar($kind) ? $this->scalars[$targets[$i]] : self::NODES + $targets[$i];
            $isIndex = SnapshotColumns::isIndex($kind);
            if ($isIndex && $kind !== HeapGraph::WEAK_INDEX && $label <= self::MAX_INDEX) {
                $put(self::ELEMENT, $label, $to);
                continue;
            }
            $name = $isIndex ? $spool->number((string) $label) : count(self::STRINGS) + $label;
            if ($kind === HeapGraph::PART) {
                $put(self::INTERNAL, $isArray && $all->type($targets[$i]) === 'array table' ? self::ELEMENTS : $name, $to);
            } else {
                $put(SnapshotColumns::isWeak($kind) ? $weak : self::PROPERTY, $name, $to);
            }
        }
    }

    /**
     * Id from the address, so that snapshots of one process can be compared; addresses 16 GB apart may collide, then the next
     * is used.
     */
    private function id(int $address): int
    {
        $id = ($address >> 3 & 0x7FFFFFFF) * 2 + 1;
        while (isset($this->ids[$id])) {
            $id += 2;
        }
        $this->ids[$id] = true;

        return $id;
    }

    /**
     * Nodes that no root holds, one of each group of them. The root of the leaks holds these, because each needs a holder.
     *
     * @return list<int>
     */
    private static function unreachableHeads(SnapshotColumns $all, int $leaks): array
    {
        $reached = $all->live();
        if ($leaks >= 0) {
            self::markReachable($all, $leaks, true, $reached);
        }
        $heads = [];
        for ($node = strpos($reached, "\0"); $node !== false; $node = strpos($reached, "\0", $node)) {
            $heads[] = $node;
            self::markReachable($all, $node, false, $reached);
        }

        return $heads;
    }

    /** Marks a node, and all nodes it holds. */
    private static function markReachable(SnapshotColumns $all, int $node, bool $holdsWeakly, string &$reached): void
    {
        $reached[$node] = "\1";
        for ($open = [$node]; ($node = array_pop($open)) !== null; $holdsWeakly = false) {
            [$first, $count] = $all->range($node);
            for ($at = $first, $end = $first + $count; $at < $end; $at++) {
                $kind = $all->kinds[$at];
                if ($kind < HeapGraph::WEAK || $holdsWeakly && SnapshotColumns::isWeak($kind)) {
                    $to = $all->target($at);
                    if ($reached[$to] === "\0") {
                        $reached[$to] = "\1";
                        $open[] = $to;
                    }
                }
            }
        }
    }

    /** @return array<int, int> position of each scalar that differs from the others, by the number of its text */
    private static function scalars(SnapshotColumns $all): array
    {
        $scalars = [];
        for ($at = 0, $count = strlen($all->kinds); $at < $count; $at++) {
            $at += strcspn($all->kinds, HeapGraph::SCALAR . HeapGraph::SCALAR_INDEX, $at);
            if ($at < $count) {
                $scalars[$all->target($at)] = 0;
            }
        }
        $position = self::NODES + $all->nodes;
        foreach ($scalars as $text => $unused) {
            $scalars[$text] = $position++;
        }

        return $scalars;
    }
}
