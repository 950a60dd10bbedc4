<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Folds a call-path tree into call edges, in the order the edges are first met. Used once per tree.
 *
 * @internal
 */
final class EdgeFolder
{
    /** @var list<string> per open level the name its callees see as their caller */
    private array $callers = [];

    /** @var list<int|null> per open level the function counted in $running, null if transparent */
    private array $open = [];

    /** @var array<int, int> per function how many of it are open */
    private array $running = [];

    public function __construct(private readonly CallTree $tree, private readonly bool $runInit)
    {
    }

    /**
     * @return array<string, array<string, int>>
     */
    public function fold(): array
    {
        $inclusive = [];
        foreach ($this->tree->metrics() as $metric) {
            $inclusive[$metric] = $this->tree->inclusive($metric);
        }
        [$canonical, $transparent] = $this->functions();
        $edges = [];
        foreach ($this->tree->fn as $node => $index) {
            $this->unwind($this->tree->depth[$node]);
            $fn = $canonical[$index];
            if ($node > 0 && isset($transparent[$fn])) {
                $this->callers[] = $this->callers[count($this->callers) - 1];
                $this->open[] = null;
                continue;
            }
            $level = $this->running[$fn] = ($this->running[$fn] ?? -1) + 1;
            $name = $this->tree->names[$fn] . ($level > 0 ? '@' . $level : '');
            $key = $node === 0 ? $name : $this->callers[count($this->callers) - 1] . EdgeKey::SEPARATOR . $name;
            $edges[$key]['ct'] = ($edges[$key]['ct'] ?? 0) + $this->tree->ct[$node];
            foreach ($inclusive as $metric => $values) {
                $edges[$key][$metric] = ($edges[$key][$metric] ?? 0) + $values[$node];
            }
            $this->callers[] = $name;
            $this->open[] = $fn;
        }

        return $this->toMicroseconds($edges, array_keys($inclusive));
    }

    /**
     * Two entries of the same name are one function in the edges.
     *
     * @return array{0: array<int, int>, 1: array<int, true>} index => first index of that name; the transparent ones
     */
    private function functions(): array
    {
        $canonical = [];
        $transparent = [];
        $first = [];
        foreach ($this->tree->names as $index => $name) {
            $canonical[$index] = $first["\0" . $name] ??= $index;
            if (!$this->runInit && str_starts_with($name, 'run_init::')) {
                $transparent[$index] = true;
            }
        }

        return [$canonical, $transparent];
    }

    private function unwind(int $depth): void
    {
        while (count($this->open) > $depth) {
            array_pop($this->callers);
            $fn = array_pop($this->open);
            if ($fn !== null) {
                $this->running[$fn]--;
            }
        }
    }

    /**
     * @param array<string, array<string, int>> $edges
     * @param list<string>                      $metrics
     *
     * @return array<string, array<string, int>>
     */
    private function toMicroseconds(array $edges, array $metrics): array
    {
        foreach ($metrics as $metric) {
            if (!CallTree::isNanoseconds($metric)) {
                continue;
            }
            foreach ($edges as $key => $row) {
                $edges[$key][$metric] = intdiv($row[$metric], 1000);
            }
        }

        return $edges;
    }
}
