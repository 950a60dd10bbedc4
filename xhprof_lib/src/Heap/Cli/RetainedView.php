<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapReference;

/**
 * The dominator tree: below each node those that would be freed with it.
 *
 * @phpstan-type Branch array{node: HeapNode, label: string, children: list<array<string, mixed>>, rest: array{int, int}}
 */
final class RetainedView extends HeapView
{
    /** Nodes with a smaller share of the whole retained size are left out. */
    private const SHARE = 0.005;

    private readonly int $whole;

    /**
     * @param HeapNode|null $top   null: all that is alive
     * @param int           $depth levels below it
     * @param int           $limit children of each, 0 for all
     */
    public function __construct(
        private readonly HeapIndex $index,
        private readonly ?HeapNode $top,
        private readonly int $depth,
        private readonly int $limit,
    ) {
        $this->whole = $top->retained ?? $this->index->summary()['usage'];
    }

    public function print(Screen $screen): void
    {
        self::notes($this->index, $screen);
        $screen->writeln('<options=bold>retained        %     bytes  what</>');
        if ($this->top !== null) {
            $this->line($this->top, '', Text::printable($this->index->path($this->top)->text), $screen);
        }
        foreach ($this->rootNodes() as $top) {
            $this->branch($top, '', 1, $screen);
        }
    }

    public function json(): array
    {
        $tree = $this->top !== null
            ? [$this->tree($this->top, null, 0)]
            : array_map(fn (HeapNode $root): array => $this->tree($root, null, 1), $this->rootNodes());

        return ['whole_bytes' => $this->whole, 'notes' => $this->index->notes(), 'tree' => $tree];
    }

    /** @return list<HeapNode> */
    private function rootNodes(): array
    {
        return $this->top !== null ? [$this->top] : array_values(array_filter(
            $this->index->dominated(null, 0, $this->limit === 0 ? $this->index->count() : max(12, $this->limit)),
            fn (HeapNode $node): bool => $node->retained >= $this->whole * self::SHARE && $node->retained > 0,
        ));
    }

    private function branch(HeapNode $node, string $indent, int $depth, Screen $screen): void
    {
        $isTop = $node === $this->top;
        if ($depth === 1 && !$isTop) {
            $text = $this->index->path($node)->text;
            $this->line($node, '', Text::printable($node->type === 'root' ? $node->name : $text), $screen);
        }
        if ($depth > $this->depth) {
            return;
        }
        $children = $this->children($node);
        $rest = $node->dominated - count($children);
        $kept = array_sum(array_map(static fn (HeapNode $child): int => $child->retained, $children));
        if ($node->retained - $node->block - $kept < $this->whole * self::SHARE) {
            $rest = 0;
        }
        $marks = $screen->isUnicode ? ['├─ ', '└─ ', '│  ', '   '] : ['|- ', '`- ', '|  ', '   '];
        foreach ($children as $number => $child) {
            $isLast = $rest === 0 && $number === count($children) - 1;
            $this->line($child, $indent . $marks[(int) $isLast], $this->label($child, $node), $screen);
            $this->branch($child, $indent . $marks[2 + (int) $isLast], $depth + 1, $screen);
        }
        if ($rest > 0) {
            $bytes = max(0, $node->retained - $node->block - $kept);
            $kinds = $this->index->dominatedKinds($node, count($children));
            $text = Units::count($rest) . ' more: ' . ($rest > array_sum($kinds) ? 'mostly ' : '');
            $named = array_map(Text::printable(...), array_slice(array_keys($kinds), 0, 3));
            $this->printLine($bytes, null, $indent . $marks[1], $text . implode(', ', $named), $screen);
        }
    }

    /** @return list<HeapNode> */
    private function children(HeapNode $node): array
    {
        return array_values(array_filter(
            $this->index->dominated($node, 0, $this->limit === 0 ? $node->dominated : $this->limit),
            fn (HeapNode $child): bool => $this->limit === 0 || $child->retained >= $this->whole * self::SHARE,
        ));
    }

    private function line(HeapNode $node, string $indent, string $label, Screen $screen): void
    {
        $what = $node->type === 'root' ? '' : self::describe($node, $this->index);
        $isSaid = $what === '' || $what === $label || str_ends_with($label, $what . '()');
        $text = match (true) {
            $isSaid => $label,
            $node->name !== '' && rtrim($label, '()') === $node->name => $what,
            default => trim("$label  $what"),
        };
        $this->printLine($node->retained, $node, $indent, $text, $screen);
    }

    private function printLine(int $retained, ?HeapNode $node, string $indent, string $text, Screen $screen): void
    {
        $values = sprintf(
            '%s %s %s  ',
            TextFit::padLeft(Units::bytes($retained), 8),
            TextFit::padLeft(Units::percent($retained, $this->whole), 8),
            TextFit::padLeft($node === null ? '' : Units::bytes($node->block), 9),
        );
        $room = max(12, $screen->width - TextFit::width($values . $indent));
        $screen->writeln($values . $indent . OutputFormatter::escape(TextFit::shorten($text, $room, $screen->ellipsis())));
    }

    /** Reference from the dominator; if there are several paths, the end of the shortest. */
    private function label(HeapNode $child, HeapNode $parent): string
    {
        $steps = $this->index->path($child)->steps;
        $last = $steps[count($steps) - 1]['reference'] ?? null;
        $before = $steps[count($steps) - 2]['node'] ?? null;
        if ($last === null) {
            return '';
        }
        $text = trim($last->text !== '' || $last->kind !== HeapReference::PART ? $last->text : '{' . $last->label . '}');
        if ($text === '') {
            return '';
        }

        return Text::printable($before?->id === $parent->id ? $text : "...$text");
    }

    /** @return array<string, mixed> */
    private function tree(HeapNode $node, ?HeapNode $parent, int $depth): array
    {
        $children = $depth >= $this->depth + ($this->top === null ? 1 : 0) ? [] : $this->children($node);

        return self::nodeJson($node)
            + ($parent === null ? [] : ['held_as' => $this->label($node, $parent)])
            + ['dominated' => $node->dominated]
            + ($children === [] ? [] : [
                'children' => array_map(fn (HeapNode $child): array => $this->tree($child, $node, $depth + 1), $children),
            ]);
    }
}
