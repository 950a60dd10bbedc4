<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;

/**
 * Contents that more than one string has.
 *
 * @phpstan-import-type EqualGroup from HeapIndex
 */
final class StringsView extends HeapView
{
    /** @var list<EqualGroup> */
    private readonly array $groups;

    /** @throws CliError if the snapshot cannot show which strings are equal */
    public function __construct(private readonly HeapIndex $index, int $limit)
    {
        if (!$index->hasStringHashes()) {
            throw new CliError('the snapshot does not show which strings are equal: take a new one with this version of the'
                . ' extension or of xhprof-inspect');
        }
        $this->groups = $index->equalStrings(0, min(self::most($limit), $index->count()));
    }

    public function print(Screen $screen): void
    {
        self::notes($this->index, $screen);
        if ($this->groups === []) {
            $screen->writeln('No string of 16 bytes or more is there twice.');

            return;
        }
        $usage = max(1, $this->index->summary()['usage']);
        $table = new Table([
            new Column('wasted'),
            new Column('%', weight: 3),
            new Column('', Column::LEFT, weight: 4, style: 'fg=magenta'),
            new Column('copies', weight: 2),
            new Column('one of them', Column::LEFT, weight: 1),
            new Column('what', Column::LEFT, 20),
            new Column('kept by', Column::LEFT, 20),
        ]);
        foreach ($this->groups as ['count' => $count, 'bytes' => $bytes, 'example' => $example]) {
            $table->add([
                Units::bytes($bytes),
                Units::percent($bytes, $usage),
                $screen->bar($bytes / $usage, self::BAR),
                Units::count($count),
                $example->hex(),
                self::describe($example, $this->index),
                Text::printable($this->index->path($example)->text),
            ]);
        }
        $table->print($screen);
        $sums = $this->index->equalStringSums();
        $line = sprintf(
            '%s of %s contents; %s copies more than needed take %s, %s of the heap',
            Units::count(count($this->groups)),
            Units::count($sums['groups']),
            Units::count($sums['copies']),
            Units::bytes($sums['bytes']),
            Units::percent($sums['bytes'], $usage),
        );
        $screen->say($line);
    }

    public function json(): array
    {
        return ['notes' => $this->index->notes(), ...$this->index->equalStringSums(), 'strings' => array_map(
            fn (array $group): array => [
                'count' => $group['count'],
                'wasted_bytes' => $group['bytes'],
                'example' => self::nodeJson($group['example']) + $this->index->details($group['example'])
                    + ['path' => $this->index->path($group['example'])->text],
            ],
            $this->groups,
        )];
    }
}
