<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Retaining paths of many nodes: their shortest ones, with all elements of a list and all repeated steps as one.
 *
 * @internal
 *
 * @phpstan-import-type Retainer from HeapIndex
 */
final class Retainers
{
    /** Steps of a path that are kept apart. */
    private const MAX_DEPTH = 40;

    private const MAX_SHAPES = 200000;

    private readonly string $up;
    private readonly string $edge;
    private readonly string $label;
    private readonly string $kind;
    private readonly string $names;
    private readonly string $group;
    private readonly string $dominator;
    private readonly int $count;

    /** @var array<int, int|null> by node that is not wanted: the nearest wanted one that dominates it */
    private array $nearest = [];

    /** @var array<int, int> shape of the path by node */
    private array $shape = [];

    /** @var array<string, int> number of a shape by the one before it and its last step */
    private array $known = [];

    /** @var list<array{int, string, int}> the previous one, its last step, number of steps */
    private array $shapes = [];

    public function __construct(
        private readonly IndexFile $index,
        private readonly NodeTable $nodes,
        private readonly HeapGroups $groups,
    ) {
        $this->up = $index->column('up');
        $this->edge = $index->column('up edge');
        $this->label = $index->column('label');
        $this->kind = $index->column('kind');
        $this->names = $index->column('name');
        $this->group = $index->column('group');
        $this->dominator = $index->column('dominator');
        $this->count = $nodes->count;
    }

    /** @return list<Retainer> */
    public function of(HeapGroup $group, int $limit): array
    {
        $wanted = $this->groups->within($group);
        $nodes = (function () use ($wanted): \Generator {
            foreach ($this->nodes->grouped() as $node => $of) {
                if (isset($wanted[$of])) {
                    yield $node;
                }
            }
        })();

        return $this->summed($nodes, $wanted, $limit);
    }

    /**
     * @param list<int> $nodes none of which dominates another, as strings do not
     * @return list<Retainer>
     */
    public function ofNodes(array $nodes, int $limit): array
    {
        return $this->summed($nodes, [], $limit);
    }

    /**
     * @param iterable<int> $nodes
     * @param array<int, HeapGroup> $wanted groups by number: a node within another of them is not counted twice
     * @return list<Retainer>
     */
    private function summed(iterable $nodes, array $wanted, int $limit): array
    {
        $blocks = $this->index->column('block');
        $retained = $this->index->column('retained');
        $sums = [];
        foreach ($nodes as $node) {
            $shape = $this->shapeOf($node);
            $kept = unpack('P', $retained, $node * 8)[1] ?? 0;
            $within = $wanted === [] ? null : $this->dominatingMember($node, $wanted);
            if ($within !== null && $this->shapeOf($within) === $shape) {
                $kept = 0;
            }
            $sums[$shape] ??= [0, 0, 0, $node, -1];
            $sums[$shape][0] += $kept;
            $sums[$shape][1]++;
            $sums[$shape][2] += unpack('P', $blocks, $node * 8)[1] ?? 0;
            if ($kept > $sums[$shape][4]) {
                $sums[$shape][3] = $node;
                $sums[$shape][4] = $kept;
            }
        }
        uasort($sums, static fn (array $a, array $b): int => [$b[0], $b[1]] <=> [$a[0], $a[1]]);
        $retainers = [];
        foreach (array_slice($sums, 0, $limit, true) as $shape => [$kept, $count, $bytes, $example]) {
            $retainers[] = [
                'text' => $this->text($shape),
                'count' => $count,
                'bytes' => $bytes,
                'retained' => $kept,
                'example' => $this->nodes->at($example),
            ];
        }

        return $retainers;
    }

    private function shapeOf(int $node): int
    {
        $visited = [];
        $at = $node;
        // At most as many steps as nodes: the index may be damaged.
        while ($at !== HeapGraph::NONE && !isset($this->shape[$at]) && count($visited) <= $this->count) {
            $visited[] = $at;
            $at = $this->integer($this->up, $at);
        }
        $shape = $this->shape[$at] ?? -1;
        for ($i = count($visited) - 1; $i >= 0; $i--) {
            $shape = $this->shape[$visited[$i]] = $this->next($shape, $at, $visited[$i]);
            $at = $visited[$i];
        }

        return $shape;
    }

    private function next(int $before, int $from, int $to): int
    {
        $type = $this->groups->all[$this->integer($this->group, $to)]->type ?? '';
        if ($before < 0) {
            $step = PathText::start($type, $this->index->text($this->integer($this->names, $to)));
        } else {
            $fromType = $this->groups->all[$this->integer($this->group, $from)]->type ?? '';
            $edge = $this->integer($this->edge, $to);
            $label = $this->integer($this->label, $edge);
            $kind = $this->kind[$edge] ?? HeapGraph::NAMED;
            $isArray = in_array($fromType, ['array', 'array table'], true);
            $isStatic = in_array($this->shapes[$before][1], ['{static}', '{use}'], true);
            $isBare = ($isArray || $kind === HeapGraph::INDEX && $fromType === 'object') && !$isStatic;
            // Names of elements are not needed, so not read.
            $step = PathText::step(
                $fromType,
                $isBare ? '' : $this->index->text($this->integer($this->names, $from)),
                HeapGraph::nameOf($kind),
                $kind === HeapGraph::INDEX ? (string) $label : ($isBare ? '' : $this->index->text($label)),
                $type,
                $isBare ? '' : $this->index->text($this->integer($this->names, $to)),
                $isBare,
            );
            [$previous, $last, $depth] = $this->shapes[$before];
            if ($step === '' || $depth >= self::MAX_DEPTH || count($this->shapes) >= self::MAX_SHAPES) {
                return $before;
            }
            // A list of ->next->next->next, and a tree of ->children[*]->children[*].
            if ($last === $step) {
                return $before;
            }
            if ($previous >= 0 && $depth > 3) {
                [$second, $step2] = $this->shapes[$previous];
                if ($step2 === $step && $second >= 0 && $this->shapes[$second][1] === $last) {
                    return $previous;
                }
            }
        }
        $key = "$before\0$step";
        if (!isset($this->known[$key])) {
            $this->known[$key] = count($this->shapes);
            $this->shapes[] = [$before, $step, $before < 0 ? 1 : $this->shapes[$before][2] + 1];
        }

        return $this->known[$key];
    }

    private function text(int $shape): string
    {
        $text = '';
        for (; $shape >= 0; $shape = $this->shapes[$shape][0]) {
            $text = $this->shapes[$shape][1] . $text;
        }

        return PathText::join($text);
    }

    /**
     * The nearest of the wanted nodes that dominates one.
     *
     * @param array<int, HeapGroup> $wanted groups by number
     */
    private function dominatingMember(int $node, array $wanted): ?int
    {
        $visited = [];
        $found = null;
        for ($at = $this->integer($this->dominator, $node); $at < $this->count; $at = $this->integer($this->dominator, $at)) {
            if (isset($wanted[$this->integer($this->group, $at)])) {
                $found = $at;
                break;
            }
            if (array_key_exists($at, $this->nearest)) {
                $found = $this->nearest[$at];
                break;
            }
            if (count($visited) > $this->count) {
                break;
            }
            $visited[] = $at;
        }
        foreach ($visited as $at) {
            $this->nearest[$at] = $found;
        }

        return $found;
    }

    private function integer(string $packed, int $at): int
    {
        return unpack('V', $packed, $at * 4)[1] ?? 0;
    }
}
