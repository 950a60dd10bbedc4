<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Stretches of a call tree's nodes: what ran within a function, or below a call path. Figures of each function in them are added
 * up without folding the whole tree.
 *
 * @internal
 */
final class NodeRanges
{
    /** @param list<array{int, int}> $ranges in order, none within another: a node, and the first behind all below it */
    private function __construct(private readonly TreeNodes $nodes, public readonly array $ranges)
    {
    }

    /** @param list<array{int, int}> $ranges in order, none within another */
    public static function at(TreeNodes $nodes, array $ranges): self
    {
        return new self($nodes, $ranges);
    }

    /** What ran within a function: a recursion counts once. */
    public static function ofFunction(TreeNodes $nodes, string $name): self
    {
        $bytes = $nodes->bytes();

        return new self($nodes, $bytes === null ? self::search($nodes, $name) : self::find($nodes, $bytes, $name));
    }

    /** A node, and all below it; none if there is no such node. */
    public static function below(TreeNodes $nodes, int $node): self
    {
        if ($node < 0 || $node >= $nodes->count) {
            return new self($nodes, []);
        }
        $depth = $nodes->at('depth', $node);
        foreach ($nodes->from(['depth'], $node + 1) as $first => $block) {
            foreach ($block['depth'] as $i => $level) {
                if ($level <= $depth) {
                    return new self($nodes, [[$node, $first + $i]]);
                }
            }
        }

        return new self($nodes, [[$node, $nodes->count]]);
    }

    /**
     * @param list<string> $metrics
     *
     * @return array{names: list<string>, columns: array<string, list<int>>} own figures of each function that ran in them
     */
    public function functions(array $metrics): array
    {
        $sums = [];
        $next = 0;
        foreach ($this->ranges === [] ? [] : $this->nodes->from(['fn', ...$metrics], $this->ranges[0][0]) as $first => $block) {
            $behind = $first + count($block['fn']);
            while (isset($this->ranges[$next]) && $this->ranges[$next][0] < $behind) {
                [$from, $to] = $this->ranges[$next];
                $last = min($to, $behind) - $first;
                foreach ($metrics as $metric) {
                    $own = $sums[$metric] ?? [];
                    unset($sums[$metric]);
                    $column = $block[$metric];
                    for ($i = max(0, $from - $first); $i < $last; $i++) {
                        $function = $block['fn'][$i];
                        $own[$function] = ($own[$function] ?? 0) + $column[$i];
                    }
                    $sums[$metric] = $own;
                }
                if ($to > $behind) {
                    continue 2;
                }
                $next++;
            }
            if (!isset($this->ranges[$next])) {
                break;
            }
        }
        $names = array_keys(reset($sums) ?: []);

        return [
            'names' => array_map(fn (int $function): string => $this->nodes->names[$function] ?? '', $names),
            'columns' => array_map(array_values(...), $sums),
        ];
    }

    /** @return list<array{int, int}> */
    private static function find(TreeNodes $nodes, TreeBytes $bytes, string $name): array
    {
        $ranges = [];
        $behind = 0;
        foreach ($bytes->find([$name]) as $node) {
            if ($node >= $behind) {
                $behind = $bytes->end($node, $bytes->depth($node));
                $ranges[] = [$node, $behind];
            }
        }

        return $ranges;
    }

    /** @return list<array{int, int}> */
    private static function search(TreeNodes $nodes, string $name): array
    {
        $isWanted = array_fill_keys(array_keys($nodes->names, $name, true), true);
        $ranges = [];
        [$node, $depth] = [-1, -1];
        foreach ($nodes->from(['fn', 'depth'], 0) as $first => $block) {
            foreach ($block['depth'] as $i => $level) {
                if ($node >= 0 && $level <= $depth) {
                    $ranges[] = [$node, $first + $i];
                    $node = -1;
                }
                if ($node < 0 && isset($isWanted[$block['fn'][$i]])) {
                    [$node, $depth] = [$first + $i, $level];
                }
            }
        }

        return $node < 0 ? $ranges : [...$ranges, [$node, $nodes->count]];
    }
}
