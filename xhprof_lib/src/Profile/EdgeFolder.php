<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Folds a call-path tree into call edges, each where its first call ended: main() comes last. Or into functions only, which is half
 * the work. It takes the nodes in preorder, in blocks, and needs memory for one block, for the sums and for the open nodes only.
 *
 * First it finds of which sum each node is, and which callers end where. Then figures are added up, one metric after the other: a
 * sum has what its nodes take themselves, and what is below those that call, the sum of all nodes up to their end less that of
 * all before. Most nodes call nothing: they cost little. This is the fastest way there is in PHP; a page waits for it.
 *
 * Times in microseconds are rounded before they are added up, on the running sum, as the extension does: exclusive times stay
 * exact in sum, and none gets below 0.
 *
 * @internal
 */
final class EdgeFolder
{
    /** The sum of nodes that have no edge. */
    private const NO_EDGE = 0;

    /** @var array<int, int> see TreeNodes::same() */
    private readonly array $same;

    /** @var array<int, true> functions whose calls are their callers' */
    private array $transparent = [];

    /** @var list<string> functions, and behind them levels of recursion: "f@1" */
    private array $labels;

    /** @var array<int, array<int, int>> per function and level of recursion the label */
    private array $levels = [];

    /** @var array<int, int> per function the number of its open calls; -1 before its first one */
    private array $running;

    /** How many nodes are open. The lists below have an entry for each of them, and older ones behind. */
    private int $open = 0;

    /** @var array<int, int> per open node its label; a transparent one has its caller's */
    private array $openLabel = [];

    /** @var array<int, int> per open node its function; -1: a transparent one */
    private array $openFunction = [];

    /** @var array<int, int> per open node its sum */
    private array $openSum = [];

    /** @var array<int, int> per open node the place in the block behind it; 0 for nodes of a block before */
    private array $openFrom = [];

    /** @var array<int, array<int, int>>|null by its caller's label, -1 for none, and its own the edge; null: functions are wanted */
    private ?array $edges;

    /** @var array{array<int, int>, array<int, int>} labels of callers and callees per edge */
    private array $ends = [[], []];

    /** Sums so far. */
    private int $count;

    /** @var array<int, true> sums in the order in which the first node of each ended */
    private array $ended = [];

    /** @var array<int, true> labels in the order of callers and callees of edges */
    private array $symbols = [-1 => true];

    /** @var array<string, array<int, int>> per metric and sum what its nodes take themselves, or all an edge takes */
    private array $own = [];

    /** @var array<string, array<int, int>> per metric and function what is below its nodes */
    private array $below = [];

    /** @var array<string, int> per metric the sum of all nodes so far, where it is rounded */
    private array $whole = [];

    /** Roots that have ended. */
    private int $roots = 0;

    /**
     * @param bool $isEdges whether edges are wanted, not functions
     * @param bool $runInit whether files' top-level code has edges of its own instead of counting to its caller
     */
    private function __construct(private readonly TreeNodes $nodes, bool $isEdges, bool $runInit)
    {
        foreach ($runInit ? [] : $nodes->names as $index => $name) {
            if (str_starts_with($name, 'run_init::')) {
                $this->transparent[$index] = true;
            }
        }
        $this->same = $nodes->same();
        $this->labels = $nodes->names;
        $this->running = array_fill(0, count($nodes->names), -1);
        $this->edges = $isEdges ? [] : null;
        $this->count = $isEdges ? 1 : count($nodes->names);
    }

    /**
     * @param list<string> $metrics of the nodes
     * @param bool         $runInit whether files' top-level code has edges of its own instead of counting to its caller
     * @param bool         $rounds  whether times are in whole microseconds, not to the nanosecond
     */
    public static function edges(TreeNodes $nodes, array $metrics, bool $runInit = true, bool $rounds = false): FoldedEdges
    {
        $folder = new self($nodes, true, $runInit);
        $folder->run($metrics, $rounds);
        $ended = array_keys($folder->ended);
        $number = [-1 => -1];
        $caller = $callee = [];
        foreach ($ended as $edge) {
            $caller[] = $number[$folder->ends[0][$edge]] ??= count($number) - 1;
            $callee[] = $number[$folder->ends[1][$edge]] ??= count($number) - 1;
        }
        unset($number[-1]);
        $folder->edges = [];
        $folder->ends = [[], []];
        $figures = [];
        foreach ($folder->own as $metric => $own) {
            foreach ($ended as $edge) {
                $figures[$metric][] = $own[$edge];
            }
            unset($folder->own[$metric], $own);
        }

        return new FoldedEdges($folder->named(array_keys($number)), $caller, $callee, $figures);
    }

    /** @param list<string> $metrics of the nodes */
    public static function functions(TreeNodes $nodes, array $metrics): FunctionFigures
    {
        $folder = new self($nodes, false, true);
        $folder->run($metrics, false);
        $ended = array_keys($folder->ended);
        $columns = $exclusive = [];
        foreach ($folder->own as $metric => $own) {
            $below = $folder->below[$metric] ?? null;
            foreach ($ended as $label) {
                $columns[$metric][] = $below === null ? $own[$label] : $own[$label] + $below[$label];
                if ($below !== null) {
                    $exclusive["excl_$metric"][] = $own[$label];
                }
            }
        }
        unset($folder->symbols[-1]);

        return new FunctionFigures($folder->named($ended), $folder->named(array_keys($folder->symbols)), $columns + $exclusive);
    }

    /**
     * @param list<int> $labels
     *
     * @return list<string>
     */
    private function named(array $labels): array
    {
        return array_map(fn (int $label): string => $this->labels[$label], $labels);
    }

    /** @param list<string> $metrics */
    private function run(array $metrics, bool $rounds): void
    {
        $this->own['ct'] = [];
        foreach ($metrics as $metric) {
            $this->own[$metric] = $this->below[$metric] = [];
            if ($rounds && Metrics::isTime($metric)) {
                $this->whole[$metric] = 0;
            }
        }
        $last = null;
        foreach ($this->nodes->blocks(['fn', 'depth', 'ct', ...$metrics]) as $block) {
            if ($last !== null) {
                $this->add($last, array_slice($block['depth'], 0, 2));
            } elseif ($block['depth'][0] !== 0) {
                throw $this->orphan();
            }
            $last = $block;
        }
        $this->add($last ?? throw $this->nodes->invalid('the call tree has no nodes'), []);
        if ($this->roots !== 1 && $this->nodes->file !== '') {
            throw $this->orphan();
        }
    }

    /**
     * @param array<string, list<int>> $block the next nodes
     * @param list<int> $next depths of the two behind them, as far as there are any
     */
    private function add(array $block, array $next): void
    {
        ['fn' => $fn, 'depth' => $depth] = $block;
        [$sums, $ended] = $this->structure($fn, [...$depth, ...$next, 0, 0], count($fn));
        $own = $this->taken($this->own['ct']);
        foreach ($block['ct'] as $i => $calls) {
            $own[$sums[$i]] += $calls;
        }
        $this->own['ct'] = $own;
        foreach (array_diff(array_keys($this->own), ['ct']) as $metric) {
            $this->sumUp($metric, $block[$metric], $sums, $ended);
        }
    }

    /**
     * @param list<int> $fn
     * @param list<int> $depth also of the two nodes behind them
     *
     * @return array{array<int, int>, array{list<int>, list<int>, list<int>}} the sum of each node; and callers that ended, or will
     *     in another block: their sums, and the places of the first node below them and of that behind
     */
    private function structure(array $fn, array $depth, int $count): array
    {
        // In variables of its own: each step of this loop is taken a million times.
        [$open, $running, $transparent, $edges] = [$this->open, $this->running, $this->transparent, $this->edges];
        [$openLabel, $openFunction] = [$this->openLabel, $this->openFunction];
        [$openSum, $openFrom] = [$this->openSum, $this->openFrom];
        [$ended, $symbols] = [$this->ended, $this->symbols];
        // Not copied when they are written to.
        $this->running = $this->ended = $this->symbols = [];
        $this->edges = $edges === null ? null : [];
        $endedSum = $endedFrom = $endedTo = [];
        if ($this->same !== []) {
            $fn = array_map(fn (int $name): int => $this->same[$name] ?? -1, $fn);
        }
        $sums = $fn;
        $caller = $open > 0 ? $openLabel[$open - 1] : -1;
        foreach ($fn as $i => $function) {
            $next = $depth[$i + 1];
            $label = $function;
            // Most functions have been met, and are not open.
            if (($running[$function] ?? -2) !== 0) {
                $level = $running[$function] ?? throw $this->nodes->invalid('a node of the call tree has no name');
                $isNew = $level < 0;
                if ($isNew) {
                    $running[$function] = 0;
                } else {
                    $isNew = !isset($this->levels[$function][$level]);
                    $label = $this->levels[$function][$level] ??= $this->level($function, $level);
                }
                if ($edges === null) {
                    $sums[$i] = $label;
                    if ($isNew && $next <= $open) {
                        $symbols[$caller] = true;
                        $ended[$label] = $symbols[$label] = true;
                    } elseif ($isNew && $depth[$i + 2] <= $next) {
                        // Its first callee ends at once.
                        $symbols[$label] = true;
                    }
                }
            }
            if ($edges !== null) {
                if (isset($transparent[$function]) && $open > 0) {
                    $sum = self::NO_EDGE;
                    $label = $caller;
                    $function = -1;
                } else {
                    $sum = $edges[$caller][$label] ?? null;
                    if ($sum === null) {
                        $sum = $edges[$caller][$label] = $this->count++;
                        $this->ends[0][$sum] = $caller;
                        $this->ends[1][$sum] = $label;
                        if ($next <= $open) {
                            $ended[$sum] = true;
                        }
                    }
                }
                $sums[$i] = $sum;
            } else {
                $sum = $label;
            }
            if ($next > $open) {
                if ($next > $open + 1) {
                    throw $this->orphan();
                }
                $openLabel[$open] = $caller = $label;
                $openFunction[$open] = $function;
                $openSum[$open] = $sum;
                $openFrom[$open] = $i + 1;
                $open = $next;
                if ($function >= 0) {
                    $running[$function]++;
                }
                continue;
            }
            if ($next < 1) {
                if ($next < 0) {
                    throw $this->orphan();
                }
                $this->roots++;
            }
            while ($open > $next) {
                $open--;
                $caller = $open > 0 ? $openLabel[$open - 1] : -1;
                if ($openFunction[$open] < 0) {
                    continue;
                }
                $running[$openFunction[$open]]--;
                $endedSum[] = $sum = $openSum[$open];
                $endedFrom[] = $openFrom[$open];
                $endedTo[] = $i + 1;
                $ended[$sum] ??= true;
                if ($edges === null) {
                    $symbols[$caller] ??= true;
                    $symbols[$sum] ??= true;
                }
            }
        }
        for ($at = 0; $at < $open; $at++) {
            if ($openFunction[$at] >= 0) {
                $endedSum[] = $openSum[$at];
                $endedFrom[] = $openFrom[$at];
                $endedTo[] = $count;
            }
            $openFrom[$at] = 0;
        }
        [$this->open, $this->running, $this->edges] = [$open, $running, $edges];
        [$this->openLabel, $this->openFunction] = [$openLabel, $openFunction];
        [$this->openSum, $this->openFrom] = [$openSum, $openFrom];
        [$this->ended, $this->symbols] = [$ended, $symbols];

        return [$sums, [$endedSum, $endedFrom, $endedTo]];
    }

    /** @return int a label for a function that is open so many times already */
    private function level(int $function, int $level): int
    {
        $this->labels[] = "{$this->labels[$function]}@$level";
        if ($this->edges === null) {
            $this->count = count($this->labels);
        }

        return count($this->labels) - 1;
    }

    private function orphan(): \Throwable
    {
        return $this->nodes->invalid('a node of the call tree has no parent');
    }

    /**
     * @param list<int> $column of the block
     * @param array<int, int> $sums per node
     * @param array{list<int>, list<int>, list<int>} $ended in it
     */
    private function sumUp(string $metric, array $column, array $sums, array $ended): void
    {
        if (isset($this->whole[$metric])) {
            $whole = $this->whole[$metric];
            $last = intdiv($whole, 1000);
            foreach ($column as $i => $nanoseconds) {
                $whole += $nanoseconds;
                $rounded = intdiv($whole, 1000);
                $column[$i] = $rounded - $last;
                $last = $rounded;
            }
            $this->whole[$metric] = $whole;
        }
        $own = $this->taken($this->own[$metric]);
        $sum = 0;
        $before = [0];
        foreach ($column as $i => $value) {
            $own[$sums[$i]] += $value;
            $before[] = $sum += $value;
        }
        [$callers, $from, $to] = $ended;
        if ($this->edges === null) {
            $this->own[$metric] = $own;
            $own = $this->taken($this->below[$metric]);
        }
        foreach ($callers as $i => $caller) {
            $own[$caller] += $before[$to[$i]] - $before[$from[$i]];
        }
        if ($this->edges === null) {
            $this->below[$metric] = $own;
        } else {
            $this->own[$metric] = $own;
        }
    }

    /**
     * @param array<int, int> $sums
     *
     * @return array<int, int> the same, not to be copied when they are written to, with new ones
     */
    private function taken(array &$sums): array
    {
        $taken = $sums;
        $sums = [];
        for ($new = count($taken); $new < $this->count; $new++) {
            $taken[] = 0;
        }

        return $taken;
    }
}
