<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Retaining paths of many nodes, by the shapes of their shortest ones.
 *
 * A sum is of a shape: its number, retained size, number of nodes, their bytes, the node that retains most.
 *
 * @internal
 *
 * @phpstan-type Sum array{int, int, int, int, int}
 */
final class Retainers
{
    /** Paths kept in the index of a large group, the largest ones. */
    public const KEPT = 60;

    /** @var array<int, int|null> by node that is not wanted: the nearest wanted one that dominates it */
    private array $nearest = [];

    public function __construct(
        private readonly HeapIndexFile $index,
        private readonly NodeTable $nodes,
        private readonly HeapGroups $groups,
    ) {
    }

    /** @return list<Sum> the largest retained size first */
    public function of(HeapGroup $group, int $limit): array
    {
        $kept = $this->index->rows('holders', (string) $group->id);
        if ($kept !== [] && ($limit <= self::KEPT || count($kept) < self::KEPT)) {
            /** @var list<Sum> $kept */
            return array_slice($kept, 0, $limit);
        }

        return $this->ofNodes($this->nodes->ranked($group), $limit, $this->groups->within($group));
    }

    /**
     * @param list<int> $nodes
     * @param array<int, HeapGroup> $wanted groups by number: a node within another of them is not counted twice
     * @return list<Sum> the largest retained size first
     */
    public function ofNodes(array $nodes, int $limit, array $wanted = []): array
    {
        $this->nearest = [];
        $shapes = $this->index->column('shape');
        $blocks = $this->index->column('block');
        $retained = $this->index->column('retained');
        $group = $wanted === [] ? '' : $this->index->column('group');
        $dominator = $wanted === [] ? '' : $this->index->column('dominator');
        $sums = [];
        foreach ($nodes as $node) {
            $shape = self::integer($shapes, $node);
            $kept = unpack('P', $retained, $node * 8)[1] ?? 0;
            $within = $wanted === [] ? null : $this->dominatingMember($node, $wanted, $group, $dominator);
            if ($within !== null && self::integer($shapes, $within) === $shape) {
                $kept = 0;
            }
            $sums[$shape] ??= [$shape, 0, 0, 0, $node, -1];
            $sums[$shape][1] += $kept;
            $sums[$shape][2]++;
            $sums[$shape][3] += unpack('P', $blocks, $node * 8)[1] ?? 0;
            if ($kept > $sums[$shape][5]) {
                $sums[$shape][4] = $node;
                $sums[$shape][5] = $kept;
            }
        }
        usort($sums, static fn (array $a, array $b): int => [$b[1], $b[2]] <=> [$a[1], $a[2]]);

        return array_map(
            static fn (array $sum): array => [$sum[0], $sum[1], $sum[2], $sum[3], $sum[4]],
            array_slice($sums, 0, $limit),
        );
    }

    /** A shape as PHP code. */
    public function text(int $shape): string
    {
        $text = '';
        for ($at = $shape; $at > 0; $at = $before < $at ? $before : 0) {
            $text = $this->index->text($this->index->integer('shape step', $at), 'steps') . $text;
            $before = $this->index->integer('shape before', $at);
        }

        return PathText::join($text);
    }

    /**
     * The nearest of the wanted nodes that dominates one.
     *
     * @param array<int, HeapGroup> $wanted groups by number
     * @param string $group     columns
     * @param string $dominator
     */
    private function dominatingMember(int $node, array $wanted, string $group, string $dominator): ?int
    {
        $visited = [];
        $found = null;
        for ($at = self::integer($dominator, $node); $at < $this->nodes->count; $at = self::integer($dominator, $at)) {
            if (isset($wanted[self::integer($group, $at)])) {
                $found = $at;
                break;
            }
            if (array_key_exists($at, $this->nearest)) {
                $found = $this->nearest[$at];
                break;
            }
            // The index may be damaged.
            if (count($visited) > $this->nodes->count) {
                break;
            }
            $visited[] = $at;
        }
        foreach ($visited as $at) {
            $this->nearest[$at] = $found;
        }

        return $found;
    }

    private static function integer(string $packed, int $at): int
    {
        return unpack('V', $packed, $at * 4)[1] ?? 0;
    }
}
