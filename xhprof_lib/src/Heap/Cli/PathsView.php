<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapPath;

/** Retaining paths of a node. */
final class PathsView extends HeapView
{
    /** Most call paths and dominators shown. */
    private const FEW = 8;

    /** @var list<HeapPath> */
    private readonly array $paths;

    /**
     * @param int  $limit paths, 0 for all
     * @param bool $full  every step of a path with its address
     */
    public function __construct(
        private readonly HeapIndex $index,
        private readonly HeapNode $node,
        private readonly int $limit,
        private readonly bool $full,
    ) {
        $this->paths = $index->paths($node, self::most($limit));
    }

    public function print(Screen $screen): void
    {
        $node = $this->node;
        $details = $this->index->details($node);
        $screen->writeln('<options=bold>' . OutputFormatter::escape(self::describe($node, $this->index)) . "</> {$node->hex()}");
        $facts = [
            ...($node->title() === $node->type || $node->type === 'object' ? [] : [$node->type]),
            Units::bytes($node->size) . ($node->block === $node->size ? '' : ' in a block of ' . Units::bytes($node->block)),
            Units::bytes($node->retained) . ' retained',
            ...(isset($details['refcount']) ? ["refcount {$details['refcount']}"] : []),
            ...(isset($details['file']) ? [$details['file'] . (isset($details['line']) ? ":{$details['line']}" : '')] : []),
            ...(($details['shared'] ?? false) ? ["in opcache's memory"] : []),
        ];
        $screen->say(implode(', ', $facts));
        $calls = array_reverse($this->index->allocation($node));
        if ($calls !== []) {
            $screen->say('allocated by ' . implode($screen->calledBy(), $calls));
        }
        self::notes($this->index, $screen);
        $screen->writeln('');
        if (!$node->isLive) {
            $rest = count($this->paths[0]->steps) > 1 ? 'Only garbage refers to it:' : 'It is not freed yet, or leaks.';
            $note = "Nothing keeps it: no path from a root leads to it, except through weak references. $rest";
            $screen->say($note);
        } else {
            $screen->writeln(count($this->paths) === 1 ? 'It is kept by' : 'It is kept by each of');
        }
        foreach ($this->paths as $path) {
            $this->printPath($path, $screen);
        }
        $shown = count($this->paths);
        if ($node->referrers > $shown && $shown >= self::most($this->limit)) {
            $screen->writeln(sprintf('%d of up to %s; --limit=0 shows all', $shown, Units::count($node->referrers)));
        }
        if ($node->isLive) {
            $this->printDominators($screen);
        }
    }

    public function json(): array
    {
        $steps = fn (HeapPath $path): array => array_map(static fn (array $step): array => self::nodeJson($step['node']) + [
            'reference' => $step['reference']?->label,
            'kind' => $step['reference']?->kind,
        ], $path->steps);

        return self::nodeJson($this->node) + $this->index->details($this->node) + [
            'allocated_by' => $this->index->allocation($this->node),
            'paths' => array_map(static fn (HeapPath $path): array => [
                'text' => $path->text, 'omitted' => $path->omitted, 'steps' => $steps($path),
            ], $this->paths),
            'dominators' => array_map(self::nodeJson(...), $this->index->dominators($this->node)),
            'notes' => $this->index->notes(),
        ];
    }

    private function printPath(HeapPath $path, Screen $screen): void
    {
        if (!$this->full) {
            // On one line, to be searched for and copied.
            $screen->writeln('  ' . OutputFormatter::escape(Text::printable($path->text)));

            return;
        }
        $table = new Table([
            new Column('address', Column::LEFT),
            new Column('retained', weight: 1),
            new Column('', Column::LEFT, 20),
            new Column('', Column::LEFT, 20),
        ]);
        foreach ($path->steps as $number => ['reference' => $reference, 'node' => $node]) {
            $step = match (true) {
                $number === 0 => $node->title(),
                $reference === null => "... $path->omitted more ...",
                default => trim($reference->text ?: "{{$reference->label}}"),
            };
            $what = $number === 0 ? '' : self::describe($node, $this->index);
            $table->add([$node->hex(), Units::bytes($node->retained), Text::printable($step), $what]);
        }
        $screen->writeln('  ' . OutputFormatter::escape(Text::printable($path->text)));
        $table->print($screen);
        $screen->writeln('');
    }

    private function printDominators(Screen $screen): void
    {
        $dominators = array_values(array_filter($this->index->dominators($this->node), static fn (HeapNode $node): bool
            => $node->type !== 'root'));
        $screen->writeln('');
        if ($dominators === []) {
            $screen->writeln(count($this->paths) === 1 ? 'It is freed with nothing else.' : 'No single thing keeps it.');

            return;
        }
        $screen->writeln('It is freed with any of these:');
        $table = new Table([
            new Column('retained'),
            new Column('address', Column::LEFT, weight: 1),
            new Column('what', Column::LEFT, 20),
            new Column('kept by', Column::LEFT, 20),
        ]);
        foreach (array_slice(array_reverse($dominators), 0, self::FEW) as $node) {
            $table->add([
                Units::bytes($node->retained),
                $node->hex(),
                self::describe($node, $this->index),
                Text::printable($this->index->path($node)->text),
            ]);
        }
        $table->print($screen);
    }
}
