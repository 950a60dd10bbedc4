<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Exception\DamagedSnapshot;
use XHProf\Exception\StoreError;
use XHProf\File\OpenFile;

/**
 * Builds the index of a snapshot: reads the file once, then computes dominators, retained sizes and shortest paths.
 *
 * @internal
 */
final class IndexBuilder
{
    /** Roots to search from first, by name; the others follow, and LAST when everything else is found. */
    private const FIRST = ['global_variables', 'call_frames'];
    private const LAST = ['engine', 'included_files', 'interned_strings', 'resources', 'native_memory'];

    /** A container with a smaller retained size is no suspect. */
    private const SUSPECT_BYTES = 16384;
    private const SUSPECT_SHARE = 0.002;
    private const SUSPECT_PARTS = 20;
    private const SUSPECT_CHAIN = 100;
    /** Largest share of a suspect's retained size that a single part may have, unless it is an element of a list. */
    private const SUSPECT_PART = 0.5;
    private const MAX_SUSPECTS = 1000;

    /** Groups with so many nodes have their holders in the index, the largest of them. */
    private const LARGE_GROUP = 2000;
    private const LARGE_GROUPS = 200;

    private SnapshotNodes $nodes;

    /** @var array<int, int> by node */
    private array $retained = [];

    /** @var array<int, int> by node: its dominator; the number of nodes for none; one more for garbage without one */
    private array $dominator = [];

    /** @var array<int, int> nodes that nothing keeps, one of each cycle */
    private array $heads = [];

    private int $done = 0;

    /** @param (\Closure(string, int, int): void)|null $progress */
    public function __construct(
        private readonly OpenFile $file,
        private readonly ?\Closure $progress,
        private readonly ?int $mostNodes,
    ) {
    }

    /**
     * @throws DamagedSnapshot
     * @throws StoreError
     */
    public function build(): HeapIndexFile
    {
        $key = HeapIndexFile::key($this->file);
        $reader = new SnapshotReader($this->file);
        $this->nodes = new SnapshotNodes($reader, $this->progress, $this->file->size, $this->mostNodes);
        $this->nodes->read();
        $index = HeapIndexFile::create();
        try {
            $this->write($index, $reader->isCut);
            $index->finish($key);
        } catch (\Throwable $error) {
            $index->abandon();
            throw $error;
        }

        return $index;
    }

    private function write(HeapIndexFile $index, bool $isCut): void
    {
        $nodes = $this->nodes;
        $count = count($nodes->group);
        foreach (['address', 'offset', 'name', 'size', 'path', 'label'] as $column) {
            $index->put($column, $nodes->columns[$column]);
        }
        $nodes->columns = [];
        $index->putIntegers('path parent', $nodes->pathParent);
        $index->putIntegers('path name', $nodes->pathName);
        $graph = $nodes->graph();
        ksort($nodes->ids);
        $index->putIntegers('by key', array_values($nodes->ids));
        $nodes->ids = [];
        $index->put('names', $nodes->names->texts());
        $index->put('names ends', $nodes->names->ends());
        $nodes->names = new NamePool();
        $this->reportProgress();
        $index->put('to', [$graph->to]);
        $index->put('kind', [$graph->kinds]);
        $index->putIntegers('first', $graph->first);
        $nodes->first = [];
        $index->putIntegers('group', $nodes->group);
        $nodes->group = [];
        $index->putIntegers('block', $nodes->block, 'P');
        $copies = $nodes->copies->write($index, $nodes->block);

        $this->writeReachability($index, $graph);
        $this->reportProgress();
        $this->writeDominators($index, $graph);
        $index->putIntegers('from', $graph->from(), 'P');
        $index->putIntegers('into', $graph->into());
        unset($graph);
        $this->reportProgress();
        $index->putIntegers('retained', $this->retained, 'P');
        $index->putIntegers('dominator', $this->dominator);
        $nodes->group = $index->integers('group', 0, $count);
        $order = $this->order($index);
        [$first, $children] = $this->children($order);
        $index->putIntegers('child first', $first);
        $index->putIntegers('child', $children);
        $this->reportProgress();
        [$retainedOf, $chains] = $this->groups($first, $children);
        $suspects = $this->suspects($index, $first, $children, $chains);
        unset($first, $children);
        $this->reportProgress();
        (new PathShapes($index, $nodes->group, array_column($nodes->groups, 'type')))->write($order);
        unset($order);
        $nodes->group = [];
        $this->reportProgress();
        $index->note([
            'nodes' => $count,
            'references' => $nodes->references,
            'header' => $nodes->header,
            'summary' => $nodes->summary,
            'cut' => $isCut,
            'lost' => $nodes->lost,
            'paths' => $nodes->hasPaths,
            'roots' => $nodes->roots,
            'groups' => array_map(static fn (array $group, int ...$values): array => [
                $group['type'], $group['name'], ...$values,
            ], $nodes->groups, $nodes->counts, $nodes->bytesOf, $nodes->sizes, $retainedOf['groups']),
            'types' => $retainedOf['types'],
            'suspects' => $suspects,
        ] + $copies);
        $index->note(['holders' => $this->holders($index)]);
    }

    /**
     * Writes the nodes of each group and of each type, the largest retained size first.
     *
     * @return list<int> all nodes, the largest retained size first
     */
    private function order(HeapIndexFile $index): array
    {
        $order = $this->retained;
        arsort($order);
        $order = array_keys($order);
        $types = array_column($this->nodes->groups, 'type');
        foreach (['group' => array_keys($types), 'type' => $types] as $by => $keys) {
            $next = array_fill_keys($keys, 0);
            foreach ($keys as $group => $key) {
                $next[$key] += $this->nodes->counts[$group];
            }
            $end = 0;
            foreach ($next as $key => $count) {
                $next[$key] = $end;
                $end += $count;
            }
            $ranked = $end === 0 ? [] : array_fill(0, $end, 0);
            foreach ($order as $node) {
                $ranked[$next[$keys[$this->nodes->group[$node]]]++] = $node;
            }
            $index->putIntegers("by $by", $ranked);
        }

        return $order;
    }

    /** @return array<int, list<array{int, int, int, int, int}>> largest sums of Retainers, by group: only of groups with many nodes */
    private function holders(HeapIndexFile $index): array
    {
        $groups = new HeapGroups($index);
        $retainers = new Retainers($index, new NodeTable($index, $groups), $groups);
        $large = array_filter(
            [...$groups->all, ...$groups->types()],
            static fn (HeapGroup $group): bool => $group->count >= self::LARGE_GROUP,
        );
        usort($large, static fn (HeapGroup $a, HeapGroup $b): int => $b->count <=> $a->count);
        $holders = [];
        foreach (array_slice($large, 0, self::LARGE_GROUPS) as $group) {
            $holders[$group->id] = $retainers->of($group, Retainers::KEPT);
        }

        return $holders;
    }

    private function writeReachability(HeapIndexFile $index, HeapGraph $graph): void
    {
        $reachability = new Reachability($graph);
        $name = [];
        foreach ($this->nodes->roots as $root) {
            $name[$root] = $index->text($index->integer('name', $root));
        }
        $reachability->searchFrom(array_keys(array_intersect($name, self::FIRST)));
        $reachability->searchFrom(array_keys(array_diff($name, self::FIRST, self::LAST)));
        $reachability->searchFrom(array_keys($name));
        $this->reportProgress();
        $this->heads = $reachability->heads();
        $reachability->searchFrom($this->heads);
        $index->putIntegers('up', $reachability->up);
        $index->putIntegers('up edge', $reachability->edge);
    }

    private function writeDominators(HeapIndexFile $index, HeapGraph $graph): void
    {
        $count = $graph->nodes;
        $this->retained = $this->nodes->block;
        $this->nodes->block = [];
        $this->dominator = $count === 0 ? [] : array_fill(0, $count, $count);
        $dominators = new Dominators($graph);
        $live = 0;
        foreach ([$this->nodes->roots, $this->heads] as $part => $seeds) {
            [$vertex, $dominator] = $dominators->of($seeds);
            for ($at = count($vertex) - 1; $at > 0; $at--) {
                $up = $dominator[$at];
                if ($up === 0) {
                    $this->dominator[$vertex[$at]] = $count + $part;
                } else {
                    $this->dominator[$vertex[$at]] = $vertex[$up];
                    $this->retained[$vertex[$up]] += $this->retained[$vertex[$at]];
                }
            }
            if ($part === 0) {
                $live = count($vertex);
                $this->reportProgress();
            }
        }
        $flags = '';
        foreach ($dominators->numbers() as $number) {
            $flags .= $number > 0 && $number < $live ? "\1" : "\0";
        }
        $index->put('live', [$flags]);
    }

    /**
     * @param list<int> $order nodes, the largest retained size first
     * @return array{array<int, int>, array<int, int>} index of each node's first child in the list, also for the root of the
     *     tree and of the garbage; children, in the same order
     */
    private function children(array $order): array
    {
        $count = count($this->dominator);
        $first = array_fill(0, $count + 4, 0);
        foreach ($this->dominator as $up) {
            $first[$up + 2]++;
        }
        for ($at = 2; $at < $count + 4; $at++) {
            $first[$at] += $first[$at - 1];
        }
        $children = $count === 0 ? [] : array_fill(0, $count, 0);
        foreach ($order as $node) {
            $children[$first[$this->dominator[$node] + 1]++] = $node;
        }
        array_pop($first);

        return [$first, $children];
    }

    /**
     * Retained sizes of groups and types: a node within another of its group adds nothing, because the other includes it. Also
     * the nodes that keep a long chain of others of their group, with its length.
     *
     * @param array<int, int> $first
     * @param array<int, int> $children
     * @return array{array{groups: array<int, int>, types: array<string, int>}, array<int, int>}
     */
    private function groups(array $first, array $children): array
    {
        $count = count($this->dominator);
        $group = $this->nodes->group;
        $types = [];
        $typeOf = [];
        foreach ($this->nodes->groups as $number => ['type' => $type]) {
            $typeOf[$number] = $types[$type] ??= count($types);
        }
        /** @var array<int, int> $within */
        $within = $retained = $outer = array_fill(0, count($typeOf), 0);
        $withinType = $retainedType = array_fill(0, count($types), 0);
        /** @var array<int, int> $chains */
        $chains = [];
        foreach ([$count, $count + 1] as $top) {
            $stack = [$top];
            $cursor = [$first[$top]];
            for ($depth = 0; $depth >= 0;) {
                $node = $stack[$depth];
                if ($cursor[$depth] === $first[$node + 1]) {
                    $depth--;
                    if ($node < $count) {
                        $own = $group[$node];
                        $within[$own]--;
                        $withinType[$typeOf[$own]]--;
                    }
                    continue;
                }
                $node = $children[$cursor[$depth]++];
                $own = $group[$node];
                if ($within[$own]++ === 0) {
                    $retained[$own] += $this->retained[$node];
                    $outer[$own] = $node;
                } elseif ($within[$own] >= self::SUSPECT_CHAIN) {
                    $chains[$outer[$own]] = max($chains[$outer[$own]] ?? 0, $within[$own]);
                }
                if ($withinType[$typeOf[$own]]++ === 0) {
                    $retainedType[$typeOf[$own]] += $this->retained[$node];
                }
                $stack[++$depth] = $node;
                $cursor[$depth] = $first[$node];
            }
        }

        return [['groups' => $retained, 'types' => array_combine(array_keys($types), $retainedType)], $chains];
    }

    /**
     * @param array<int, int> $first
     * @param array<int, int> $children
     * @param array<int, int> $chains
     * @return array<string, list<array{int, int, int, string}>> by kind: node, bytes, number and name of its parts
     */
    private function suspects(HeapIndexFile $index, array $first, array $children, array $chains): array
    {
        $count = count($this->dominator);
        $group = $this->nodes->group;
        $isContainer = array_map(static fn (array $group): bool
            => $group['type'] === 'array' || in_array($group['type'], HeapIndex::OBJECTS, true), $this->nodes->groups);
        $usage = array_sum($this->nodes->bytesOf);
        $least = max(self::SUSPECT_BYTES, (int) ($usage * self::SUSPECT_SHARE));
        $suspects = ['accumulates' => [], 'chain' => [], 'garbage' => [], 'unreachable' => []];
        $garbage = array_flip($this->heads);
        for ($node = 0; $node < $count; $node++) {
            $parts = $first[$node + 1] - $first[$node];
            if ($parts < self::SUSPECT_PARTS || !$isContainer[$group[$node]] || $this->retained[$node] < $least) {
                continue;
            }
            $largest = $this->largestPart($first, $children, $node);
            if (
                $this->retained[$largest] > $this->retained[$node] * self::SUSPECT_PART
                && !self::isElementOfList($index, $node, $largest)
            ) {
                continue;
            }
            [$parts, $type] = $this->parts(array_slice($children, $first[$node], $parts));
            if ($parts >= self::SUSPECT_PARTS) {
                $suspects['accumulates'][] = [$node, $this->retained[$node], $parts, $type];
            }
        }
        foreach ($chains as $node => $length) {
            if ($isContainer[$group[$node]] && $this->retained[$node] >= $least) {
                $suspects['chain'][] = [$node, $this->retained[$node], $length, $this->title($group[$node])];
            }
        }
        foreach (['garbage' => false, 'unreachable' => true] as $kind => $isUnreachable) {
            $sums = [];
            foreach ($garbage as $node => $unused) {
                $number = $group[$node];
                if (($this->nodes->groups[$number]['type'] === 'unreachable') !== $isUnreachable) {
                    continue;
                }
                $sums[$number] ??= [$node, 0, 0, $this->title($number)];
                $sums[$number][1] += $this->retained[$node];
                $sums[$number][2]++;
                if ($this->retained[$node] > $this->retained[$sums[$number][0]]) {
                    $sums[$number][0] = $node;
                }
            }
            $suspects[$kind] = array_values(array_filter($sums, static fn (array $sum): bool => $sum[1] > 0));
        }
        foreach ($suspects as $kind => $rows) {
            usort($rows, static fn (array $a, array $b): int => $b[1] <=> $a[1] ?: $a[0] <=> $b[0]);
            $suspects[$kind] = array_slice($rows, 0, self::MAX_SUSPECTS);
        }

        return $suspects;
    }

    /**
     * @param array<int, int> $first
     * @param array<int, int> $children
     * @return int the largest child of a node with at least two; not the table of an array, which holds no others
     */
    private function largestPart(array $first, array $children, int $node): int
    {
        $largest = $children[$first[$node]];
        $isTable = $this->nodes->groups[$this->nodes->group[$largest]]['type'] === 'array table';

        return $isTable ? $children[$first[$node] + 1] : $largest;
    }

    private static function isElementOfList(HeapIndexFile $index, int $list, int $node): bool
    {
        return $index->integer('up', $node) === $list
            && $index->byte('kind', $index->integer('up edge', $node)) === HeapGraph::INDEX;
    }

    /**
     * Class with most of the retained size of a container's parts, or their type if no class has a third of it.
     *
     * @param array<int, int> $nodes
     * @return array{int, string} number of parts; their class or type
     */
    private function parts(array $nodes): array
    {
        $bytes = $counts = $typeBytes = $typeCounts = [];
        foreach ($nodes as $node) {
            $group = $this->nodes->group[$node];
            $type = $this->nodes->groups[$group]['type'];
            if ($type !== 'array table') {
                $bytes[$group] = ($bytes[$group] ?? 0) + $this->retained[$node];
                $counts[$group] = ($counts[$group] ?? 0) + 1;
                $typeBytes[$type] = ($typeBytes[$type] ?? 0) + $this->retained[$node];
                $typeCounts[$type] = ($typeCounts[$type] ?? 0) + 1;
            }
        }
        arsort($bytes);
        arsort($typeBytes);
        $group = (int) array_key_first($bytes);
        $type = (string) array_key_first($typeBytes);

        return 3 * ($bytes[$group] ?? 0) > array_sum($bytes)
            ? [$counts[$group] ?? 0, $this->title($group)]
            : [$typeCounts[$type] ?? 0, $type];
    }

    private function title(int $group): string
    {
        ['type' => $type, 'name' => $name] = $this->nodes->groups[$group];

        return $name === '' ? $type : $name;
    }

    private function reportProgress(): void
    {
        if ($this->progress !== null) {
            ($this->progress)('Finding out what keeps what', ++$this->done, 8);
        }
    }
}
