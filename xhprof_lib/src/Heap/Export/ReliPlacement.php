<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Heap\HeapGraph;
use XHProf\Heap\SnapshotColumns;

/**
 * Place of each node in reli's tree: at one reference, whatever others refer to it. Searched breadth first, so that the tree is
 * as flat as possible: first the variables of calls, then global variables, then the rest. Holding references come before other
 * ones, functions and classes are below their tables, and the list of all objects is the last resort.
 */
final class ReliPlacement
{
    /** No reference leads to it, except as a location; or it is a root. */
    public const NONE = -1;
    public const ROOT = -2;
    /** Too deep: written below "continued". */
    public const CONTINUED = -3;

    private const DECLARED = ['function', 'class', 'constant'];

    private const WITH_DECLARED = 1;
    private const WITH_WEAK = 2;

    /** @var array<int, int> number of the reference by node */
    public array $at;

    /** @var array<int, int> nodes in the order in which they were found */
    private array $queue = [];

    /** Index of the next node in the queue. */
    private int $next = 0;

    /** @var array<int, int> references that have to wait, in the order of the queue */
    private array $declared = [];

    /** @var array<int, int> */
    private array $weak = [];

    /**
     * @param array<string, int> $roots
     * @param \Closure(string, int, int): void $progress
     */
    public function __construct(
        private readonly SnapshotColumns $all,
        private readonly ReliNames $names,
        array $roots,
        private readonly \Closure $progress,
    ) {
        $this->at = $all->nodes === 0 ? [] : array_fill(0, $all->nodes, self::NONE);
        foreach ($roots as $root) {
            $this->at[$root] = self::ROOT;
        }
        $store = $roots['objects_store'] ?? null;
        unset($roots['objects_store']);
        foreach (['call_frames', 'global_variables'] as $name) {
            if (isset($roots[$name])) {
                $this->queue[] = $roots[$name];
                unset($roots[$name]);
            }
            $this->search(0);
        }
        array_push($this->queue, ...array_values($roots));
        $this->enqueue($this->declared);
        $this->search(self::WITH_DECLARED);
        $this->enqueue($this->weak);
        $this->search(self::WITH_DECLARED | self::WITH_WEAK);
        if ($store !== null) {
            $this->queue[] = $store;
            $this->search(self::WITH_DECLARED | self::WITH_WEAK);
        }
        $this->queue = [];
    }

    /** @param int $what that does not have to wait */
    private function search(int $what): void
    {
        for (; $this->next < count($this->queue); $this->next++) {
            if ($this->next % 4096 === 0) {
                ($this->progress)('Finding places', $this->next, $this->all->nodes);
            }
            $node = $this->queue[$this->next];
            [$first, $count] = $this->all->range($node);
            for ($at = $first, $end = $first + $count; $at < $end; $at += HeapGraph::CHUNK) {
                $this->searchChunk($node, $first, $at, min(HeapGraph::CHUNK, $end - $at), $what);
            }
        }
    }

    private function searchChunk(int $node, int $first, int $at, int $count, int $what): void
    {
        $all = $this->all;
        $type = $all->type($node);
        $isPlain = ReliNames::isPlain($type) || in_array($type, ReliNames::OBJECTS, true);
        foreach ($all->targets($at, $count) as $i => $to) {
            $reference = $at + $i - 1;
            $kind = $all->kinds[$reference];
            if ($kind >= HeapGraph::SCALAR || $this->at[$to] !== self::NONE) {
                continue;
            }
            $before = $reference > $first ? $all->kinds[$reference - 1] : null;
            if (!$isPlain && $this->names->group($type, true, false, $reference, $before) === ReliNames::LOCATION) {
                continue;
            }
            if (SnapshotColumns::isWeak($kind)) {
                if (($what & self::WITH_WEAK) === 0) {
                    $this->weak[] = $reference;
                    continue;
                }
            } elseif (($what & self::WITH_DECLARED) === 0 && in_array($all->type($to), self::DECLARED, true)) {
                $this->declared[] = $reference;
                continue;
            }
            $this->at[$to] = $reference;
            $this->queue[] = $to;
        }
    }

    /** @param array<int, int> $references that have waited, and wait no more */
    private function enqueue(array &$references): void
    {
        foreach ($references as $reference) {
            $to = $this->all->target($reference);
            if ($this->at[$to] === self::NONE) {
                $this->at[$to] = $reference;
                $this->queue[] = $to;
            }
        }
        $references = [];
    }
}
