<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapDiff;
use XHProf\Heap\HeapIndex;

/**
 * Growth from one snapshot to another, by class and by type.
 *
 * @phpstan-import-type Change from HeapDiff
 */
final class HeapDiffView extends HeapView
{
    private readonly HeapDiff $diff;

    /** @param int $limit 0 for all */
    public function __construct(
        private readonly string $fileA,
        private readonly HeapIndex $a,
        private readonly string $fileB,
        private readonly HeapIndex $b,
        private readonly int $limit,
    ) {
        $this->diff = new HeapDiff($a, $b);
    }

    public function print(Screen $screen): void
    {
        self::heading('A  ' . basename($this->fileA), $this->a, $screen);
        self::heading('B  ' . basename($this->fileB), $this->b, $screen);
        $screen->writeln('');
        $this->printTotals($screen);
        $parts = [
            'class' => $this->diff->classes(), 'type' => $this->diff->types(), 'native owner' => $this->diff->owners(),
        ];
        foreach ($parts as $title => $all) {
            $changed = array_values(array_filter($all, self::isChanged(...)));
            if ($changed === []) {
                continue;
            }
            $screen->writeln('');
            $shown = self::first($changed, $this->limit);
            $this->table($shown, $title)->print($screen);
            $screen->rest(count($shown), count($changed), 'that changed');
        }
        if ($this->diff->isOneProcess()) {
            $note = 'new, gone: what only B or A has at its address; one process made both snapshots.';
            $screen->say($note, 'comment');
        }
    }

    public function json(): array
    {
        $row = static fn (array $change): array => array_filter([
            'type' => $change['type'],
            'name' => $change['name'] === '' ? null : $change['name'],
            'count' => $change['count'],
            'bytes' => $change['bytes'],
            'retained_bytes' => $change['retained'],
            'new' => $change['new'],
            'gone' => $change['gone'],
        ], static fn (mixed $value): bool => $value !== null);

        $side = static fn (string $file, HeapIndex $index): array => [
            'file' => $file, 'header' => $index->header(), 'summary' => $index->summary(), 'notes' => $index->notes(),
        ];

        return [
            'a' => $side($this->fileA, $this->a),
            'b' => $side($this->fileB, $this->b),
            'one_process' => $this->diff->isOneProcess(),
            'classes' => array_map($row, self::first($this->diff->classes(), $this->limit)),
            'types' => array_map($row, self::first($this->diff->types(), $this->limit)),
            'owners' => array_map($row, self::first($this->diff->owners(), $this->limit)),
        ];
    }

    private function printTotals(Screen $screen): void
    {
        $table = new Table([
            new Column('', Column::LEFT), new Column('A'), new Column('B'), new Column('B - A'), new Column('%'),
        ]);
        [$a, $b] = [$this->a->summary(), $this->b->summary()];
        $rows = [
            'heap' => [$a['usage'], $b['usage'], 'bytes'],
            'native, of it' => [$a['native']['bytes'], $b['native']['bytes'], 'bytes'],
            'unreachable, of it' => [$a['unreachable']['bytes'], $b['unreachable']['bytes'], 'bytes'],
            'values' => [$a['nodes'], $b['nodes'], 'count'],
        ];
        foreach ($rows as $label => [$before, $after, $unit]) {
            $table->add([
                $label, Units::in($before, $unit), Units::in($after, $unit), Units::change($after - $before, $unit),
                $before === $after ? '0.0 %' : (Units::growth($before, $after) ?: '-'),
            ], [3 => Column::styleOf($after - $before), 4 => Column::styleOf($after - $before)]);
        }
        $table->print($screen);
    }

    /** @param list<Change> $changes */
    private function table(array $changes, string $title): Table
    {
        $isNew = $title === 'class' && $this->diff->isOneProcess();
        $table = new Table([
            new Column('B - A'),
            new Column('%', weight: 6),
            new Column('bytes', weight: 4),
            new Column('retained', weight: 5),
            new Column('B - A count', weight: 1),
            new Column('count', weight: 2),
            ...($isNew ? [new Column('new', weight: 3), new Column('gone', weight: 3)] : []),
            Column::name($title),
        ]);
        foreach ($changes as $change) {
            $bytes = $change['bytes'][1] - $change['bytes'][0];
            $count = $change['count'][1] - $change['count'][0];
            $retained = $change['retained'][1] - $change['retained'][0];
            $table->add([
                Units::change($bytes, 'bytes'),
                $change['count'][0] === 0 ? 'new' : ($change['count'][1] === 0 ? 'gone' : Units::growth(...$change['bytes'])),
                Units::bytes($change['bytes'][1]),
                Units::change($retained, 'bytes'),
                Units::change($count, 'count'),
                Units::count($change['count'][1]),
                ...($isNew ? [Units::count($change['new'] ?? 0), Units::count($change['gone'] ?? 0)] : []),
                Text::printable($change['name'] === '' ? $change['type'] : $change['name']),
            ], array_map(Column::styleOf(...), [0 => $bytes, 1 => $bytes, 3 => $retained, 4 => $count]));
        }

        return $table;
    }

    /** @param Change $change */
    private static function isChanged(array $change): bool
    {
        return $change['type'] !== 'root' && (
            $change['bytes'][0] !== $change['bytes'][1]
            || $change['count'][0] !== $change['count'][1]
            || ($change['new'] ?? 0) > 0
        );
    }
}
