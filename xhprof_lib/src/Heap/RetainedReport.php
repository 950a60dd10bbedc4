<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/**
 * The dominator tree: below each value those that would be freed with it.
 *
 * @phpstan-import-type Row from Table
 */
final class RetainedReport
{
    /** Values with a smaller share of the whole retained size are left out. */
    private const SHARE = 0.005;

    /** Values of the top that are looked at, at least. */
    private const TOP = 12;

    /** Kinds that are named of those that are left out. */
    private const KINDS = 3;

    private readonly HeapIndex $index;
    private readonly int $whole;

    /**
     * @param HeapNode|null $top   null: all that is alive
     * @param int           $depth levels below it
     * @param int           $limit children of each, 0 for all
     */
    public function __construct(
        private readonly HeapRows $rows,
        private readonly ?HeapNode $top,
        private readonly int $depth,
        private readonly int $limit,
    ) {
        $this->index = $rows->index;
        $this->whole = $top->retained ?? $this->index->summary()['usage'];
    }

    public function report(): Report
    {
        $lines = [];
        $tree = [];
        foreach ($this->roots() as $root) {
            $path = $this->index->path($root)->text;
            $label = $root->type === 'root' && $this->top === null ? $root->name : $path;
            [$branch, $below] = $this->branch($root, null, $label, '', '', $this->top === null ? 1 : 0);
            $tree[] = $branch;
            array_push($lines, ...$below);
        }
        $table = new Table(
            'lines',
            [
                new Column('retained', Unit::Bytes, 'retained', share: new Share($this->whole, 1, 0)),
                new Column('bytes', Unit::Bytes, 'bytes', 1),
                new Column('text', Unit::Branch, 'what'),
            ],
            $lines,
            'Nothing to show.',
        );

        return new Report(
            [$table],
            facts: ['whole_bytes' => $this->whole, 'notes' => $this->index->notes(), 'tree' => $tree],
            headings: $this->rows->warnings(),
            rowsInJson: false,
        );
    }

    /** @return list<HeapNode> */
    private function roots(): array
    {
        return $this->top !== null ? [$this->top] : array_values(array_filter(
            $this->index->dominated(null, 0, $this->limit === 0 ? $this->index->count() : max(self::TOP, $this->limit)),
            fn (HeapNode $node): bool => $node->retained >= $this->whole * self::SHARE && $node->retained > 0,
        ));
    }

    /**
     * @param string|null $label  null: the reference from its parent
     * @param string      $mark   of its line
     * @param string      $indent of the lines below it
     * @return array{Row, list<Row>} the branch for programs, and its lines
     */
    private function branch(HeapNode $node, ?HeapNode $parent, ?string $label, string $mark, string $indent, int $depth): array
    {
        $held = $parent === null ? null : $this->heldAs($node, $parent);
        $lines = [[
            'retained' => $node->retained, 'bytes' => $node->block, 'text' => $mark . $this->text($node, $label ?? (string) $held),
        ]];
        $row = HeapRows::node($node) + ($held === null ? [] : ['held_as' => $held]) + ['dominated' => $node->dominated];
        if ($depth > $this->depth || $depth === $this->depth && $this->top !== null) {
            return [$row, $lines];
        }
        $children = $this->children($node);
        $rest = $this->rest($node, $children);
        foreach ($children as $number => $child) {
            $isLast = $rest === null && $number === count($children) - 1;
            [$branch, $below] = $this->branch(
                $child,
                $node,
                null,
                $indent . ($isLast ? '└─ ' : '├─ '),
                $indent . ($isLast ? '   ' : '│  '),
                $depth + 1,
            );
            $row['children'][] = $branch;
            array_push($lines, ...$below);
        }
        if ($rest !== null) {
            $lines[] = ['text' => "{$indent}└─ $rest[text]"] + $rest;
        }

        return [$row, $lines];
    }

    /** @return list<HeapNode> */
    private function children(HeapNode $node): array
    {
        return array_values(array_filter(
            $this->index->dominated($node, 0, $this->limit === 0 ? $node->dominated : $this->limit),
            fn (HeapNode $child): bool => $this->limit === 0 || $child->retained >= $this->whole * self::SHARE,
        ));
    }

    /**
     * @param list<HeapNode> $children
     * @return Row|null a line for those that are left out; null if they are few bytes
     */
    private function rest(HeapNode $node, array $children): ?array
    {
        $count = $node->dominated - count($children);
        $bytes = $node->retained - $node->block - array_sum(array_column($children, 'retained'));
        if ($count <= 0 || $bytes < $this->whole * self::SHARE) {
            return null;
        }
        $kinds = $this->index->dominatedKinds($node, count($children));
        $named = implode(', ', array_slice(array_keys($kinds), 0, self::KINDS));
        $text = Units::count($count) . ' more: ' . ($count > array_sum($kinds) ? 'mostly ' : '') . $named;

        return ['retained' => max(0, $bytes), 'bytes' => '', 'text' => $text];
    }

    private function text(HeapNode $node, string $label): string
    {
        $what = $node->type === 'root' ? '' : $this->rows->title($node);
        $isSaid = $what === '' || $what === $label || str_ends_with($label, $what . '()');

        return match (true) {
            $isSaid => $label,
            $node->name !== '' && rtrim($label, '()') === $node->name => $what,
            default => trim("$label  $what"),
        };
    }

    /** The reference from the dominator; if there are several paths, the end of the shortest. */
    private function heldAs(HeapNode $child, HeapNode $parent): string
    {
        $steps = $this->index->path($child)->steps;
        $last = $steps[count($steps) - 1]['reference'] ?? null;
        $before = $steps[count($steps) - 2]['node'] ?? null;
        if ($last === null) {
            return '';
        }
        $text = trim($last->text !== '' || $last->kind !== HeapReference::PART ? $last->text : '{' . $last->label . '}');

        return $text === '' ? '' : Text::printable($before?->id === $parent->id ? $text : "...$text");
    }
}
