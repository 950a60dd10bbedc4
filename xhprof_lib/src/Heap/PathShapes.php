<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * The shape of each node's shortest retaining path: all elements of a list and all repeated steps are one. Found while an index
 * is built.
 *
 * @internal
 */
final class PathShapes
{
    /** Steps of a path that are kept apart. */
    private const MAX_DEPTH = 40;

    /** More are those of what holds them. */
    private const MAX_SHAPES = 1 << 19;

    /** @var list<int> by shape, from 1 on: the one without its last step, 0: it has one step */
    private array $before = [0];

    /** @var list<int> by shape: number of its last step's text */
    private array $step = [0];

    /** @var list<int> by shape: number of its steps */
    private array $depth = [0];

    /** @var array<int, int> shape by the one before it, above 32 bits, and its step */
    private array $known = [];

    /** @var array<string, int> number of a step's text by all that it depends on */
    private array $steps = [];

    private readonly NamePool $texts;

    /** @var array{int, int} steps to tables of variables, each of whose elements is a step of its own */
    private readonly array $variables;

    /**
     * @param array<int, int>    $group by node
     * @param array<int, string> $types by group
     */
    public function __construct(private readonly HeapIndexFile $index, private readonly array $group, private readonly array $types)
    {
        $this->texts = new NamePool();
        $this->variables = [$this->texts->number('{static}'), $this->texts->number('{use}')];
    }

    /**
     * Writes the columns "shape", by node; "shape before", "shape step", by shape; and the texts "steps".
     *
     * @param iterable<int> $order all nodes, the most important first: there may be too many shapes
     */
    public function write(iterable $order): void
    {
        $up = $this->index->column('up');
        $edges = $this->index->column('up edge');
        $labels = $this->index->column('label');
        $kinds = $this->index->column('kind');
        $shapes = $this->group === [] ? [] : array_fill(0, count($this->group), 0);
        foreach ($order as $node) {
            $path = [];
            $at = $node;
            while ($at !== HeapGraph::NONE && $shapes[$at] === 0) {
                $path[] = $at;
                $at = unpack('V', $up, $at * 4)[1] ?? HeapGraph::NONE;
            }
            for ($i = count($path) - 1; $i >= 0; $i--) {
                $to = $path[$i];
                if ($at === HeapGraph::NONE) {
                    $shapes[$to] = $this->shape(0, $this->start($to));
                } else {
                    $edge = unpack('V', $edges, $to * 4)[1] ?? 0;
                    $label = unpack('V', $labels, $edge * 4)[1] ?? 0;
                    $shapes[$to] = $this->next($shapes[$at], $at, $kinds[$edge], $label, $to);
                }
                $at = $to;
            }
        }
        $this->index->putIntegers('shape', $shapes);
        $this->index->putIntegers('shape before', $this->before);
        $this->index->putIntegers('shape step', $this->step);
        $this->index->put('steps', $this->texts->texts());
        $this->index->put('steps ends', $this->texts->ends());
    }

    private function start(int $node): int
    {
        $name = $this->index->integer('name', $node);
        $type = $this->types[$this->group[$node]];

        return $this->steps["$type $name"] ??= $this->texts->number(PathText::start($type, $this->index->text($name)));
    }

    private function next(int $before, int $from, string $kind, int $label, int $to): int
    {
        $step = $this->step($before, $from, $kind, $label, $to);
        $last = $this->step[$before];
        // A list of ->next->next->next; 0: no text.
        if ($step === 0 || $step === $last) {
            return $before;
        }
        // A tree of ->children[*]->children[*].
        $previous = $this->before[$before];
        if ($previous > 0 && $this->depth[$before] > 3 && $this->step[$previous] === $step) {
            $second = $this->before[$previous];
            if ($second > 0 && $this->step[$second] === $last) {
                return $previous;
            }
        }

        return $this->depth[$before] < self::MAX_DEPTH ? $this->shape($before, $step) : $before;
    }

    private function step(int $before, int $from, string $kind, int $label, int $to): int
    {
        $fromType = $this->types[$this->group[$from]];
        $toType = $this->types[$this->group[$to]];
        $isIndex = $kind === HeapGraph::INDEX;
        $isElement = $fromType === 'array' || $fromType === 'array table' || $isIndex && $fromType === 'object';
        $isBare = $isElement && !in_array($this->step[$before], $this->variables, true);
        // Keys of elements are not needed. Names are only needed of roots' parts and of frames.
        $key = $isBare ? "$kind $fromType>$toType" : "$kind$label $fromType>$toType";
        $isNamed = !$isBare && ($fromType === 'root' || $toType === 'frame');
        if ($isNamed) {
            $key .= " $from " . $this->index->integer('name', $to);
        }

        return $this->steps[$key] ??= $this->texts->number(PathText::step(
            $fromType,
            $isNamed ? $this->index->text($this->index->integer('name', $from)) : '',
            HeapGraph::nameOf($kind),
            $isIndex ? (string) $label : ($isBare ? '' : $this->index->text($label)),
            $toType,
            $isNamed ? $this->index->text($this->index->integer('name', $to)) : '',
            $isBare,
        ));
    }

    private function shape(int $before, int $step): int
    {
        $key = $before << 32 | $step;
        if (!isset($this->known[$key])) {
            if (count($this->before) > self::MAX_SHAPES) {
                return $before;
            }
            $this->known[$key] = count($this->before);
            $this->before[] = $before;
            $this->step[] = $step;
            $this->depth[] = $this->depth[$before] + 1;
        }

        return $this->known[$key];
    }
}
