<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * A heap snapshot that can be asked: who refers to what, what keeps it alive, how much would be free without it. Made once from
 * the snapshot's file, then kept in this user's cache, so that a page reads a few kilobytes of it only. Names in answers are
 * any bytes: Text::printable() or VisibleName before they are shown.
 *
 * @phpstan-type Details array{refcount?: int, length?: int, value?: string, file?: string, line?: int, shared?: true}
 * @phpstan-type Tier array{bytes: int, blocks: int}
 * @phpstan-type Summary array{nodes: int, edges: int, usage: int, typed: Tier, native: Tier, unreachable: Tier,
 *     shared_bytes: int, outside_bytes: int, typed_percent: float, unreadable: int, incomplete: bool}
 * @phpstan-type Holder array{text: string, count: int, bytes: int, retained: int, example: HeapNode}
 * @phpstan-type Allocation array{path: list<string>, count: int, bytes: int}
 * @phpstan-type Suspect array{kind: string, node: HeapNode, bytes: int, count: int, of: string,
 *     path: string}
 */
final class HeapIndex
{
    /** Types whose name is a class: each of their classes is a group. */
    public const OBJECTS = ['object', 'closure', 'generator', 'fiber', 'enum case'];

    /** Nodes of a way that are told at its beginning and at its end. */
    private const STEPS = 40;

    /** Nodes that dominators() tells. */
    private const MOST_DOMINATORS = 1000;

    /**
     * Kinds of references in the index => their names.
     *
     * @internal
     */
    public const KINDS = [
        HeapReference::NAMED, HeapReference::INDEX, HeapReference::PART, HeapReference::WEAK, HeapReference::WEAK,
        HeapReference::SCALAR, HeapReference::SCALAR, HeapReference::NAMED,
    ];

    private readonly int $count;

    /** @var list<HeapGroup> */
    private readonly array $groups;

    private ?SnapshotReader $reader = null;

    private function __construct(private readonly string $file, private readonly IndexFile $index)
    {
        $count = $index->fact('nodes');
        $this->count = is_int($count) ? $count : 0;
        $groups = [];
        foreach (self::rows($index->fact('groups')) as $number => $row) {
            [$type, $name, $nodes, $bytes, $size, $kept] = $row;
            $figures = [(int) $nodes, (int) $bytes, (int) $size, (int) $kept];
            $groups[] = new HeapGroup($number, (string) $type, (string) $name, ...$figures);
        }
        $this->groups = $groups;
    }

    /**
     * Opens the index of a snapshot; makes it first if there is none, which takes seconds for a million nodes.
     *
     * @param string $file a snapshot of the format xhprof-heap
     * @param (\Closure(string $what, int $done, int $of): void)|null $progress told a few times a second while it is made
     * @param int|null $mostNodes more nodes than this are refused before they fill the memory; null for the default
     *
     * @throws \XHProf\Exception\StoreError when the file cannot be read
     * @throws \XHProf\Exception\DamagedSnapshot when it is none, or hostile
     */
    public static function open(string $file, ?\Closure $progress = null, ?int $mostNodes = null): self
    {
        $index = IndexFile::find($file) ?? (new IndexBuilder($file, $progress, $mostNodes))->build();

        return new self($file, $index);
    }

    /** Whether the index is there, so that open() will be quick. */
    public static function isReady(string $file): bool
    {
        return IndexFile::find($file) !== null;
    }

    /** Removes the index of a snapshot that is to be deleted. */
    public static function discard(string $file): void
    {
        IndexFile::discard($file);
    }

    /**
     * The first line of the file: php, pid, sapi, host, command, time, reader, stopped, usage, peak, real_usage, limit, chunks,
     * max_string, redacted; what is not known is left out.
     *
     * @return array<string, int|float|string|bool>
     */
    public function header(): array
    {
        $header = $this->index->fact('header');

        return SnapshotFacts::header(is_array($header) ? $header : []);
    }

    /** @return Summary of the last line; where that is missing, of the nodes that are there */
    public function summary(): array
    {
        $told = SnapshotFacts::summary(['summary' => $this->index->fact('summary')]);
        $tiers = ['typed' => [0, 0], 'native' => [0, 0], 'unreachable' => [0, 0]];
        foreach ($this->groups as $group) {
            $tier = isset($tiers[$group->type]) ? $group->type : 'typed';
            $tiers[$tier][0] += $group->bytes;
            $tiers[$tier][1] += $group->bytes > 0 ? $group->count : 0;
        }
        $sum = array_sum(array_column($tiers, 0));
        $references = $this->index->fact('references');
        $found = [
            'nodes' => $this->count,
            'edges' => is_int($references) ? $references : 0,
            'usage' => $sum,
            'typed' => ['bytes' => $tiers['typed'][0], 'blocks' => $tiers['typed'][1]],
            'native' => ['bytes' => $tiers['native'][0], 'blocks' => $tiers['native'][1]],
            'unreachable' => ['bytes' => $tiers['unreachable'][0], 'blocks' => $tiers['unreachable'][1]],
            'shared_bytes' => 0,
            'outside_bytes' => 0,
            'typed_percent' => $sum === 0 ? 0.0 : round(100 * $tiers['typed'][0] / $sum, 2),
            'unreadable' => 0,
            'incomplete' => $this->index->fact('cut') === true,
        ];

        return array_replace($found, $told);
    }

    /** @return list<string> sentences on what is wrong with the file: it is cut, references lead nowhere ... */
    public function notes(): array
    {
        $notes = [];
        $told = SnapshotFacts::summary(['summary' => $this->index->fact('summary')]);
        if ($this->index->fact('cut') === true) {
            $notes[] = 'The end of the file is missing: it was not written to its end. What follows is of the part that is there.';
        } elseif (($told['nodes'] ?? $this->count) !== $this->count) {
            $notes[] = sprintf('The file says that it has %d nodes, but it has %d.', $told['nodes'], $this->count);
        }
        $lost = $this->index->fact('lost');
        if (is_int($lost) && $lost > 0) {
            $notes[] = sprintf('%s to what is not in the file.', $lost === 1 ? '1 reference leads' : "$lost references lead");
        }
        if (($told['incomplete'] ?? false) === true) {
            $notes[] = 'The walk had no memory left: a part of the heap was not visited.';
        }
        if (($this->header()['stopped'] ?? true) === false) {
            $notes[] = 'The process went on while it was read: some of this may never have been at the same time.';
        }

        return $notes;
    }

    /** @return list<HeapGroup> one per type, most bytes first */
    public function types(): array
    {
        $retained = $this->index->fact('types');
        $retained = is_array($retained) ? $retained : [];
        $types = [];
        foreach ($this->groups as $group) {
            $sum = $types[$group->type] ?? [0, 0, 0];
            $types[$group->type] = [$sum[0] + $group->count, $sum[1] + $group->bytes, $sum[2] + $group->size];
        }
        $groups = [];
        $number = 0;
        foreach ($types as $type => [$count, $bytes, $size]) {
            $kept = $retained[$type] ?? 0;
            $groups[] = new HeapGroup(--$number, $type, '', $count, $bytes, $size, is_int($kept) ? $kept : 0);
        }

        return self::byBytes($groups);
    }

    /** @return list<HeapGroup> one per class that has objects, most bytes first */
    public function classes(): array
    {
        return self::byBytes(array_filter($this->groups, static fn (HeapGroup $group): bool
            => in_array($group->type, self::OBJECTS, true)));
    }

    /** @return list<HeapGroup> one per owner of native memory, most bytes first */
    public function owners(): array
    {
        return self::byBytes(array_filter($this->groups, static fn (HeapGroup $group): bool => $group->type === 'native'));
    }

    /** @return HeapGroup|null the objects of a class; its name in any case, with or without a leading "\" */
    public function group(string $class): ?HeapGroup
    {
        $found = array_filter($this->classes(), static fn (HeapGroup $group): bool
            => strcasecmp($group->name, ltrim($class, '\\')) === 0);

        return array_values($found)[0] ?? null;
    }

    /** @return list<HeapGroup> classes, owners and types whose name contains the text, in any case; most bytes first */
    public function search(string $text, int $limit = 50): array
    {
        $all = [...$this->classes(), ...$this->owners(), ...$this->types()];
        $found = array_filter($all, static fn (HeapGroup $group): bool
            => stripos($group->name === '' ? $group->type : $group->name, $text) !== false);

        return array_slice(self::byBytes($found), 0, $limit);
    }

    /** @return list<HeapNode> nodes of a group (class, type or owner), the most retained first */
    public function members(HeapGroup $group, int $offset = 0, int $limit = 50): array
    {
        return array_map($this->at(...), array_slice($this->ranked($group), max(0, $offset), max(0, min($limit, $this->count))));
    }

    /**
     * @return list<HeapNode> nodes of a group, the most retained first, without those that another of the same group keeps: of a
     *     linked list its head
     */
    public function outermost(HeapGroup $group, int $limit = 50): array
    {
        $nodes = [];
        foreach ($this->ranked($group) as $id) {
            if (count($nodes) >= $limit) {
                break;
            }
            if (!$this->isNested($id)) {
                $nodes[] = $this->at($id);
            }
        }

        return $nodes;
    }

    /** @return list<int> nodes of a group, the most retained first */
    private function ranked(HeapGroup $group): array
    {
        $numbers = [];
        foreach ($this->numbersOf($group) as $number) {
            $numbers[$number] = true;
        }
        if ($numbers === []) {
            return [];
        }
        $nodes = [];
        foreach ($this->grouped() as $node => $of) {
            if (isset($numbers[$of])) {
                $nodes[$node] = 0;
            }
        }
        $retained = $this->index->column('retained');
        foreach ($nodes as $node => $unused) {
            $nodes[$node] = unpack('P', $retained, $node * 8)[1] ?? 0;
        }
        arsort($nodes);

        return array_keys($nodes);
    }

    /** Whether it is kept by a node of its own group, perhaps through arrays. */
    private function isNested(int $id): bool
    {
        $own = $this->index->integer('group', $id);
        for ($steps = 0; $steps < 6; $steps++) {
            $id = $this->index->integer('dominator', $id);
            if ($id >= $this->count) {
                return false;
            }
            $group = $this->index->integer('group', $id);
            if ($group === $own) {
                return true;
            }
            if (!in_array($this->groups[$group]->type ?? '', ['array', 'array table', 'reference'], true)) {
                return false;
            }
        }

        return false;
    }

    /** @return HeapNode|null what is at an address */
    public function node(int $address): ?HeapNode
    {
        $address = HeapGraph::key($address);
        for ([$low, $high] = [0, $this->count - 1]; $low <= $high;) {
            $middle = ($low + $high) >> 1;
            $id = $this->index->integer('by key', $middle);
            $found = HeapGraph::key($this->index->long('address', $id));
            if ($found === $address) {
                return $this->at($id);
            }
            if ($found < $address) {
                $low = $middle + 1;
            } else {
                $high = $middle - 1;
            }
        }

        return null;
    }

    /** @return list<HeapNode> the roots */
    public function roots(): array
    {
        $roots = $this->index->fact('roots');

        return array_map($this->at(...), array_values(array_filter(is_array($roots) ? $roots : [], is_int(...))));
    }

    /** @return Details what else the file tells of a node; value: the beginning of a string, which is length bytes long */
    public function details(HeapNode $node): array
    {
        $this->reader ??= new SnapshotReader($this->file);
        $row = $this->reader->head($this->index->long('offset', $node->id));
        $details = [];
        if (($row['a'] ?? null) !== $node->address) {
            return $details;
        }
        foreach (['refcount' => 'r', 'length' => 'n', 'line' => 'l'] as $name => $key) {
            if (is_int($row[$key] ?? null)) {
                $details[$name] = $row[$key];
            }
        }
        foreach (['value' => 'v', 'file' => 'f'] as $name => $key) {
            if (is_string($row[$key] ?? null)) {
                $details[$name] = $row[$key];
            }
        }

        return $details + (($row['m'] ?? false) === true ? ['shared' => true] : []);
    }

    /** @return list<HeapReference> what the node refers to, in the order of the file; $node->references of them in all */
    public function references(HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        $first = $this->index->integer('first', $node->id) + max(0, $offset);
        $count = min($limit, $this->index->integer('first', $node->id + 1) - $first);
        $references = [];
        for ($number = $first; $number < $first + $count; $number++) {
            $references[] = $this->reference($number, $node, null);
        }

        return $references;
    }

    /** @return list<HeapReference> what refers to the node; $node->referrers of them in all */
    public function referrers(HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        $first = $this->index->integer('into', $node->id) + max(0, $offset);
        $count = min($limit, $this->index->integer('into', $node->id + 1) - $first);
        $referrers = [];
        foreach ($this->index->longs('from', $first, $count) as $both) {
            $referrers[] = $this->reference($both & 0xFFFFFFFF, $this->at($both >> 32), $node);
        }

        return $referrers;
    }

    /** @return list<HeapNode> what is dominated directly, the most retained first; null: the top of the tree, without the garbage */
    public function dominated(?HeapNode $node, int $offset = 0, int $limit = 100): array
    {
        $id = $node === null ? $this->count : $node->id;
        $first = $this->index->integer('child first', $id) + max(0, $offset);
        $count = min($limit, $this->index->integer('child first', $id + 1) - $first);

        return array_map($this->at(...), $this->index->integers('child', $first, $count));
    }

    /**
     * @return array<string, int> what a node dominates directly, from an offset on: how many of which class or type; what keeps
     *     the most is first
     */
    public function dominatedKinds(HeapNode $node, int $offset = 0, int $most = 4000): array
    {
        $first = $this->index->integer('child first', $node->id) + $offset;
        $count = min($most, $this->index->integer('child first', $node->id + 1) - $first);
        $kinds = [];
        $bytes = [];
        foreach ($this->index->integers('child', $first, $count) as $child) {
            $group = $this->groups[$this->index->integer('group', $child)] ?? null;
            $title = ($group->name ?? '') ?: ($group->type ?? '');
            $kinds[$title] = ($kinds[$title] ?? 0) + 1;
            $bytes[$title] = ($bytes[$title] ?? 0) + $this->index->long('retained', $child);
        }
        arsort($bytes);

        return array_replace($bytes, $kinds);
    }

    /** @return list<HeapNode> what must go for the node to go, the outermost first, without itself */
    public function dominators(HeapNode $node): array
    {
        $dominators = [];
        $id = $node->id;
        while (count($dominators) < self::MOST_DOMINATORS && ($id = $this->index->integer('dominator', $id)) < $this->count) {
            $dominators[] = $this->at($id);
        }

        return array_reverse($dominators);
    }

    /** The shortest way from a root to the node. */
    public function path(HeapNode $node): HeapPath
    {
        $edge = $this->index->integer('up edge', $node->id);

        return $this->way([[$node->id, $edge]], $this->index->integer('up', $node->id));
    }

    /** @return list<HeapPath> the shortest way through each of what refers to the node, the shortest first */
    public function paths(HeapNode $node, int $limit = 10): array
    {
        $up = $this->index->column('up');
        $found = [];
        $first = $this->index->integer('into', $node->id);
        $end = $this->index->integer('into', $node->id + 1);
        // What millions refer to is kept by any of them.
        foreach ($this->index->longs('from', $first, min($end - $first, 10000)) as $both) {
            [$from, $edge] = [$both >> 32, $both & 0xFFFFFFFF];
            if ($this->kind($edge) >= HeapGraph::WEAK) {
                continue;
            }
            $length = 1;
            for ($at = $from; $at !== HeapGraph::NONE && $at !== $node->id && $length <= $this->count; $length++) {
                $at = unpack('V', $up, $at * 4)[1] ?? HeapGraph::NONE;
            }
            // A way through the node itself keeps nothing.
            if ($at === HeapGraph::NONE && $this->isLive($from) >= $node->isLive) {
                $found[] = [$length, $from, $edge];
            }
        }
        sort($found);
        $paths = [];
        foreach (array_slice($found, 0, $limit) as [, $from, $edge]) {
            $paths[] = $this->way([[$node->id, $edge]], $from);
        }

        return $paths === [] ? [$this->path($node)] : $paths;
    }

    /**
     * Who keeps the nodes of a group: their shortest paths, with all elements of a list as one ("[*]").
     *
     * @return list<Holder> the most retained first
     */
    public function holders(HeapGroup $group, int $limit = 20): array
    {
        $holders = new Holders($this->index, $this->grouped(), $this->groups);

        return $holders->of($this->numbersOf($group), $limit, $this->at(...));
    }

    /** Whether the snapshot tells by which call path its blocks were allocated. */
    public function hasAllocations(): bool
    {
        return $this->index->fact('paths') === true;
    }

    /** @return list<string> functions from main() to the one that allocated the node; none where that is not known */
    public function allocation(HeapNode $node): array
    {
        return $this->callPath($this->index->integer('path', $node->id));
    }

    /** @return list<Allocation> call paths that allocated the nodes of the group (null: of all), most bytes first */
    public function allocations(?HeapGroup $group, int $limit = 20): array
    {
        if (!$this->hasAllocations()) {
            return [];
        }
        $numbers = $group === null ? null : array_flip($this->numbersOf($group));
        $paths = $this->index->column('path');
        $blocks = $this->index->column('block');
        $sums = [];
        foreach ($this->grouped() as $node => $of) {
            if ($numbers !== null && !isset($numbers[$of])) {
                continue;
            }
            $path = unpack('V', $paths, $node * 4)[1] ?? 0;
            $bytes = unpack('P', $blocks, $node * 8)[1] ?? 0;
            if ($path > 0 && ($bytes > 0 || $group !== null)) {
                $sums[$path] ??= [0, 0];
                $sums[$path][0] += $bytes;
                $sums[$path][1]++;
            }
        }
        arsort($sums);
        $allocations = [];
        foreach (array_slice($sums, 0, $limit, true) as $path => [$bytes, $count]) {
            $allocations[] = ['path' => $this->callPath($path), 'count' => $count, 'bytes' => $bytes];
        }

        return $allocations;
    }

    /**
     * What may be a leak, by kind. "accumulates": a container that keeps much in many parts, count of them "of" a class or type.
     * "chain": the same, one within the other. "garbage": objects that nothing keeps but that were not freed (in cycles);
     * count of cycles, the largest is the node. "unreachable": blocks that nothing refers to.
     *
     * @return list<Suspect> most bytes first within each kind
     */
    public function suspects(int $limit = 20): array
    {
        $all = $this->index->fact('suspects');
        $suspects = [];
        foreach (is_array($all) ? $all : [] as $kind => $rows) {
            foreach (array_slice(self::rows($rows), 0, $limit) as [$id, $bytes, $count, $of]) {
                $node = $this->at((int) $id);
                $suspects[] = [
                    'kind' => (string) $kind,
                    'node' => $node,
                    'bytes' => (int) $bytes,
                    'count' => (int) $count,
                    'of' => (string) $of,
                    'path' => $this->path($node)->text,
                ];
            }
        }

        return $suspects;
    }

    /**
     * @param 'string'|'array' $type
     * @return list<HeapNode> the largest strings by bytes, arrays by what they retain
     */
    public function largest(string $type, int $limit = 50): array
    {
        foreach ($this->groups as $group) {
            if ($group->type === $type) {
                return $this->members($group, 0, $limit);
            }
        }

        return [];
    }

    /** By its number in the index. */
    public function at(int $id): HeapNode
    {
        $group = $this->groups[$this->index->integer('group', $id)] ?? null;
        [$first, $end] = $this->index->integers('first', $id, 2);
        [$into, $intoEnd] = $this->index->integers('into', $id, 2);
        [$child, $childEnd] = $this->index->integers('child first', $id, 2);

        return new HeapNode(
            $id,
            $this->index->long('address', $id),
            $group->type ?? '',
            $this->index->text($this->index->integer('name', $id)),
            $this->index->long('size', $id),
            $this->index->long('block', $id),
            $this->index->long('retained', $id),
            $this->isLive($id),
            $end - $first,
            $intoEnd - $into,
            $childEnd - $child,
        );
    }

    /** How many nodes there are. */
    public function count(): int
    {
        return $this->count;
    }

    /** @return \Generator<int, int> number of the group by node */
    public function grouped(): \Generator
    {
        for ($at = 0; $at < $this->count; $at += HeapGraph::CHUNK) {
            foreach ($this->index->integers('group', $at, min(HeapGraph::CHUNK, $this->count - $at)) as $i => $group) {
                yield $at + $i => $group;
            }
        }
    }

    /** @return \Generator<int, int> address by node */
    public function addresses(): \Generator
    {
        for ($at = 0; $at < $this->count; $at += HeapGraph::CHUNK) {
            foreach ($this->index->longs('address', $at, min(HeapGraph::CHUNK, $this->count - $at)) as $i => $address) {
                yield $at + $i => $address;
            }
        }
    }

    /**
     * @param non-empty-list<array{int, int}> $steps from the end of the way: node, reference that leads to it
     * @param int $node the one before
     */
    private function way(array $steps, int $node): HeapPath
    {
        $up = $this->index->column('up');
        $ids = [];
        for ($at = $node, $left = $this->count; $at < $this->count && $left > 0; $left--) {
            $ids[] = $at;
            $at = unpack('V', $up, $at * 4)[1] ?? HeapGraph::NONE;
        }
        $omitted = max(0, count($ids) - 2 * self::STEPS);
        if ($omitted > 0) {
            array_splice($ids, self::STEPS, $omitted);
        }
        foreach ($ids as $id) {
            $steps[] = [$id, $this->index->integer('up edge', $id)];
        }
        $told = [];
        $text = '';
        $before = null;
        foreach (array_reverse($steps) as $number => [$id, $edge]) {
            $here = $this->at($id);
            if ($omitted > 0 && $number === self::STEPS) {
                $text .= " ... $omitted more ... ";
                $before = null;
            }
            if ($number === 0) {
                $text = PathText::start($here->type, $here->name);
            }
            $reference = $before === null ? null : $this->reference($edge, $before, $here, false);
            $text .= $reference->text ?? '';
            $told[] = ['reference' => $reference, 'node' => $here];
            $before = $here;
        }

        return new HeapPath($told, PathText::join($text), $told[0]['node']->isLive, $omitted);
    }

    /**
     * @param bool $isFrom whether the answer tells the node that it is from, where both are known
     */
    private function reference(int $number, HeapNode $from, ?HeapNode $to, bool $isFrom = true): HeapReference
    {
        $kind = $this->kind($number);
        $label = $this->index->integer('label', $number);
        $isIndex = in_array($kind, [HeapGraph::INDEX, HeapGraph::WEAK_INDEX, HeapGraph::SCALAR_INDEX], true);
        $label = $isIndex ? (string) $label : $this->index->text($label);
        $scalar = '';
        $other = $from;
        if ($to === null || !$isFrom) {
            $other = $to;
            $target = $this->index->integer('to', $number);
            if ($kind === HeapGraph::SCALAR || $kind === HeapGraph::SCALAR_INDEX) {
                $scalar = $this->index->text($target);
            } elseif ($to === null && $target < $this->count) {
                $to = $other = $this->at($target);
            }
        }
        $name = self::KINDS[ord($kind)] ?? HeapReference::NAMED;
        $shape = $isIndex ? HeapReference::INDEX : $name;
        $text = PathText::step($from->type, $from->name, $shape, $label, $to->type ?? '', $to->name ?? '');

        return new HeapReference($name, $label, $other, $scalar, $text);
    }

    private function kind(int $reference): string
    {
        return $this->index->byte('kind', $reference);
    }

    private function isLive(int $node): bool
    {
        return $this->index->byte('live', $node) === "\1";
    }

    /** @return list<string> */
    private function callPath(int $path): array
    {
        $names = [];
        for ($left = 4096; $path > 0 && $left > 0; $left--) {
            $names[] = $this->index->text($this->index->integer('path name', $path));
            $path = $this->index->integer('path parent', $path);
        }

        return array_reverse($names);
    }

    /** @return list<int> numbers of groups: its own, or all of its type */
    public function numbersOf(HeapGroup $group): array
    {
        if ($group->id >= 0) {
            return [$group->id];
        }

        return array_keys(array_filter($this->groups, static fn (HeapGroup $one): bool => $one->type === $group->type));
    }

    /**
     * @param array<HeapGroup> $groups
     * @return list<HeapGroup>
     */
    private static function byBytes(array $groups): array
    {
        usort($groups, static fn (HeapGroup $a, HeapGroup $b): int
            => [$b->bytes, $b->count, $a->name] <=> [$a->bytes, $a->count, $b->name]);

        return $groups;
    }

    /** @return list<list<int|string>> */
    private static function rows(mixed $rows): array
    {
        $list = [];
        foreach (is_array($rows) ? $rows : [] as $row) {
            if (is_array($row)) {
                $list[] = array_values(array_filter($row, static fn (mixed $cell): bool => is_int($cell) || is_string($cell)));
            }
        }

        return $list;
    }
}
