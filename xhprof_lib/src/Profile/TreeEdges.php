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
    /** A node takes around() so many times as long as when all are folded (2026-11-30). */
    private const SLOWER = 50;

    /** Nodes that around() always looks at. */
    private const FEW = 1000;

    private ?FunctionFigures $functions = null;

    private ?FoldedEdges $folded = null;

    /** @var array{list<string>, ?FoldedEdges}|null names that were asked for last, and their edges */
    private ?array $around = null;

    /** Nodes that were looked at for around(). */
    private int $looked = 0;

    /** @var array<string, true>|null all symbols, where they are known */
    private ?array $symbols = null;

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

    /** Returns the edges with their times in whole microseconds. */
    public function rounded(): FoldedEdges
    {
        return EdgeFolder::edges($this->nodes, $this->nodes->metrics, rounds: true);
    }

    public function functions(): FunctionFigures
    {
        return $this->functions ??= EdgeFolder::functions($this->nodes, $this->nodes->metrics);
    }

    /** @param list<string>|null $metrics those that are needed; null for all */
    public function folded(?array $metrics = null): FoldedEdges
    {
        $missing = array_diff($metrics ?? $this->nodes->metrics, array_keys($this->folded->figures ?? []));
        if ($this->folded === null || $missing !== []) {
            // A view asks for one metric, or for all.
            $wanted = count($this->folded->figures ?? []) <= 1 ? $metrics : null;
            $this->folded = EdgeFolder::edges($this->nodes, $wanted ?? $this->nodes->metrics);
        }

        return $this->folded;
    }

    /** @return list<string> */
    public function symbols(): array
    {
        return $this->folded->labels ?? $this->functions()->symbols;
    }

    public function has(string $symbol): bool
    {
        $name = EdgeKey::stripRecursion($symbol);
        if ($this->folded === null && $this->functions === null) {
            if ($name === $symbol) {
                $nodes = $this->nodes->bytes()?->find([$symbol]);
                if ($nodes !== null) {
                    return $nodes !== [];
                }
            } elseif (($edges = $this->around([$name])) !== null) {
                return in_array($symbol, $edges->labels, true);
            }
        }

        return isset(($this->symbols ??= array_fill_keys($this->symbols(), true))[$symbol]);
    }

    /**
     * @param list<string> $names of functions, without a level of recursion
     *
     * @return FoldedEdges|null those of all their levels; null if that takes all edges, or longer than them
     */
    public function around(array $names): ?FoldedEdges
    {
        if (($this->around[0] ?? null) !== $names) {
            $found = $this->nodes->bytes()?->find($names);
            $this->looked += count($found ?? []);
            $isMuch = $this->looked > max(self::FEW, intdiv($this->nodes->count, self::SLOWER));
            $this->around = [$names, $found === null || $isMuch ? null : FunctionNodes::edges($this->nodes, $names, $found)];
        }

        return $this->around[1];
    }

    /** Whether all edges are known: those of a function cost nothing more. */
    public function isFolded(): bool
    {
        return $this->folded !== null;
    }

    /**
     * @param list<string>|null $metrics those that are needed; null for all, and "ct"
     *
     * @return array<string, int|float> see Profile::totals(): main() is the only root
     */
    public function totals(?array $metrics = null): array
    {
        $metrics ??= ['ct', ...$this->nodes->metrics];
        $columns = $this->functions->columns ?? [];
        $before = $columns === [] ? $this->nodes->before($metrics, [1]) : [];
        $totals = [];
        foreach ($metrics as $metric) {
            $column = $columns[$metric] ?? [];
            if ($metric === 'ct') {
                $totals[$metric] = $before[$metric][$this->nodes->count] ?? array_sum($column);
                continue;
            }
            $whole = $before[$metric][$this->nodes->count] ?? $column[count($column) - 1];
            $own = $before[$metric][1] ?? $columns["excl_$metric"][count($column) - 1];
            $totals[$metric] = Metrics::isSigned($metric) ? $whole : max($whole, $whole - $own);
        }

        return $totals;
    }
}
