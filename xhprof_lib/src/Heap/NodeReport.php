<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * One value: who keeps it, and with what it is freed.
 *
 * @phpstan-import-type Row from Table
 */
final class NodeReport
{
    /** Most dominators shown on terminals. */
    private const FEW = 8;

    /** @var Row with its details and the shortest path */
    public readonly array $row;

    public function __construct(private readonly HeapRows $rows, private readonly HeapNode $node)
    {
        $this->row = $rows->value($node);
    }

    /**
     * @param int  $limit  paths, 0 for all
     * @param bool $isFull every step of a path with its address
     */
    public function report(int $limit, bool $isFull): Report
    {
        $index = $this->rows->index;
        $paths = $index->paths($this->node, $limit === 0 ? PHP_INT_MAX : $limit);
        $calls = $index->allocation($this->node);
        $dominators = $index->dominators($this->node);
        $rows = $this->row;
        unset($rows['path']);

        return new Report(
            [
                $this->paths($paths, $limit),
                ...($isFull ? array_map($this->steps(...), $paths) : []),
                ...($this->node->isLive ? [$this->dominators($dominators, count($paths))] : []),
            ],
            facts: $rows + [
                'allocated_by' => $calls,
                'paths' => array_map(self::path(...), $paths),
                'dominators' => array_map(HeapRows::node(...), $dominators),
                'notes' => $index->notes(),
            ],
            headings: [new Heading(
                HeapRows::describe($this->row) . ' ' . $this->node->hex(),
                [$this->facts(), ...($calls === [] ? [] : ['allocated by ' . implode(' ← ', array_reverse($calls))])],
                $index->notes(),
            )],
            rowsInJson: false,
        );
    }

    public function references(int $offset, int $limit): Table
    {
        $held = new Column('text', Unit::Symbol, 'name');
        $rows = $this->referenceRows($this->rows->index->references($this->node, $offset, $limit));

        return $this->referenceTable('references', [$held, HeapRows::what()], $rows, 'It refers to nothing.');
    }

    public function referrers(int $offset, int $limit): Table
    {
        $held = new Column('text', Unit::Symbol, 'by');
        $rows = $this->referenceRows($this->rows->index->referrers($this->node, $offset, $limit));
        $none = $this->node->type === 'root' ? 'It is a root.' : 'No reference to it was found.';

        return $this->referenceTable('referrers', [HeapRows::what('Referrer'), $held], $rows, $none);
    }

    /**
     * @param list<HeapReference> $references
     * @return list<Row>
     */
    private function referenceRows(array $references): array
    {
        return array_map(fn (HeapReference $reference): array => [
            'text' => ($reference->text === '' ? $reference->label : $reference->text)
                . ($reference->kind === HeapReference::WEAK ? ' (weak)' : ''),
            'faint' => in_array($reference->kind, [HeapReference::PART, HeapReference::WEAK], true) ? $reference->kind : null,
            'scalar' => $reference->kind === HeapReference::SCALAR ? $reference->scalar : 'not in the snapshot',
        ] + ($reference->node === null ? [] : $this->rows->known($reference->node)), $references);
    }

    /**
     * @param list<Column> $words
     * @param list<Row> $rows
     */
    private function referenceTable(string $key, array $words, array $rows, string $none): Table
    {
        $retained = new Column('retained_bytes', Unit::Bytes, 'retained', value: static fn (array $row): int|string
            => $row['retained_bytes'] ?? '', share: new Share($this->rows->whole));

        return new Table($key, [...$words, $retained], $rows, $none, ucfirst($key), ucfirst($key), faint: 'faint');
    }

    /** Describes the sizes and the place of the node in a sentence. */
    private function facts(): string
    {
        [$node, $row] = [$this->node, $this->row];

        return implode(', ', [
            ...($node->title() === $node->type || $node->type === 'object' ? [] : [$node->type]),
            Units::bytes($node->size) . ($node->block === $node->size ? '' : ' in a block of ' . Units::bytes($node->block)),
            Units::bytes($node->retained) . ' retained',
            ...(isset($row['refcount']) ? ["refcount {$row['refcount']}"] : []),
            ...(isset($row['file']) ? [$row['file'] . (isset($row['line']) ? ":{$row['line']}" : '')] : []),
            ...(($row['shared'] ?? false) ? ["in opcache's memory"] : []),
        ]);
    }

    /** @return Row */
    private static function path(HeapPath $path): array
    {
        return [
            'text' => $path->text,
            'omitted' => $path->omitted,
            'steps' => array_map(static fn (array $step): array => HeapRows::node($step['node']) + [
                'reference' => $step['reference']?->label,
                'kind' => $step['reference']?->kind,
            ], $path->steps),
        ];
    }

    /**
     * On a line each, to be searched for and copied.
     *
     * @param list<HeapPath> $paths
     */
    private function paths(array $paths, int $limit): Table
    {
        $head = match (true) {
            $this->node->isLive => count($paths) === 1 ? 'It is kept by' : 'It is kept by each of',
            default => count($paths[0]->steps) > 1 ? 'Only garbage refers to it:' : 'It is not freed yet, or leaks.',
        };
        $shown = count($paths);
        $isCut = $this->node->referrers > $shown && $limit !== 0 && $shown >= $limit;

        return new Table(
            'paths',
            [new Column('text', Unit::Line, $head, value: static fn (array $row): string => "  $row[text]")],
            array_map(static fn (HeapPath $path): array => ['text' => $path->text], $paths),
            '',
            lead: $this->node->isLive ? ''
                : 'Nothing keeps it: no path from a root leads to it, except through weak references.',
            below: $isCut ? "$shown of up to " . Units::count($this->node->referrers) . '; --limit=0 shows all' : '',
        );
    }

    private function steps(HeapPath $path): Table
    {
        $rows = [];
        foreach ($path->steps as $number => ['reference' => $reference, 'node' => $node]) {
            $rows[] = $this->rows->known($node) + [
                'step' => match (true) {
                    $number === 0 => $node->title(),
                    $reference === null => "... $path->omitted more ...",
                    default => trim($reference->text ?: "{{$reference->label}}"),
                },
                'isFirst' => $number === 0,
            ];
        }

        return new Table(
            'steps',
            [
                HeapRows::address(weight: 0),
                new Column('retained_bytes', Unit::Bytes, 'retained', 1),
                new Column('step', Unit::Name, ''),
                new Column('what', Unit::Name, '', value: static fn (array $row): string
                    => $row['isFirst'] ? '' : HeapRows::describe($row)),
            ],
            $rows,
            '',
            printed: ['address', 'retained_bytes', 'step', 'what'],
        );
    }

    /** @param list<HeapNode> $dominators the outermost first */
    private function dominators(array $dominators, int $paths): Table
    {
        $inner = array_reverse(array_values(array_filter($dominators, static fn (HeapNode $node): bool => $node->type !== 'root')));

        return new Table(
            'dominators',
            [
                HeapRows::what(),
                new Column('retained_bytes', Unit::Bytes, 'retained'),
                HeapRows::address(),
                HeapRows::keptBy(),
            ],
            array_map($this->rows->value(...), array_slice($inner, 0, self::FEW)),
            $paths === 1 ? 'It is freed with nothing else.' : 'No single thing keeps it.',
            printed: ['retained_bytes', 'address', 'what', 'path'],
            lead: $inner === [] ? '' : 'It is freed with any of these:',
        );
    }
}
