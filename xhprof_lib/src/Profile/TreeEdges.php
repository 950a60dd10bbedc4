<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * The edges of a call tree for a Profile, to the nanosecond. Nothing is read before it is asked for: figures by function do not
 * need the edges, and those of one function need few of them.
 *
 * @internal
 */
final class TreeEdges
{
    private ?FunctionFigures $functions = null;

    private ?FoldedEdges $folded = null;

    /** @var array<string, FunctionNodes|null> by name; only the last one */
    private array $found = [];

    public function __construct(private readonly TreeNodes $nodes)
    {
    }

    /** @return list<string> in the order of the columns */
    public function metrics(): array
    {
        return $this->nodes->metrics;
    }

    /** @param array<string, string> $map name => another name */
    public function renamed(array $map): self
    {
        return new self($this->nodes->renamed($map));
    }

    /** The same, with times in whole microseconds. */
    public function rounded(): FoldedEdges
    {
        return EdgeFolder::edges($this->nodes, $this->nodes->metrics, rounds: true);
    }

    public function functions(): FunctionFigures
    {
        return $this->functions ??= EdgeFolder::functions($this->nodes, Metrics::ordered($this->nodes->metrics));
    }

    /** @param list<string>|null $metrics those that are needed; null for all */
    public function folded(?array $metrics = null): FoldedEdges
    {
        if ($this->folded === null || array_diff_key(array_flip($metrics ?? $this->nodes->metrics), $this->folded->figures) !== []) {
            // A view asks for one metric, or for all.
            $wanted = $this->folded === null ? $metrics : null;
            $this->folded = EdgeFolder::edges($this->nodes, $wanted ?? $this->nodes->metrics);
        }

        return $this->folded;
    }

    /** @return list<string> */
    public function symbols(): array
    {
        return $this->folded->labels ?? $this->functions()->symbols;
    }

    /** @return array<string, int> see Profile::totals(): main() is the only root */
    public function totals(): array
    {
        $columns = $this->functions()->columns;
        $main = count($columns['ct']) - 1;
        $totals = ['ct' => array_sum($columns['ct'])];
        foreach ($this->nodes->metrics as $metric) {
            $value = $columns[$metric][$main];
            $totals[$metric] = Metrics::isSigned($metric) ? $value : max($value, $value - $columns["excl_$metric"][$main]);
        }

        return $totals;
    }
}
