<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Folds a call-path tree into call edges, each where its last call ended: main() comes last. Used once per tree.
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

    /** @var list<array{node: int, name: string, fn: int|null}> open nodes; a transparent one has its caller's name, no fn */
    private array $open = [];

    /** @var array<int, int> per function the number of its open calls, less one */
    private array $running = [];

    /** @var array<string, array<int, int>> */
    private array $inclusive = [];

    /**
     * @param list<string> $metrics of the tree
     * @param bool         $isExact whether times stay nanoseconds
     */
    public function __construct(
        private readonly CallTree $tree,
        private readonly bool $runInit,
        private readonly array $metrics,
        private readonly bool $isExact = false,
    ) {
    }

    /**
     * @return array<string, array<string, int>>
     */
    public function fold(): array
    {
        foreach ($this->metrics as $metric) {
            $self = $this->tree->exclusive($metric);
            $self = Metrics::isTime($metric) && !$this->isExact ? self::microseconds($self) : $self;
            $this->inclusive[$metric] = $this->tree->addUp($self);
        }
        $functions = $this->tree->functions();
        $transparent = $this->transparentFunctions();
        foreach ($this->tree->fn as $node => $index) {
            $this->closeTo($this->tree->depth[$node]);
            $fn = $functions[$index];
            if ($node > 0 && isset($transparent[$fn])) {
                $this->open[] = ['node' => $node, 'name' => $this->open[count($this->open) - 1]['name'], 'fn' => null];
                continue;
            }
            $level = $this->running[$fn] = ($this->running[$fn] ?? -1) + 1;
            $name = $this->tree->names[$fn] . ($level > 0 ? '@' . $level : '');
            $this->open[] = ['node' => $node, 'name' => $name, 'fn' => $fn];
        }
        $this->closeTo(0);

        return $this->edges;
    }

    /**
     * @return array<int, true> functions whose calls are their callers'
     */
    private function transparentFunctions(): array
    {
        $transparent = [];
        foreach ($this->tree->names as $index => $name) {
            if (!$this->runInit && str_starts_with($name, 'run_init::')) {
                $transparent[$index] = true;
            }
        }

        return $transparent;
    }

    private function closeTo(int $depth): void
    {
        while (count($this->open) > $depth && ($left = array_pop($this->open)) !== null) {
            ['node' => $node, 'name' => $name, 'fn' => $fn] = $left;
            if ($fn === null) {
                continue;
            }
            $this->running[$fn]--;
            $caller = $this->open === [] ? null : $this->open[count($this->open) - 1]['name'];
            $key = EdgeKey::build($caller, $name);
            $this->edges[$key]['ct'] = ($this->edges[$key]['ct'] ?? 0) + $this->tree->ct[$node];
            foreach ($this->inclusive as $metric => $values) {
                $this->edges[$key][$metric] = ($this->edges[$key][$metric] ?? 0) + $values[$node];
            }
        }
    }

    /**
     * @param list<int> $nanoseconds
     *
     * @return list<int>
     */
    private static function microseconds(array $nanoseconds): array
    {
        $column = [];
        $sum = 0;
        $before = 0;
        foreach ($nanoseconds as $value) {
            $sum += $value;
            $after = intdiv($sum, 1000);
            $column[] = $after - $before;
            $before = $after;
        }

        return $column;
    }
}
