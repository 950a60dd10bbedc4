<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * Classes, types and owners of native memory: their number, bytes and retained bytes.
 *
 * @phpstan-import-type Row from Table
 */
final class GroupsReport
{
    /** What a row is => how many of them are called. */
    public const BY = ['class' => 'classes', 'type' => 'types', 'owner' => 'owners'];

    /** Orders; FN is that by name. */
    public const SORTS = ['bytes', 'retained', 'count', 'size', self::FN];
    private const FN = 'fn';

    public function __construct(private readonly HeapRows $rows)
    {
    }

    /**
     * @param key-of<self::BY> $by
     * @param string $filter   part of a name; '' for all
     * @param int    $limit    0 for all
     */
    public function report(string $by, Order $order, string $filter, int $limit): Report
    {
        $index = $this->rows->index;
        $table = $this->table('rows', self::named(self::groups($index, $by), $filter), $by, $order)
            ->first($limit, self::BY[$by] . ", sorted by $order->by");

        return new Report(
            [$table],
            facts: [
                'by' => $by, 'sort' => $order->by, 'notes' => [...$index->notes(), ...array_filter([$table->below])],
            ],
            headings: $this->rows->warnings(),
        );
    }

    /**
     * @param key-of<self::BY> $by
     * @return list<HeapGroup> most bytes first
     */
    public static function groups(HeapIndex $index, string $by): array
    {
        return match ($by) {
            'class' => $index->classes(),
            'type' => $index->types(),
            'owner' => $index->owners(),
        };
    }

    /**
     * @param list<HeapGroup> $groups
     * @return list<HeapGroup> those whose name has a text
     */
    public static function named(array $groups, string $text): array
    {
        $text = mb_scrub($text);

        return array_values(array_filter($groups, static fn (HeapGroup $group): bool
            => mb_stripos(mb_scrub($group->name === '' ? $group->type : $group->name), $text) !== false));
    }

    /**
     * @param list<HeapGroup> $groups
     * @param string $name of the column of names
     * @param Order  $order its column is the first on a terminal, with a share
     */
    public function table(string $key, array $groups, string $name, Order $order): Table
    {
        $whole = $order->by === 'count' ? array_sum(array_column($groups, 'count')) : $this->rows->whole;
        $first = $order->by === self::FN ? 'bytes' : $order->by;
        $column = static fn (string $key, Unit $unit, int $weight, string $help): Column => new Column(
            $key === 'retained' ? 'retained_bytes' : $key,
            $unit,
            $key,
            $key === $first ? 0 : $weight,
            $key === 'size' ? '' : null,
            $help,
            $key,
            share: $key === $first ? new Share($whole) : null,
        );
        $figures = [
            'count' => $column('count', Unit::Count, 1, 'Number of values'),
            'bytes' => $column('bytes', Unit::Bytes, 3, "Bytes of the heap's blocks"),
            'retained' => $column('retained', Unit::Bytes, 2, 'Bytes that would be free without them'),
            'size' => $column('size', Unit::Bytes, 6, 'Bytes that they use'),
        ];
        $printed = array_unique([$first, 'bytes', 'retained', 'count', 'size']);
        $table = new Table(
            $key,
            [new Column('name', Unit::Symbol, $name, sort: self::FN, value: self::nameOf(...)), ...array_values($figures)],
            array_map(HeapRows::group(...), $groups),
            'Nothing to show.',
            printed: [...array_map(static fn (string $by): string => $figures[$by]->key, $printed), 'name'],
        );

        return $table->ordered($order);
    }

    /**
     * Name of a group, with its type where that is not clear.
     *
     * @param Row $row
     */
    public static function nameOf(array $row): string
    {
        [$type, $name] = [$row['type'], $row['name'] ?? ''];

        return match (true) {
            $name === '' => $type,
            $type === 'object', $type === 'native', strcasecmp($type, $name) === 0 => $name,
            default => "$name ($type)",
        };
    }
}
