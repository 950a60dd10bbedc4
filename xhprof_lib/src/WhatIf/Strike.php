<?php

declare(strict_types=1);

namespace XHProf\WhatIf;

use XHProf\Exception\UnknownSymbol;
use XHProf\Format\ClosestWord;
use XHProf\Format\Text;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Owners\GroupedRun;
use XHProf\Owners\Grouping;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Run\Run;

/**
 * What is struck out of a run: functions, or groups of them (packages, plug-ins), with all that they call, and operations. What
 * lies in something else that is struck counts once.
 */
final class Strike
{
    /** What stands before the id of an operation: see OperationRow::id(). */
    public const OPERATION = 'operation:';

    /** Characters of an operation's text. */
    private const LONGEST = 100;

    /**
     * @param list<string>          $names      functions, or groups
     * @param array<string, string> $operations text by id
     * @param Grouping|null         $grouping   by which the names are groups
     */
    private function __construct(
        public readonly array $names,
        public readonly array $operations,
        private readonly ?Grouping $grouping,
    ) {
    }

    /**
     * @param list<string> $wanted functions, or groups; operations by their text, or their id with OPERATION before it
     *
     * @throws UnknownSymbol for what the run does not have, with the nearest name
     */
    public static function of(Run $run, array $wanted, ?Grouping $grouping = null): self
    {
        $known = self::known($run, $grouping);
        $texts = null;
        $names = $operations = [];
        foreach (array_unique($wanted) as $name) {
            if (isset($known["\0$name"])) {
                $names[] = $name;
                continue;
            }
            $texts ??= self::texts($run);
            $isId = str_starts_with($name, self::OPERATION);
            $id = $isId ? substr($name, strlen(self::OPERATION)) : array_search($name, $texts, true);
            if (!is_string($id) || !isset($texts[$id])) {
                $all = array_map(static fn (string $one): string => substr($one, 1), array_keys($known));
                throw new UnknownSymbol('the run has no ' . ($grouping === null ? 'function or operation' : $grouping->by->noun())
                    . ' "' . Text::printable($name) . '"' . ClosestWord::hint($name, [...$all, ...array_values($texts)]));
            }
            $operations[$id] = $texts[$id];
        }

        return new self($names, $operations, $grouping);
    }

    /** @return list<string> what is struck, in words, printable */
    public function words(): array
    {
        $short = static fn (string $text): string
            => mb_strlen($text, 'UTF-8') > self::LONGEST ? mb_substr($text, 0, self::LONGEST, 'UTF-8') . '…' : $text;

        return array_map(static fn (string $text): string => $short(Text::printable($text)), [
            ...$this->names, ...array_values($this->operations),
        ]);
    }

    /**
     * The outermost calls of what is struck.
     *
     * @return list<array{int, int}> nodes, each with the first behind its subtree; none is within another
     */
    public function subtrees(CallTree $tree): array
    {
        $isWanted = array_fill_keys(array_map(static fn (string $name): string => "\0$name", $this->names), true);
        $groups = $this->grouping?->functions($tree->names, $tree->places);
        $names = $groups?->groups() ?? $tree->names;
        $root = $groups?->root() ?? '';
        /** @var array<int, string> $at by level, of what belongs to its caller */
        $at = [-1 => $root];
        $found = [];
        $end = 0;
        foreach ($tree->fn as $node => $fn) {
            $level = $tree->depth[$node];
            $at[$level] = $names[$fn] ?? $at[$level - 1] ?? $root;
            if ($node >= $end && isset($isWanted["\0$at[$level]"])) {
                $end = $tree->end($node);
                $found[] = [$node, $end];
            }
        }

        return $found;
    }

    /** @return array<string, true> functions or groups of the run, marked by a NUL: "12" as a key is a number */
    private static function known(Run $run, ?Grouping $grouping): array
    {
        $tree = $run->has(Run::TREE) ? $run->tree() : null;
        $names = $tree->names ?? self::profile($run, $grouping)->symbols();
        if ($grouping !== null && $tree !== null) {
            $groups = $grouping->functions($tree->names, $tree->places);
            $names = [...array_filter($groups->groups(), is_string(...)), $groups->root()];
        }

        return array_fill_keys(array_map(static fn (string $name): string => "\0$name", $names), true);
    }

    private static function profile(Run $run, ?Grouping $grouping): Profile
    {
        return $grouping === null ? $run->profile() : GroupedRun::of($run, $grouping)->profile();
    }

    /** The calls between functions, or groups, for a run without call paths. */
    public function calls(Run $run): Profile
    {
        return self::profile($run, $this->grouping);
    }

    /** @return array<string, string> text by id of the run's operations */
    private static function texts(Run $run): array
    {
        $texts = [];
        foreach ($run->has(Run::OPERATIONS) ? $run->operations()?->rows() ?? [] : [] as $row) {
            $texts[$row->id()] = $row->text;
        }

        return $texts;
    }

    /**
     * The time of the operations that are struck, without what lies in subtrees.
     *
     * @param list<array{int, int}> $subtrees
     *
     * @return array{int, int} ns, calls
     */
    public function operationTime(?OperationReport $report, array $subtrees): array
    {
        if ($report === null || $this->operations === []) {
            return [0, 0];
        }
        $operations = $report->operations;
        [$time, $calls] = [0, 0];
        foreach ($operations->text as $row => $text) {
            $id = OperationRow::idOf($operations->kinds[$text], $operations->texts[$text]);
            $node = $operations->node[$row];
            $isWithin = array_filter($subtrees, static fn (array $part): bool => $part[0] <= $node && $node < $part[1]) !== [];
            if (isset($this->operations[$id]) && !$isWithin) {
                $time += $operations->total[$row];
                $calls += $operations->ct[$row];
            }
        }

        return [$time, $calls];
    }
}
