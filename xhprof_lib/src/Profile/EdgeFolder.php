<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Folds a call-path tree into call edges, each where its last call ended: main() comes last. Used once per tree, whose nodes it
 * takes one by one, in preorder: it needs memory for the edges and for the open nodes only.
 *
 * Times become microseconds before they are added up, rounded on the running sum, as the extension does: exclusive times
 * stay exact in sum, and none gets below 0. Or they stay nanoseconds.
 *
 * @internal
 */
final class EdgeFolder
{
    /** @var array<string, array<string, int>> */
    private array $edges = [];

    /** @var list<array{name: string, fn: int|null, ct: int}> open nodes; a transparent one has its caller's name, no fn */
    private array $open = [];

    /** @var array<int, array<string, int>> per open node its figures, with those of what has ended below it */
    private array $sums = [];

    /** @var array<int, int> per function the number of its open calls, less one */
    private array $running = [];

    /** @var array<int, int> per name the first that is the same */
    private array $functions = [];

    /** @var array<int, true> functions whose calls are their callers' */
    private array $transparent = [];

    /** @var array<string, int> per time the nanoseconds of all nodes so far; none where they stay nanoseconds */
    private array $nanoseconds = [];

    /**
     * @param list<string> $names   of the tree
     * @param list<string> $metrics of the nodes
     * @param bool         $isExact whether times stay nanoseconds
     */
    public function __construct(private readonly array $names, bool $runInit, array $metrics, bool $isExact = false)
    {
        $first = [];
        foreach ($names as $index => $name) {
            $this->functions[] = $first["\0" . $name] ??= $index;
            if (!$runInit && str_starts_with($name, 'run_init::')) {
                $this->transparent[$index] = true;
            }
        }
        $this->nanoseconds = $isExact ? [] : array_fill_keys(array_filter($metrics, Metrics::isTime(...)), 0);
    }

    /**
     * @param list<string> $metrics of the tree
     *
     * @return array<string, array<string, int>>
     */
    public static function fold(CallTree $tree, bool $runInit, array $metrics, bool $isExact = false): array
    {
        $folder = new self($tree->names, $runInit, $metrics, $isExact);
        $columns = [];
        foreach ($metrics as $metric) {
            $columns[$metric] = $tree->exclusive($metric);
        }
        foreach ($tree->fn as $node => $index) {
            $own = [];
            foreach ($columns as $metric => $column) {
                $own[$metric] = $column[$node];
            }
            $folder->add($index, $tree->depth[$node], $tree->ct[$node], $own);
        }

        return $folder->edges();
    }

    /**
     * The next node.
     *
     * @param int                $name index of its name
     * @param array<string, int> $own  exclusive figures, of all metrics
     */
    public function add(int $name, int $depth, int $calls, array $own): void
    {
        $this->closeTo($depth);
        foreach ($this->nanoseconds as $metric => $before) {
            $after = $this->nanoseconds[$metric] = $before + $own[$metric];
            $own[$metric] = intdiv($after, 1000) - intdiv($before, 1000);
        }
        $this->sums[] = $own;
        $fn = $this->functions[$name];
        if ($this->open !== [] && isset($this->transparent[$fn])) {
            $caller = $this->open[count($this->open) - 1]['name'];
            $this->open[] = ['name' => $caller, 'fn' => null, 'ct' => $calls];

            return;
        }
        $level = $this->running[$fn] = ($this->running[$fn] ?? -1) + 1;
        $shown = $this->names[$name] . ($level > 0 ? '@' . $level : '');
        $this->open[] = ['name' => $shown, 'fn' => $fn, 'ct' => $calls];
    }

    /**
     * After the last node.
     *
     * @return array<string, array<string, int>>
     */
    public function edges(): array
    {
        $this->closeTo(0);

        return $this->edges;
    }

    private function closeTo(int $depth): void
    {
        while (count($this->open) > $depth && ($left = array_pop($this->open)) !== null) {
            ['name' => $name, 'fn' => $fn, 'ct' => $calls] = $left;
            $sums = array_pop($this->sums) ?? [];
            $last = count($this->open) - 1;
            foreach ($last < 0 ? [] : $sums as $metric => $sum) {
                $this->sums[$last][$metric] += $sum;
            }
            if ($fn === null) {
                continue;
            }
            $this->running[$fn]--;
            $key = EdgeKey::build($last < 0 ? null : $this->open[$last]['name'], $name);
            $this->edges[$key]['ct'] = ($this->edges[$key]['ct'] ?? 0) + $calls;
            foreach ($sums as $metric => $sum) {
                $this->edges[$key][$metric] = ($this->edges[$key][$metric] ?? 0) + $sum;
            }
        }
    }
}
