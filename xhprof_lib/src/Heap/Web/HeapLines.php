<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapPath;
use XHProf\Heap\HeapReference;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;

/**
 * Nodes, groups and references of one snapshot as the templates print them.
 *
 * @phpstan-import-type Cell from Cells
 * @phpstan-type NodeLine array{title: string, kind: string, address: string, url: string, alike_url: string, tree_url: string,
 *     value: string, length: int|null, retained: Cell, own: Cell, live: bool, is_root: bool}
 * @phpstan-type GroupLine array{name: string, type: string, family: string, url: string, count: int, bytes: int, retained: int,
 *     cells: list<Cell>}
 */
final class HeapLines
{
    /** Bytes of a string shown in a line. */
    private const VALUE = 60;

    /** References of an object that are searched for plain values to show beside it, and the number of values shown. */
    private const LOOKED_AT = 12;
    private const PREVIEWED = 3;

    /** Type => its colour in the treemap; all others are the engine's. */
    private const FAMILIES = [
        'string' => 'data', 'array' => 'data', 'array table' => 'data', 'reference' => 'data', 'resource' => 'data',
        'constant' => 'data',
        'object' => 'objects', 'closure' => 'objects', 'generator' => 'objects', 'fiber' => 'objects', 'enum case' => 'objects',
        'function' => 'code', 'opcodes' => 'code', 'function part' => 'code', 'runtime cache' => 'code', 'class' => 'code',
        'class part' => 'code', 'constant expression' => 'code',
        'native' => 'native', 'unreachable' => 'unreachable',
    ];

    /** Roots whose name is a word of the engine => plain words. */
    private const ROOTS = [
        'call_frames' => 'running functions', 'function_table' => 'functions', 'class_table' => 'classes',
        'global_constants' => 'constants',
    ];

    /** Family => words of the legend. */
    public const FAMILY_NAMES = [
        'data' => 'strings and arrays', 'objects' => 'objects', 'code' => 'code', 'engine' => 'engine', 'native' => 'native',
        'unreachable' => 'unreachable',
    ];

    public readonly HeapUrl $url;
    private readonly int $whole;

    public function __construct(public readonly HeapIndex $index, string $snapshot)
    {
        $this->url = new HeapUrl($snapshot);
        $this->whole = $index->summary()['usage'];
    }

    /**
     * @param list<HeapNode> $nodes
     * @param int $whole value of a full bar; 0 for all of the heap
     * @return list<NodeLine>
     */
    public function nodes(array $nodes, int $whole = 0): array
    {
        return array_map(fn (HeapNode $node): array => $this->node($node, $whole), $nodes);
    }

    /**
     * Nodes of one kind, distinguished by their contents and paths.
     *
     * @param list<HeapNode> $nodes
     * @return list<array{node: NodeLine, preview: list<array{name: string, value: string}>, where: string}>
     */
    public function members(array $nodes, int $whole = 0): array
    {
        return array_map(fn (HeapNode $node): array => [
            'node' => $this->node($node, $whole),
            'preview' => $this->preview($node),
            'where' => $this->index->path($node)->text,
        ], $nodes);
    }

    /** @return list<array{name: string, value: string}> first plain values of an object */
    private function preview(HeapNode $node): array
    {
        if (!in_array($node->type, ['object', 'enum case'], true)) {
            return [];
        }
        $values = [];
        foreach ($this->index->references($node, 0, self::LOOKED_AT) as $reference) {
            $value = match (true) {
                $reference->kind === HeapReference::SCALAR => $reference->scalar,
                $reference->kind === HeapReference::NAMED && $reference->node?->type === 'string'
                    => $this->index->details($reference->node)['value'] ?? null,
                default => null,
            };
            if ($value !== null && count($values) < self::PREVIEWED) {
                $isText = $reference->kind !== HeapReference::SCALAR;
                $values[] = ['name' => $reference->label, 'value' => $isText ? '"' . self::cut($value) . '"' : $value];
            }
        }

        return $values;
    }

    /** @return NodeLine */
    public function node(HeapNode $node, int $whole = 0): array
    {
        $details = in_array($node->type, ['string', 'array', 'frame', 'closure'], true) ? $this->index->details($node) : [];
        $value = $details['value'] ?? null;
        if ($value === null && ($node->type === 'frame' || $node->type === 'closure') && isset($details['file'])) {
            $value = $details['file'] . (isset($details['line']) ? ':' . $details['line'] : '');
        }

        return [
            'title' => $node->type === 'root' ? $node->name : $node->title(),
            'kind' => $node->type,
            'address' => $node->hex(),
            'url' => $this->url->node($node),
            'alike_url' => $this->url->page(HeapUrl::groupParameters($node->type, $node->name)),
            'tree_url' => $this->url->page(['show' => 'tree', 'node' => $node->hex()]),
            'value' => $node->type === 'string' && $value !== null ? self::cut($value) : ($value ?? ''),
            'length' => $details['length'] ?? null,
            'retained' => Cells::value(
                $node->retained,
                ShownMetric::heap('retained'),
                $whole > 0 ? $whole : $this->whole,
                true,
                true,
            ),
            'own' => Cells::value($node->block, ShownMetric::heap('bytes')),
            'live' => $node->isLive || $node->type === 'root',
            'is_root' => $node->type === 'root',
        ];
    }

    /**
     * @param list<HeapGroup> $groups
     * @param string $sort "count", "bytes" or "retained": the column with bars
     * @return list<GroupLine>
     */
    public function groups(array $groups, string $sort = 'bytes'): array
    {
        return array_map(fn (HeapGroup $group): array => [
            'name' => $group->name === '' ? $group->type : $group->name,
            'type' => $group->type,
            'family' => self::family($group->type),
            'url' => $this->url->page(HeapUrl::groupParameters($group->type, $group->name)),
            'count' => $group->count,
            'bytes' => $group->bytes,
            'retained' => $group->retained,
            'cells' => [
                Cells::value($group->count, ShownMetric::heap('count'), 0, false, $sort === 'count'),
                Cells::value($group->bytes, ShownMetric::heap('bytes'), $this->whole, $sort !== 'retained', $sort === 'bytes'),
                Cells::value(
                    $group->retained,
                    ShownMetric::heap('retained'),
                    $this->whole,
                    $sort === 'retained',
                    $sort === 'retained',
                ),
            ],
        ], $groups);
    }

    /** Title of a node, with the beginning of a string's value or the number of an array's elements; made visible. */
    public function caption(HeapNode $node): string
    {
        $line = $this->node($node);

        return match (true) {
            $node->type === 'root' => self::ROOTS[$node->name] ?? strtr(VisibleName::text($node->name, 120), '_', ' '),
            $line['kind'] === 'string' && $line['value'] !== '' => '"' . VisibleName::text($line['value'], self::VALUE) . '"',
            $line['kind'] === 'array' && $line['length'] !== null => 'array (' . Units::count($line['length']) . ')',
            default => VisibleName::text($line['title'], 120),
        };
    }

    public static function family(string $type): string
    {
        return self::FAMILIES[$type] ?? 'engine';
    }

    /**
     * @param list<HeapReference> $references
     * @return list<array{text: string, label: string, kind: string, scalar: string, node: NodeLine|null}>
     */
    public function references(array $references): array
    {
        return array_map(fn (HeapReference $reference): array => [
            'text' => $reference->text,
            'label' => $reference->label,
            'kind' => $reference->kind,
            'scalar' => $reference->scalar,
            'node' => $reference->node === null ? null : $this->node($reference->node),
        ], $references);
    }

    /** @return array{text: string, live: bool, steps: list<array{text: string, node: NodeLine}>} */
    public function path(HeapPath $path): array
    {
        return [
            'text' => $path->text,
            'live' => $path->isLive,
            'steps' => array_map(fn (array $step): array => [
                'text' => $step['reference']->text ?? '',
                'node' => $this->node($step['node']),
            ], $path->steps),
        ];
    }

    /** @return array{text: string, exact: string, share: string} bytes beside their share of the heap */
    public function bytes(int $bytes): array
    {
        return [
            'text' => Units::bytes($bytes),
            'exact' => Cells::exact($bytes, ShownMetric::heap('bytes')),
            'share' => $this->whole > 0 ? Units::percent($bytes, $this->whole) : '',
        ];
    }

    private static function cut(string $value): string
    {
        if (strlen($value) <= self::VALUE) {
            return $value;
        }
        $cut = substr($value, 0, self::VALUE);

        // Cuts between characters only.
        return (preg_match('//u', $value) === 1 ? (string) preg_replace('/[\xC0-\xFF][\x80-\xBF]*\z/', '', $cut) : $cut) . '…';
    }
}
