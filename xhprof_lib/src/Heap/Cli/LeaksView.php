<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\LeakSuspects;

/**
 * Possible leaks, by their kind.
 *
 * @phpstan-import-type Suspect from HeapIndex
 * @phpstan-import-type SuspectPart from HeapIndex
 */
final class LeaksView extends HeapView
{
    private const KINDS = [
        'accumulates' => ['Keep much in many parts: caches, lists, registries that only grow?', 'parts'],
        'chain' => ['Keep a long chain of the same:', 'long'],
        'garbage' => ['Nothing keeps these, but they are not freed: cycles that wait for gc_collect_cycles(), or references that'
            . ' were lost', 'count'],
        'unreachable' => ['Blocks that nothing refers to: leaks of an extension, or memory that was just being allocated', 'count'],
    ];

    /** Parts shown below a container. */
    private const PARTS = 3;

    /** @var array<string, list<Suspect>> */
    private readonly array $suspects;

    /** @param int $limit of each kind, 0 for all that are known */
    public function __construct(private readonly HeapIndex $index, int $limit)
    {
        $suspects = array_fill_keys(array_keys(self::KINDS), []);
        foreach ($index->suspects(self::most($limit)) as $suspect) {
            $suspects[$suspect['kind']][] = $suspect;
        }
        $this->suspects = $suspects;
    }

    public function print(Screen $screen): void
    {
        self::notes($this->index, $screen);
        $none = true;
        foreach (self::KINDS as $kind => [$title, $count]) {
            if ($this->suspects[$kind] === []) {
                continue;
            }
            if (!$none) {
                $screen->writeln('');
            }
            $none = false;
            $screen->say($title, 'info');
            $isKept = $kind === 'accumulates' || $kind === 'chain';
            $table = new Table([
                new Column('retained'),
                new Column('%', weight: 3),
                new Column('', Column::LEFT, weight: 4, style: 'fg=magenta'),
                new Column($count, weight: 1),
                new Column('of', Column::LEFT, 14),
                ...($isKept ? [new Column('kept by', Column::LEFT, 24)] : [new Column('the largest', Column::LEFT, weight: 2)]),
            ]);
            foreach ($this->suspects[$kind] as $suspect) {
                $table->add($this->cells($suspect, $isKept ? $suspect['path'] : $suspect['node']->hex(), $screen));
                $parts = array_slice($suspect['parts'], 0, self::PARTS);
                foreach ($parts as $part) {
                    $table->add($this->cells($part, '  ' . LeakSuspects::pathWithin($part['path'], $suspect['path']), $screen));
                }
                $more = $suspect['part_count'] - count($parts);
                if ($more > 0) {
                    $table->add(['', '', '', '', '', '  ' . Units::count($more) . ' more parts']);
                }
            }
            $table->print($screen);
        }
        if ($none) {
            $screen->writeln('Nothing looks like a leak.');
        } else {
            $screen->writeln('');
            $note = 'One snapshot can only hint at leaks; `xhprof heap diff` of two shows what grows.';
            $screen->say($note, 'comment');
        }
    }

    public function json(): array
    {
        return ['notes' => $this->index->notes()] + array_map(static fn (array $suspects): array
            => array_map(static fn (array $suspect): array => self::suspectJson($suspect) + ($suspect['part_count'] === 0 ? [] : [
                'part_count' => $suspect['part_count'],
                'parts' => array_map(self::suspectJson(...), $suspect['parts']),
            ]), $suspects), $this->suspects);
    }

    /**
     * @param Suspect|SuspectPart $suspect
     * @return list<string>
     */
    private function cells(array $suspect, string $where, Screen $screen): array
    {
        $usage = max(1, $this->index->summary()['usage']);

        return [
            Units::bytes($suspect['bytes']),
            Units::percent($suspect['bytes'], $usage),
            $screen->bar($suspect['bytes'] / $usage, self::BAR),
            Units::count($suspect['count']),
            Text::printable($suspect['of']),
            Text::printable($where),
        ];
    }

    /**
     * @param Suspect|SuspectPart $suspect
     * @return array<string, mixed>
     */
    private static function suspectJson(array $suspect): array
    {
        return array_replace(self::nodeJson($suspect['node']), [
            'retained_bytes' => $suspect['bytes'],
            'count' => $suspect['count'],
            'of' => $suspect['of'],
            'path' => $suspect['path'],
        ]);
    }
}
