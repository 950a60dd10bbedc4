<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Folds a call-path tree into call edges, each where its first call ended: main() comes last. It takes the nodes in preorder, in
 * blocks, and needs memory for one block, for the edges and for the open nodes only.
 *
 * First it finds which nodes end where, and of which edges they are. Then figures are added up, one metric after the other: what
 * a node takes with all below it is the sum of all nodes up to its end, less that of all before it. This is the fastest way there
 * is in PHP; a page waits for it.
 *
 * Times in microseconds are rounded before they are added up, on the running sum, as the extension does: exclusive times stay
 * exact in sum, and none gets below 0.
 *
 * @internal
 */
final class EdgeFolder
{
    /** Nodes that a tree in memory hands over at a time. */
    private const BLOCK = 1 << 16;

    /** @var array<int, int> per name the first that is the same */
    private array $functions = [];

    /** @var array<int, true> functions whose calls are their callers' */
    private array $transparent = [];

    /** @var list<string> functions, and behind them levels of recursion: "f@1" */
    private array $labels;

    /** @var array<int, array<int, int>> per function and level of recursion the label */
    private array $levels = [];

    /** @var array<int, int> per function the number of its open calls, less one */
    private array $running;

    /** How many nodes are open. The lists below have an entry for each of them, and older ones behind. */
    private int $open = 0;

    /** @var array<int, int> per open node its label; a transparent one has its caller's */
    private array $openLabel = [];

    /** @var array<int, int> per open node its function; -1: a transparent one */
    private array $openFunction = [];

    /** @var array<int, int> per open node its calls */
    private array $openCalls = [];

    /** @var array<int, int> per open node its place in the block; below 0: it is of a block before, at depth -1 - this */
    private array $openFrom = [];

    /** @var array<string, array<int, int>> per metric and open node of the blocks before, the sum of all before it */
    private array $openSums = [];

    /** @var array<int, int> edge by its caller's label + 1, shifted, and its callee's */
    private array $edges = [];

    /** @var array<int, int> calls per edge */
    private array $calls = [];

    /** @var array<string, array<int, int>> per metric and edge */
    private array $sums = [];

    /** @var array<string, int> per metric the sum of all nodes so far */
    private array $totals;

    /**
     * @param list<string> $names   of the tree
     * @param list<string> $metrics of the nodes
     * @param bool         $rounds  to whole microseconds
     */
    private function __construct(array $names, bool $runInit, array $metrics, private readonly bool $rounds)
    {
        $first = [];
        foreach ($names as $index => $name) {
            $this->functions[] = $first["\0" . $name] ??= $index;
            if (!$runInit && str_starts_with($name, 'run_init::')) {
                $this->transparent[$index] = true;
            }
        }
        $this->labels = $names;
        $this->running = array_fill(0, count($names), -1);
        $this->totals = array_fill_keys($metrics, 0);
        foreach ($metrics as $metric) {
            $this->sums[$metric] = $this->openSums[$metric] = [];
        }
    }

    /**
     * @param bool         $runInit whether files' top-level code has edges of its own instead of counting to its caller
     * @param list<string> $metrics of the tree
     * @param bool         $rounds  whether times are in whole microseconds, not to the nanosecond
     */
    public static function ofTree(CallTree $tree, bool $runInit, array $metrics, bool $rounds = false): FoldedEdges
    {
        $folder = new self($tree->names, $runInit, $metrics, $rounds);
        $columns = [];
        foreach ($metrics as $metric) {
            $columns[$metric] = $tree->exclusive($metric);
        }
        for ($first = 0; $first < $tree->count(); $first += self::BLOCK) {
            $own = [];
            foreach ($columns as $metric => $column) {
                $own[$metric] = array_slice($column, $first, self::BLOCK);
            }
            $folder->add(
                array_slice($tree->fn, $first, self::BLOCK),
                array_slice($tree->depth, $first, self::BLOCK),
                array_slice($tree->ct, $first, self::BLOCK),
                $own,
            );
        }

        return $folder->folded();
    }

    /**
     * The same of a tree that need not fit into memory.
     *
     * @param list<string>                       $names
     * @param iterable<array<string, list<int>>> $blocks  of nodes, in their order: "fn", "depth", "ct", "self.wt"..., equally long
     * @param list<string>                       $metrics
     * @param bool                               $rounds  as ofTree()
     *
     * @throws InvalidProfile if that is no call tree
     */
    public static function ofBlocks(array $names, iterable $blocks, array $metrics, bool $rounds = false): FoldedEdges
    {
        if ($metrics === []) {
            throw new InvalidProfile('the call tree has no metrics');
        }
        $folder = new self($names, true, $metrics, $rounds);
        $sums = array_fill_keys(['ct', ...$metrics], 0);
        $last = -1;
        foreach ($blocks as $block) {
            ['fn' => $fn, 'depth' => $depth, 'ct' => $calls] = $block;
            $columns = [];
            foreach ($metrics as $metric) {
                $columns[$metric] = $block["self.$metric"];
            }
            foreach (['ct' => $calls] + $columns as $metric => $column) {
                $sums[$metric] += self::magnitude($column);
            }
            if (max($sums) > SavedColumns::MAX_SUM) {
                $metric = array_search(max($sums), $sums, true);
                $column = $metric === 'ct' ? $metric : "self.$metric";
                throw new InvalidProfile("the values of the column \"$column\" of the call tree are too large");
            }
            if ($fn === [] || $calls === [] || min($fn) < 0 || max($fn) >= count($names) || min($calls) < 0) {
                throw new InvalidProfile('a node of the call tree has no name, or calls below 0');
            }
            foreach ($depth as $level) {
                if ($level > $last + 1 || $level < 0 || ($level === 0 && $last >= 0)) {
                    throw new InvalidProfile('a node of the call tree has no parent');
                }
                $last = $level;
            }
            $folder->add($fn, $depth, $calls, $columns);
        }

        return $last < 0 ? throw new InvalidProfile('the call tree has no nodes') : $folder->folded();
    }

    /**
     * @param list<int> $column
     *
     * @return int|float sum of the absolute values; beyond the integers a float
     */
    private static function magnitude(array $column): int|float
    {
        $sizes = $column === [] || min($column) >= 0 ? $column : array_map(abs(...), $column);
        /** @var int|float $sum */
        $sum = array_sum($sizes);

        return $sum;
    }

    /**
     * The next nodes.
     *
     * @param list<int>                $fn    indexes of names
     * @param list<int>                $depth
     * @param list<int>                $calls
     * @param array<string, list<int>> $own   exclusive figures, of all metrics
     */
    private function add(array $fn, array $depth, array $calls, array $own): void
    {
        $ended = $this->structure($fn, $depth, $calls);
        foreach ($own as $metric => $column) {
            $this->sumUp($metric, $column, $ended);
        }
        for ($at = 0; $at < $this->open; $at++) {
            $this->openFrom[$at] = -1 - $at;
        }
    }

    /** After the last node. */
    private function folded(): FoldedEdges
    {
        // A node that is not there ends all that are open.
        $ended = $this->structure([0], [0], [0]);
        foreach (array_keys($this->sums) as $metric) {
            $this->sumUp($metric, [], $ended);
        }
        $caller = $callee = [];
        foreach ($this->edges as $key => $_) {
            $caller[] = ($key >> 32) - 1;
            $callee[] = $key & 0xFFFFFFFF;
        }

        $figures = array_map(array_values(...), ['ct' => $this->calls] + $this->sums);

        return new FoldedEdges($this->labels, $caller, $callee, $figures);
    }

    /**
     * @param list<int> $fn
     * @param list<int> $depth
     * @param list<int> $calls
     *
     * @return array{list<int>, list<int>, list<int>} nodes that ended: their edges, where they began (see $openFrom), and the place
     *     of the first node behind them
     */
    private function structure(array $fn, array $depth, array $calls): array
    {
        // In variables of its own: each step of this loop is taken a million times.
        [$open, $functions, $transparent, $running] = [$this->open, $this->functions, $this->transparent, $this->running];
        [$openLabel, $openFunction] = [$this->openLabel, $this->openFunction];
        [$openCalls, $openFrom] = [$this->openCalls, $this->openFrom];
        [$edges, $sums] = [$this->edges, $this->calls];
        // Not copied when they are written to.
        $this->edges = $this->calls = [];
        $endedEdge = $endedFrom = $endedAt = [];
        foreach ($fn as $i => $name) {
            $at = $depth[$i];
            while ($open > $at) {
                $open--;
                $function = $openFunction[$open];
                if ($function < 0) {
                    continue;
                }
                $running[$function]--;
                $key = $open > 0 ? $openLabel[$open - 1] + 1 << 32 | $openLabel[$open] : $openLabel[$open];
                if (isset($edges[$key])) {
                    $edge = $edges[$key];
                    $sums[$edge] += $openCalls[$open];
                } else {
                    $edge = $edges[$key] = count($sums);
                    $sums[] = $openCalls[$open];
                }
                $endedEdge[] = $edge;
                $endedFrom[] = $openFrom[$open];
                $endedAt[] = $i;
            }
            $function = $functions[$name];
            if ($transparent !== [] && $open > 0 && isset($transparent[$function])) {
                $openLabel[$open] = $openLabel[$open - 1];
                $openFunction[$open] = -1;
            } else {
                $level = ++$running[$function];
                $openLabel[$open] = $level === 0
                    ? $function
                    : $this->levels[$function][$level] ?? $this->level($function, $level);
                $openFunction[$open] = $function;
            }
            $openCalls[$open] = $calls[$i];
            $openFrom[$open] = $i;
            $open++;
        }
        [$this->open, $this->running, $this->openLabel, $this->openFunction] = [$open, $running, $openLabel, $openFunction];
        [$this->openCalls, $this->openFrom, $this->edges, $this->calls] = [$openCalls, $openFrom, $edges, $sums];

        return [$endedEdge, $endedFrom, $endedAt];
    }

    /** @return int a label for a function that is open so many times already */
    private function level(int $function, int $level): int
    {
        $this->labels[] = "{$this->labels[$function]}@$level";

        return $this->levels[$function][$level] = count($this->labels) - 1;
    }

    /**
     * @param list<int> $column of the block
     * @param array{list<int>, list<int>, list<int>} $ended in it
     */
    private function sumUp(string $metric, array $column, array $ended): void
    {
        $sum = $this->totals[$metric];
        $before = [];
        foreach ($column as $own) {
            $before[] = $sum;
            $sum += $own;
        }
        $before[] = $this->totals[$metric] = $sum;
        if ($this->rounds && Metrics::isTime($metric)) {
            foreach ($before as $place => $nanoseconds) {
                $before[$place] = intdiv($nanoseconds, 1000);
            }
        }
        $openSums = $this->openSums[$metric];
        $sums = $this->sums[$metric];
        $this->sums[$metric] = [];
        for ($edge = count($sums); $edge < count($this->calls); $edge++) {
            $sums[] = 0;
        }
        [$edges, $from, $to] = $ended;
        foreach ($edges as $i => $edge) {
            $begin = $from[$i];
            $sums[$edge] += $before[$to[$i]] - ($begin >= 0 ? $before[$begin] : $openSums[-1 - $begin]);
        }
        $this->sums[$metric] = $sums;
        for ($at = 0; $at < $this->open; $at++) {
            if ($this->openFrom[$at] >= 0) {
                $this->openSums[$metric][$at] = $before[$this->openFrom[$at]];
            }
        }
    }
}
