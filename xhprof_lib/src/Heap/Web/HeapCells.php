<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapReference;
use XHProf\Heap\HeapRows;
use XHProf\Heap\LeakSuspects;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\ShownMetric;

/**
 * What pages add to the reports of one snapshot: links, kinds, previews.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-import-type Cell from Cells
 * @phpstan-type Value array{title: string, kind: string, type: string, address: string, url: string, alike_url: string,
 *     tree_url: string, retained: Cell, own: Cell, live: bool, is_root: bool}
 */
final class HeapCells
{
    /** References of an object that are searched for plain values to show beside it, and the number of values shown. */
    private const LOOKED_AT = 12;
    private const PREVIEWED = 3;

    private const NO_SHARE = ['share' => 0, 'bar' => 0];

    /** Type => its colour in the treemap; all others are the engine's. */
    private const FAMILIES = [
        'string' => 'data', 'array' => 'data', 'array table' => 'data', 'reference' => 'data', 'resource' => 'data',
        'constant' => 'data',
        'object' => 'objects', 'closure' => 'objects', 'generator' => 'objects', 'fiber' => 'objects', 'enum case' => 'objects',
        'function' => 'code', 'opcodes' => 'code', 'function part' => 'code', 'runtime cache' => 'code', 'class' => 'code',
        'class part' => 'code', 'constant expression' => 'code',
        'native' => 'native', 'unreachable' => 'unreachable',
    ];

    /** Family => words of the legend. */
    public const FAMILY_NAMES = [
        'data' => 'strings and arrays', 'objects' => 'objects', 'code' => 'code', 'engine' => 'engine', 'native' => 'native',
        'unreachable' => 'unreachable',
    ];

    public readonly HeapUrl $url;
    public readonly HeapRows $rows;

    public function __construct(public readonly HeapIndex $index, string $snapshot)
    {
        $this->url = new HeapUrl($snapshot);
        $this->rows = new HeapRows($index);
    }

    public static function family(string $type): string
    {
        return self::FAMILIES[$type] ?? 'engine';
    }

    /** Single values. */
    public function values(Table $table): ReportTable
    {
        return $this->table($table, 'heap-nodes', fn (array $row): array => [
            'preview' => $this->preview($row), 'where' => $row['path'] ?? '',
        ]);
    }

    /** Contents of strings. */
    public function strings(Table $table): ReportTable
    {
        return new ReportTable($table, fn (array $row, string $key): array => $key !== 'what' ? [] : self::part([
            'value' => ['url' => $this->url->equal($row['example']['address'])] + $this->value($row['example']),
            'kind' => Units::count($row['example']['length'] ?? 0) . ' bytes',
            'where' => "one of them: {$row['example']['path']}",
        ]), class: 'heap-nodes');
    }

    /** Possible leaks, with their parts. */
    public function leaks(Table $table): ReportTable
    {
        return $this->table($table, 'heap-nodes', fn (array $row): array => [
            'value' => $this->value($row + $this->details($row)),
            'where' => str_starts_with($row['path'], '(') ? '' : $row['path'],
            'severity' => $row['severity'],
            'why' => $row['why'],
            'next' => ['url' => $this->next($row['next']), 'text' => $row['next']['command']],
            'part_count' => $row['part_count'] ?? 0,
            'open' => $row === $table->rows[0],
            'parts' => array_map(fn (array $part): array => [
                'path' => LeakSuspects::pathWithin($part['path'], $row['path']),
                'url' => $this->url->node($part['address']),
                'text' => Units::bytes($part['retained_bytes']) . ' in ' . Units::count($part['count']) . " × $part[of]",
            ], $row['parts'] ?? []),
        ]);
    }

    /**
     * The page with the answer to the next question about a possible leak.
     *
     * @param array{question: string, address?: string, type?: string, class?: string, ...} $step of LeakAdvice
     */
    private function next(array $step): string
    {
        return match (true) {
            isset($step['class']) => $this->url->page(HeapUrl::groupParameters('object', $step['class'])),
            isset($step['type']) => $this->url->page(HeapUrl::groupParameters($step['type'], '')),
            $step['question'] === 'retained' => $this->url->page(['show' => 'tree', 'node' => $step['address'] ?? '']),
            default => $this->url->node($step['address'] ?? ''),
        };
    }

    /** References of a value, or to it. */
    public function references(Table $table): ReportTable
    {
        return $this->table($table, 'heap-references', static fn (array $row): array => []);
    }

    /** Classes, types or owners. */
    public function groups(Table $table): ReportTable
    {
        return new ReportTable($table, fn (array $row, string $key): array => match ($key) {
            'name' => ['url' => $this->group($row)],
            'count' => self::NO_SHARE,
            default => ['share' => $this->rows->whole],
        }, class: 'heap-groups');
    }

    /**
     * Retaining paths.
     *
     * @param int|null $retained value of 100 % of their retained bytes; null for no share
     */
    public function holders(Table $table, ?int $retained = null): ReportTable
    {
        return new ReportTable($table, fn (array $row, string $key): array => match (true) {
            $key === 'path' => ['url' => $this->url->node($row['example']), 'label' => 'One of them'],
            $retained === null => [],
            $key === 'count' => self::NO_SHARE,
            $key === 'retained_bytes' => ['share' => $retained, 'bar' => $retained],
            default => [],
        }, class: 'heap-holders');
    }

    /**
     * A value as the templates print it outside of tables.
     *
     * @param Row $row of HeapRows
     * @return Value
     */
    public function value(array $row): array
    {
        $isRoot = $row['type'] === 'root';
        $place = isset($row['file']) ? $row['file'] . (isset($row['line']) ? ":$row[line]" : '') : '';

        return [
            'title' => $isRoot ? $row['name'] ?? '' : HeapRows::describe($row),
            'kind' => match ($row['type']) {
                'object', 'enum case', 'generator', 'fiber', 'string' => $row['type'],
                'frame', 'closure' => $place,
                default => '',
            },
            'type' => $row['type'],
            'address' => $row['address'],
            'url' => $this->url->node($row['address']),
            'alike_url' => $this->group($row),
            'tree_url' => $this->url->page(['show' => 'tree', 'node' => $row['address']]),
            'retained' => Cells::value($row['retained_bytes'], ShownMetric::heap('retained'), $this->rows->whole, true, true),
            'own' => Cells::value($row['bytes'], ShownMetric::heap('bytes')),
            'live' => $row['live'] || $isRoot,
            'is_root' => $isRoot,
        ];
    }

    /** @return Value */
    public function node(HeapNode $node): array
    {
        return $this->value($this->rows->known($node));
    }

    /**
     * @param list<HeapNode> $nodes
     * @return list<Value>
     */
    public function nodes(array $nodes): array
    {
        return array_map($this->node(...), $nodes);
    }

    /**
     * Address of the page of all values of a kind.
     *
     * @param Row $row of a value or a group
     */
    public function group(array $row): string
    {
        return $this->url->page(HeapUrl::groupParameters($row['type'], $row['name'] ?? ''));
    }

    /** @return array{label: string, text: string, title: string, note: string} bytes with their share of the heap */
    public function bytes(string $label, int $bytes, string $title): array
    {
        $share = $this->rows->whole > 0 ? Units::percent($bytes, $this->rows->whole) : '';

        return self::tile($label, Units::bytes($bytes), sprintf($title, Unit::Bytes->exact($bytes)), $share);
    }

    /** @return array{label: string, text: string, title: string, note: string} */
    public static function tile(string $label, string $text, string $title = '', string $note = ''): array
    {
        return ['label' => $label, 'text' => $text, 'title' => $title, 'note' => $note];
    }

    /**
     * A table whose column `what` has values.
     *
     * @param \Closure(Row): array<string, mixed> $more of the template of a value
     */
    private function table(Table $table, string $class, \Closure $more): ReportTable
    {
        return new ReportTable($table, fn (array $row, string $key): array => match (true) {
            !isset($row['address']) => [],
            $key === 'what' => self::part($more($row) + ['value' => $this->value($row)]),
            $key === 'address' => ['url' => $this->url->node($row['address'])],
            default => [],
        }, class: $class);
    }

    /**
     * @param Row $row of a value
     * @return Row
     */
    private function details(array $row): array
    {
        $node = $this->index->node((int) hexdec($row['address']));

        return $node === null ? [] : $this->index->details($node);
    }

    /**
     * @param array<string, mixed> $part
     * @return array{template: string, part: array<string, mixed>}
     */
    private static function part(array $part): array
    {
        return ['template' => 'heap_value.html.twig', 'part' => $part];
    }

    /**
     * @param Row $row
     * @return list<array{name: string, value: string}> first plain values of an object
     */
    private function preview(array $row): array
    {
        $node = in_array($row['type'], ['object', 'enum case'], true) ? $this->index->node((int) hexdec($row['address'])) : null;
        $values = [];
        foreach ($node === null ? [] : $this->index->references($node, 0, self::LOOKED_AT) as $reference) {
            $value = match (true) {
                $reference->kind === HeapReference::SCALAR => $reference->scalar,
                $reference->kind === HeapReference::NAMED && $reference->node?->type === 'string'
                    => $this->rows->title($reference->node),
                default => null,
            };
            if ($value !== null && $value !== 'string' && count($values) < self::PREVIEWED) {
                $values[] = ['name' => $reference->label, 'value' => $value];
            }
        }

        return $values;
    }
}
