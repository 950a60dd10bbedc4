<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * What has grown from one snapshot to another: sums, classes, types and owners.
 *
 * @phpstan-import-type Row from Table
 * @phpstan-import-type Change from HeapDiff
 */
final class HeapDiffReport
{
    public const SORTS = ['bytes', 'retained', 'count', 'fn'];

    private const TITLES = ['class' => 'class', 'type' => 'type', 'owner' => 'native owner'];

    public readonly HeapDiff $diff;

    public function __construct(private readonly HeapIndex $before, private readonly HeapIndex $after)
    {
        $this->diff = new HeapDiff($before, $after);
    }

    /**
     * @param string     $fileA of the snapshot before
     * @param Order|null $order null: the largest change of bytes first
     * @param int        $limit 0 for all
     */
    public function report(string $fileA, string $fileB, ?Order $order, int $limit): Report
    {
        $lists = $tables = [];
        foreach (self::TITLES as $by => $title) {
            $table = $this->table($by, $order);
            $lists[GroupsReport::BY[$by]] = $table->first($limit)->rows;
            $tables[] = self::changed($table)->first($limit, 'that changed');
        }
        $side = static fn (string $file, HeapIndex $index): array => [
            'file' => $file, 'header' => $index->header(), 'summary' => $index->summary(), 'notes' => $index->notes(),
        ];

        return new Report(
            [$this->totals(), ...$tables],
            $this->diff->isOneProcess()
                ? ['new, gone: what only B or A has at its address; one process made both snapshots.']
                : [],
            [
                'a' => $side($fileA, $this->before),
                'b' => $side($fileB, $this->after),
                'one_process' => $this->diff->isOneProcess(),
            ] + $lists,
            [
                HeapRows::heading('A  ' . basename($fileA), $this->before),
                HeapRows::heading('B  ' . basename($fileB), $this->after),
            ],
            false,
        );
    }

    public function totals(): Table
    {
        [$a, $b] = [$this->before->summary(), $this->after->summary()];
        $row = static fn (string $what, string $label, int $before, int $after, string $metric = 'mu'): array => [
            'what' => $what, 'label' => $label, 'metric' => $metric, 'value' => [$before, $after],
        ];
        $side = static fn (int $side): \Closure => static fn (array $row): int => $row['value'][$side];
        $growth = static fn (array $row): string => $row['value'][0] === $row['value'][1] ? '0.0 %'
            : (Units::growth(...$row['value']) ?: '-');

        return new Table(
            'totals',
            [
                new Column('label', Unit::Text, '', label: 'What'),
                new Column('what', Unit::Text, ''),
                new Column('a', Unit::OfMetric, 'A', value: $side(0)),
                new Column('b', Unit::OfMetric, 'B', value: $side(1)),
                new Column('value', Unit::OfMetric, 'B - A', label: 'Change', isChange: true),
                new Column('growth', Unit::Percent, '%', value: $growth),
            ],
            [
                $row('heap', 'In use', $a['usage'], $b['usage']),
                $row('known, of it', 'Known', $a['typed']['bytes'], $b['typed']['bytes']),
                $row('native, of it', 'Native', $a['native']['bytes'], $b['native']['bytes']),
                $row('unreachable, of it', 'Unreachable', $a['unreachable']['bytes'], $b['unreachable']['bytes']),
                $row('values', 'Values', $a['nodes'], $b['nodes'], 'ct'),
            ],
            '',
            printed: ['what', 'a', 'b', 'value', 'growth'],
        );
    }

    /**
     * @param key-of<self::TITLES> $by
     * @param Order|null $order null: the largest change of bytes first
     */
    public function table(string $by, ?Order $order): Table
    {
        $changes = match ($by) {
            'class' => $this->diff->classes(),
            'type' => $this->diff->types(),
            'owner' => $this->diff->owners(),
        };
        $hasNew = $by === 'class' && $this->diff->isOneProcess();
        $after = static fn (string $key): \Closure => static fn (array $row): int => $row[$key][1];
        $change = static fn (string $key, Unit $unit, string $title, int $weight, string $sort, string $help): Column
            => new Column($key, $unit, $title, $weight, ucfirst($sort) . ' change', "Change of: $help", $sort, isChange: true);
        $table = new Table(
            $by,
            [
                new Column('name', Unit::Symbol, self::TITLES[$by], label: 'Name', sort: 'fn', value: self::nameOf(...)),
                new Column('count_after', Unit::Count, 'count', 12, 'Count after', sort: null, value: $after('count')),
                $change('count', Unit::Count, 'B - A count', 10, 'count', 'number of values'),
                new Column('bytes_after', Unit::Bytes, 'bytes', 14, 'Bytes after', sort: null, value: $after('bytes')),
                $change('bytes', Unit::Bytes, 'B - A', 0, 'bytes', "bytes of the heap's blocks"),
                new Column('retained_after', Unit::Bytes, '', 20, 'Retained after', sort: null, value: $after('retained_bytes')),
                $change('retained_bytes', Unit::Bytes, 'retained', 9, 'retained', 'bytes that would be free without them'),
                ...($hasNew ? [
                    new Column('new', Unit::Count, 'new', 13, help: 'Objects at new addresses', sort: null),
                    new Column('gone', Unit::Count, 'gone', 13, help: 'Objects that no longer exist', sort: null),
                ] : []),
                new Column('growth', Unit::Percent, '%', 16, '', value: static fn (array $row): string
                    => self::status($row) ?: Units::growth(...$row['bytes'])),
            ],
            array_map(self::row(...), $changes),
            '',
            caption: 'Count, bytes and retained bytes before and after',
            printed: [
                'bytes', 'growth', 'bytes_after', 'retained_bytes', 'count', 'count_after', ...($hasNew ? ['new', 'gone'] : []),
                'name',
            ],
        );

        return $table->ordered($order);
    }

    /**
     * "new" and "gone": only one snapshot has any.
     *
     * @param Row $row
     */
    public static function status(array $row): string
    {
        return $row['count'][0] === 0 ? 'new' : ($row['count'][1] === 0 ? 'gone' : '');
    }

    /** @param Row $row */
    private static function nameOf(array $row): string
    {
        return $row['name'] ?? $row['type'];
    }

    /**
     * @param Change $change
     * @return Row
     */
    private static function row(array $change): array
    {
        return array_filter([
            'type' => $change['type'],
            'name' => $change['name'] === '' ? null : $change['name'],
            'count' => $change['count'],
            'bytes' => $change['bytes'],
            'retained_bytes' => $change['retained'],
            'new' => $change['new'],
            'gone' => $change['gone'],
        ], static fn (mixed $value): bool => $value !== null);
    }

    /** The table without rows whose figures are the same. */
    public static function changed(Table $table): Table
    {
        $isChanged = static fn (array $row): bool => $row['type'] !== 'root' && (
            $row['bytes'][0] !== $row['bytes'][1]
            || $row['count'][0] !== $row['count'][1]
            || $row['retained_bytes'][0] !== $row['retained_bytes'][1]
            || ($row['new'] ?? 0) > 0
            || ($row['gone'] ?? 0) > 0
        );

        return $table->with(['rows' => array_values(array_filter($table->rows, $isChanged))]);
    }
}
