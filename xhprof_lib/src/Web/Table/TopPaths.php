<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use SplPriorityQueue;
use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Web\Http\Url;

/**
 * The call paths that cost most, as a tree: what a flame graph shows, in words. A path comes after all that cost more, and
 * never without its callers.
 *
 * @phpstan-type PathNode array{name: string, url: string, figure: string, share: string, own: string, calls: int, open: bool,
 *     children: list<mixed>, more: int}
 */
final class TopPaths
{
    public const LIMIT = 200;

    /** Nobody reads on where it says less than this of the whole: those are closed at first. */
    private const OPEN_FROM = 0.05;

    /** @var array<int, int> per node its own figure */
    private readonly array $own;

    /** @var array<int, int> per node, with everything below it */
    private readonly array $inclusive;

    /** @var array<int, int> per node, of own figures above zero: what frames are as wide as */
    private readonly array $width;

    /** @var array<int, int> per node the first one behind it that is not below it */
    private readonly array $end;

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
        $this->width = min($this->own ?: [0]) < 0
            ? $tree->addUp(array_map(static fn (int $value): int => max(0, $value), $this->own))
            : $this->inclusive;
        $this->end = self::ends($tree->depth);
    }

    /** @return PathNode main() and what is shown below it */
    public function root(int $limit = self::LIMIT): array
    {
        $queue = new SplPriorityQueue();
        $queue->insert(0, [$this->width[0], 0]);
        $shown = [];
        while (count($shown) < $limit && !$queue->isEmpty()) {
            $node = $queue->extract();
            assert(is_int($node));
            $shown[$node] = true;
            foreach ($this->children($node) as $child) {
                if ($this->width[$child] > 0) {
                    // Of equal ones the earlier call first.
                    $queue->insert($child, [$this->width[$child], -$child]);
                }
            }
        }

        return $this->line(0, $shown);
    }

    /**
     * @param array<int, true> $shown
     * @return PathNode
     */
    private function line(int $node, array $shown): array
    {
        $children = [];
        $more = 0;
        foreach ($this->children($node) as $child) {
            if (isset($shown[$child])) {
                $children[$child] = $this->width[$child];
            } else {
                $more++;
            }
        }
        arsort($children);
        $name = $this->tree->names[$this->tree->fn[$node]];
        $total = $this->inclusive[0];
        $value = $this->inclusive[$node];

        return [
            'name' => $name,
            'url' => Url::index($this->parameters + Url::symbolParameter($name)),
            'figure' => $this->metric->text($value),
            'share' => $total > 0 && $value >= 0 && $value <= $total ? Units::percent($value, $total) : '',
            'own' => $this->metric->text($this->own[$node]),
            'calls' => $this->tree->ct[$node],
            'open' => $this->width[$node] >= self::OPEN_FROM * $this->width[0],
            'children' => array_map(fn (int $child): array => $this->line($child, $shown), array_keys($children)),
            'more' => $more,
        ];
    }

    /** @return iterable<int> */
    private function children(int $node): iterable
    {
        for ($child = $node + 1; $child < $this->end[$node]; $child = $this->end[$child]) {
            yield $child;
        }
    }

    /**
     * @param list<int> $depth
     * @return array<int, int>
     */
    private static function ends(array $depth): array
    {
        $end = array_fill(0, count($depth), count($depth));
        $open = [];
        foreach ($depth as $node => $level) {
            for ($closed = count($open) - 1; $closed >= $level; $closed--) {
                $end[$open[$closed]] = $node;
                unset($open[$closed]);
            }
            $open[$level] = $node;
        }

        return $end;
    }
}
