<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Single objects, arrays and strings: what they retain, and who keeps them. */
final class ValuesReport
{
    /** What a row is: HeapIndex::OBJECTS, or a type. */
    public const BY = ['object', 'array', 'string'];

    public function __construct(private readonly HeapRows $rows)
    {
    }

    /**
     * @param value-of<self::BY> $by
     * @param HeapGroup|null     $group only of this class or type
     * @param int                $limit 0 for all
     */
    public function report(string $by, ?HeapGroup $group, int $limit): Report
    {
        $index = $this->rows->index;
        $types = $by === 'object' ? HeapIndex::OBJECTS : [$by];
        $groups = $group !== null ? [$group] : array_values(array_filter($index->types(), static fn (HeapGroup $type): bool
            => in_array($type->type, $types, true)));
        // The largest structures come first: not each node of a long list.
        $isOutermost = $group === null && $by === 'object' && $limit !== 0;
        $most = $limit === 0 ? PHP_INT_MAX : $limit;
        $nodes = array_merge(...array_map(static fn (HeapGroup $one): array => $isOutermost
            ? $index->outermost($one, $most)
            : $index->members($one, 0, $most), $groups));
        usort($nodes, static fn (HeapNode $a, HeapNode $b): int => $b->retained <=> $a->retained ?: $b->size <=> $a->size);
        $nodes = array_slice($nodes, 0, $most);
        $what = ($group === null ? $by . 's' : ($group->name ?: $group->type)) . ', sorted by retained'
            . ($isOutermost ? '; not those that another of their class keeps' : '');
        $rest = Table::rest(count($nodes), array_sum(array_column($groups, 'count')), $what);

        return new Report(
            [$this->table('rows', $nodes)->with(['below' => $rest])],
            facts: ['by' => $by, 'notes' => [...$index->notes(), ...array_filter([$rest])]],
            headings: $this->rows->warnings(),
        );
    }

    /**
     * @param list<HeapNode> $nodes
     * @param int|null       $whole value of 100 %; null: the heap
     */
    public function table(string $key, array $nodes, ?int $whole = null): Table
    {
        return new Table(
            $key,
            [
                HeapRows::what(),
                $this->rows->retained(whole: $whole),
                new Column('bytes', Unit::Bytes, 'bytes', 13, 'Own', 'Bytes of its own block'),
                HeapRows::address(),
                HeapRows::keptBy(),
            ],
            array_map($this->rows->value(...), $nodes),
            'Nothing to show.',
            caption: 'Values by retained size',
            printed: ['retained_bytes', 'bytes', 'address', 'what', 'path'],
        );
    }
}
