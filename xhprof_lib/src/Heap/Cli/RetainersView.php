<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;

/**
 * Retaining paths of the objects of a class, and call paths that allocated them.
 *
 * @phpstan-import-type Retainer from HeapIndex
 */
final class RetainersView extends HeapView
{
    /** @var list<Retainer> */
    private readonly array $retainers;

    /** @param int $limit 0 for all */
    public function __construct(
        private readonly HeapIndex $index,
        private readonly HeapGroup $group,
        private readonly int $limit,
        private readonly bool $full,
    ) {
        $this->retainers = $index->retainers($group, self::most($limit));
    }

    public function print(Screen $screen): void
    {
        $screen->text(GroupTable::name($this->group), 'options=bold');
        $screen->say(sprintf(
            '%s of them, %s, %s retained',
            Units::count($this->group->count),
            Units::bytes($this->group->bytes),
            Units::bytes($this->group->retained),
        ));
        self::notes($this->index, $screen);
        $screen->writeln('');
        $table = new Table([
            new Column('count'),
            new Column('%', weight: 3),
            new Column('', Column::LEFT, weight: 4, style: 'fg=magenta'),
            new Column('retained', weight: 1),
            new Column('example', Column::LEFT, weight: 2),
            new Column('kept by', Column::LEFT, 24),
        ]);
        foreach ($this->retainers as ['text' => $text, 'count' => $count, 'retained' => $retained, 'example' => $example]) {
            $table->add([
                Units::count($count),
                Units::percent($count, $this->group->count),
                $screen->bar($count / max(1, $this->group->count), self::BAR),
                Units::bytes($retained),
                $example->hex(),
                Text::printable($text) . ($example->isLive ? '' : '  nothing keeps it'),
            ]);
        }
        foreach ($table->lines($screen) as $number => $line) {
            $screen->writeln($number === 0 ? "<options=bold>$line</>" : $line);
            if ($this->full && $number > 0) {
                $screen->text('   ' . Text::printable($this->retainers[$number - 1]['text']));
            }
        }
        $shown = array_sum(array_column($this->retainers, 'count'));
        if ($shown < $this->group->count) {
            $left = Units::count($this->group->count - $shown);
            $screen->writeln("$left more are kept in other ways; --limit=0 shows all");
        }
        $allocations = $this->index->allocations($this->group, self::most($this->limit));
        if ($allocations !== []) {
            $screen->writeln('');
            TopView::allocations($allocations, $this->group, $this->index, $screen, $this->full);
        }
    }

    public function json(): array
    {
        return GroupTable::json($this->group) + [
            'holders' => array_map(static fn (array $holder): array => [
                'path' => $holder['text'],
                'count' => $holder['count'],
                'bytes' => $holder['bytes'],
                'retained_bytes' => $holder['retained'],
                'example' => $holder['example']->hex(),
                'live' => $holder['example']->isLive,
            ], $this->retainers),
            'allocated_by' => $this->index->allocations($this->group, self::most($this->limit)),
            'notes' => $this->index->notes(),
        ];
    }
}
