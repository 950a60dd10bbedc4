<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Web\Http\Url;
use XHProf\Web\Templates;

/**
 * The most expensive call paths as a tree: a flame graph in words. Paths come in order of cost, and never without their callers.
 *
 * @phpstan-type PathNode array{name: string, url: string, figure: string, share: string, own: string, calls: int, open: bool,
 *     children: list<mixed>, more: int}
 */
final class TopPaths
{
    /** Paths with a smaller share of the whole are closed at first. */
    private const OPEN_FROM = 0.05;

    /** @var array<int, int> per node its own figure */
    private readonly array $own;

    /** @var array<int, int> per node, with everything below it */
    private readonly array $inclusive;

    /** @var array<int, int> per node, of own values above zero: the width of its frame */
    private readonly array $width;

    /** @var array<int, int> per node the one that called it */
    private readonly array $parents;

    /** @var array<int, int> number of callees per node */
    private readonly array $called;

    /**
     * @param array<string, ?string> $parameters of the run, for links to functions
     */
    public function __construct(
        private readonly CallTree $tree,
        private readonly TreeMetric $metric,
        private readonly array $parameters,
    ) {
        $this->own = $metric->own($tree);
        $this->inclusive = $tree->addUp($this->own);
        $this->width = $tree->addUp(array_map(static fn (int $value): int => max(0, $value), $this->own));
        $this->parents = $tree->parents();
        $this->called = array_count_values($this->parents);
    }

    /** @return PathNode main() and the nodes shown below it */
    public function root(int $limit = Templates::TOP): array
    {
        $shown = [];
        foreach (CallTree::heaviest(array_filter($this->width), $limit) as $node) {
            $shown[$this->parents[$node]][] = $node;
        }

        return $this->line(0, $shown);
    }

    /**
     * @param array<int, list<int>> $shown callees by their caller
     * @return PathNode
     */
    private function line(int $node, array $shown): array
    {
        $name = $this->tree->names[$this->tree->fn[$node]];
        $total = $this->inclusive[0];
        $value = $this->inclusive[$node];
        $children = $shown[$node] ?? [];

        return [
            'name' => $name,
            'url' => Url::index($this->parameters + Url::symbolParameter($name)),
            'figure' => $this->metric->text($value),
            'share' => $total > 0 && $value >= 0 && $value <= $total ? Units::percent($value, $total) : '',
            'own' => $this->metric->text($this->own[$node]),
            'calls' => $this->tree->ct[$node],
            'open' => $this->width[$node] >= self::OPEN_FROM * $this->width[0],
            'children' => array_map(fn (int $child): array => $this->line($child, $shown), $children),
            'more' => ($this->called[$node] ?? 0) - count($children),
        ];
    }
}
