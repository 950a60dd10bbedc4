<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlace;
use XHProf\Profile\CodePlaces;
use XHProf\Profile\EdgeKey;
use XHProf\Report\Column;
use XHProf\Report\Unit;
use XHProf\Run\Run;

/** Places of functions by their names, and the lines from which they call each other. */
final class FunctionPlaces
{
    /**
     * @param array<string, int>                $index     name => its place in $places
     * @param array<string, array<string, int>> $callLines caller => callee => line
     */
    private function __construct(
        private readonly CodePlaces $places,
        private readonly array $index,
        private readonly array $callLines,
    ) {
    }

    /** @param CallTree|null $tree null: nothing is known */
    public static function ofTree(?CallTree $tree): self
    {
        return $tree === null
            ? new self(CodePlaces::none(), [], [])
            : new self($tree->places, self::indexOf($tree->names), self::linesOf($tree));
    }

    /**
     * Reads the places of a run, without the lines of calls. For several runs it reads the first that has places; a damaged file
     * has none.
     */
    public static function ofRun(Run $run): self
    {
        try {
            $head = $run->treeHead();
        } catch (DamagedRun | StoreError) {
            $head = null;
        }

        return $head === null ? self::ofTree(null) : new self($head->places, self::indexOf($head->names), []);
    }

    /** The column of tables of functions on a terminal. */
    public function column(): Column
    {
        $text = fn (array $row): string => $this->find($row['name'])?->text() ?? '';

        return new Column('file', Unit::Symbol, 'file', label: '', value: $text, least: 20);
    }

    /** @return array{file: ?string, line: int, last_line: int} for --json */
    public function json(string $function): array
    {
        $place = $this->find($function);

        return ['file' => $place?->file, 'line' => $place->line ?? 0, 'last_line' => $place->lastLine ?? 0];
    }

    public function isEmpty(): bool
    {
        return $this->places->isEmpty();
    }

    /** @param string $function with or without its level of recursion */
    public function find(string $function): ?CodePlace
    {
        $index = $this->index["\0$function"] ?? $this->index["\0" . EdgeKey::stripRecursion($function)] ?? null;

        return $index === null ? null : $this->places->at($index);
    }

    /** @return int line of the first call of one by the other; 0: not known */
    public function callLine(string $caller, string $callee): int
    {
        $caller = EdgeKey::stripRecursion($caller);

        return $this->callLines["\0$caller"]["\0" . EdgeKey::stripRecursion($callee)] ?? 0;
    }

    /**
     * @param list<string> $names
     *
     * @return array<string, int>
     */
    private static function indexOf(array $names): array
    {
        $index = [];
        foreach ($names as $i => $name) {
            $index["\0$name"] ??= $i;
        }

        return $index;
    }

    /** @return array<string, array<string, int>> */
    private static function linesOf(CallTree $tree): array
    {
        $lines = [];
        $open = [];
        foreach ($tree->callLine as $node => $line) {
            $depth = $tree->depth[$node];
            $open[$depth] = $tree->names[$tree->fn[$node]];
            if ($line > 0 && $depth > 0) {
                $lines["\0" . $open[$depth - 1]]["\0$open[$depth]"] ??= $line;
            }
        }

        return $lines;
    }
}
