<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Exception\DamagedSnapshot;
use XHProf\Exception\StoreError;
use XHProf\Format\JsonText;
use XHProf\Run\PhpMemory;

/**
 * The nodes and references of a snapshot, read once, in packed columns.
 *
 * @internal
 *
 * @phpstan-type Group array{type: string, name: string}
 */
final class SnapshotNodes
{
    /** Types whose names make groups, beside those of objects. */
    private const OWNED = ['native', 'unreachable'];

    private const MAX_GROUPS = 1 << 16;
    private const MAX_TYPES = 64;
    private const MAX_TYPE_BYTES = 64;
    private const OTHER = '(other)';

    /** A block is smaller than this, and so is the sum of all. */
    private const MAX_BYTES = 1 << 47;
    private const MAX_SUM = 1 << 60;

    /** Measured: bytes that the columns take per node and per reference, including everything computed from them. */
    private const NODE_BYTES = 360;
    private const REFERENCE_BYTES = 90;

    /** Growing arrays double, several at once if they hold the same things: ratio of the memory needed then to the present. */
    private const GROWTH = 2;

    /** Bytes of the file between two checks of the memory. */
    private const PAUSE = 1 << 18;

    /** @var array<string, mixed> as SnapshotInfo has it */
    public array $header = [];
    /** @var array<string, mixed> as SnapshotInfo has it */
    public array $summary = [];

    public NamePool $names;

    public readonly StringCopies $copies;

    /** @var array<int, int> number of the node by the key of its address */
    public array $ids = [];

    /** @var array<int, Group> */
    public array $groups = [];

    /** @var array<int, int> nodes of each group */
    public array $counts = [];
    /** @var array<int, int> their blocks */
    public array $bytesOf = [];
    /** @var array<int, int> used bytes of them */
    public array $sizes = [];

    /** @var array<int, int> by node */
    public array $group = [];

    /** @var array<int, int> by node */
    public array $block = [];

    /** @var array<int, int> number of each node's first reference; one more at the end */
    public array $first = [0];

    /** @var array<int, int> nodes that are roots */
    public array $roots = [];

    /** @var array<string, list<string>> packed columns by name, to be written as they are */
    public array $columns = ['address' => [], 'offset' => [], 'name' => [], 'size' => [], 'path' => [], 'label' => []];

    /** @var array<int, int> call paths: the one before each, 0: none */
    public array $pathParent = [0];
    /** @var array<int, int> number of the function's name */
    public array $pathName = [0];
    /** @var array<int, int> number of a path here by its number in the file */
    private array $paths = [];

    public int $references = 0;
    /** Number of references to addresses that are not in the file. */
    public int $lost = 0;
    public bool $hasPaths = false;

    /** @var list<string> addresses, eight bytes each, later nodes, four bytes each */
    private array $to = [];
    /** @var list<string> */
    private array $kinds = [];

    /** @var array<string, array<string, int>> number of a group by type and name */
    private array $known = [];
    private int $sum = 0;

    /** @var array<int, int> values not packed yet */
    private array $addresses = [];
    /** @var array<int, int> */
    private array $offsets = [];
    /** @var array<int, int> */
    private array $nameOf = [];
    /** @var array<int, int> */
    private array $sizeOf = [];
    /** @var array<int, int> */
    private array $pathOf = [];
    /** @var array<int, int> */
    private array $labels = [];
    /** @var array<int, int> */
    private array $targets = [];
    private string $kind = '';

    /** Bytes of memory_limit. */
    private readonly int $limit;

    /**
     * @param (\Closure(string, int, int): void)|null $progress
     * @param int|null $mostNodes null: as many as memory_limit lets one hold
     */
    public function __construct(
        private readonly SnapshotReader $reader,
        private readonly ?\Closure $progress,
        private readonly int $bytes,
        private readonly ?int $mostNodes,
    ) {
        $this->names = new NamePool();
        $this->copies = new StringCopies();
        $this->limit = PhpMemory::limit();
    }

    /**
     * @throws DamagedSnapshot
     * @throws StoreError if it is too large for memory_limit
     */
    public function read(): void
    {
        $reader = $this->reader;
        $next = self::PAUSE;
        foreach ($reader->rows() as $what => $row) {
            if ($what === SnapshotReader::NODE) {
                $this->addNode($row);
                if (count($this->offsets) === HeapGraph::CHUNK) {
                    $this->flushNodes();
                }
                if (isset($row['e'])) {
                    $this->addReferences(is_array($row['e']) ? $row['e'] : throw $reader->damage('"e" is not a list'));
                }
                $this->first[] = $this->references;
            } elseif ($what === SnapshotReader::MORE) {
                $this->addReferences($row);
                $this->first[count($this->first) - 1] = $this->references;
            } elseif ($what === SnapshotReader::PATH) {
                $this->addPath($row);
            } elseif ($what === SnapshotReader::HEADER) {
                $this->header = SnapshotInfo::header($row);
            } else {
                $this->summary = SnapshotInfo::summary($row['summary'] ?? null);
            }
            if ($what === SnapshotReader::MORE || $reader->offset >= $next) {
                $next = $reader->offset + self::PAUSE;
                $this->pause();
            }
        }
        $this->flushNodes();
        $this->flushReferences();
        $this->pause();
        $this->copies->end();
    }

    public function count(): int
    {
        return count($this->group);
    }

    /** The graph; frees the addresses of the references. */
    public function graph(): HeapGraph
    {
        $kinds = [];
        $ids = $this->ids;
        foreach ($this->to as $chunk => $packed) {
            $kind = $this->kinds[$chunk];
            $nodes = [];
            $at = 0;
            foreach (unpack('P*', $packed) ?: [] as $address) {
                if ($kind[$at] >= HeapGraph::SCALAR) {
                    $nodes[] = $address;
                } else {
                    $node = $ids[HeapGraph::key($address)] ?? HeapGraph::NONE;
                    $nodes[] = $node;
                    if ($node === HeapGraph::NONE) {
                        $this->lost++;
                        $kind[$at] = HeapGraph::LOST;
                    }
                }
                $at++;
            }
            $this->to[$chunk] = pack('V*', ...$nodes);
            $kinds[] = $kind;
        }
        $to = implode('', $this->to);
        $this->to = [];
        $this->kinds = [];

        return new HeapGraph($this->count(), $this->first, $to, implode('', $kinds));
    }

    /** @param array<mixed> $row */
    private function addNode(array $row): void
    {
        $address = $row['a'];
        if (!is_int($address) || $address < 1) {
            throw $this->reader->damage('"a" is not an address');
        }
        $key = HeapGraph::key($address);
        if (isset($this->ids[$key])) {
            throw $this->reader->damage(sprintf('address 0x%x appears twice', $address));
        }
        $type = $row['t'] ?? null;
        $name = $row['c'] ?? '';
        if (!is_string($type) || !is_string($name)) {
            throw $this->reader->damage('"t" or "c" is not a text');
        }
        $size = $row['s'] ?? 0;
        $block = $row['b'] ?? 0;
        if (
            !is_int($size) || !is_int($block) || $size < 0 || $block < 0
            || $size > self::MAX_BYTES || $block > self::MAX_BYTES || ($this->sum += $block + $size) > self::MAX_SUM
        ) {
            throw $this->reader->damage('"s" or "b" is not a number of bytes');
        }
        $path = $row['p'] ?? 0;
        if ($path !== 0) {
            if (!is_int($path) || !isset($this->paths[$path])) {
                throw $this->reader->damage('"p" is not a call path of an earlier line');
            }
            $path = $this->paths[$path];
        }
        $node = count($this->group);
        $this->ids[$key] = $node;
        if ($type === 'root') {
            $this->roots[] = $node;
        }
        $group = $this->known[$type][$name] ?? $this->groupOf($type, $name);
        $this->group[] = $group;
        $this->counts[$group]++;
        $this->bytesOf[$group] += $block;
        $this->sizes[$group] += $size;
        $this->block[] = $block;
        $this->addresses[] = $address;
        $this->offsets[] = $this->reader->offset;
        $this->nameOf[] = $name === '' ? 0 : $this->names->number($name);
        $this->sizeOf[] = $size;
        $this->pathOf[] = $path;
        if (isset($row['h'])) {
            $this->copies->add($node, $row['h'], $row['n'] ?? null);
        }
    }

    /** @param array<mixed> $references */
    private function addReferences(array $references): void
    {
        foreach ($references as $reference) {
            if (!is_array($reference) || !isset($reference[0])) {
                throw $this->reader->damage('a reference is not a list of a name and an address');
            }
            $label = $reference[0];
            $to = $reference[1] ?? null;
            $kind = $reference[2] ?? null;
            $isIndex = is_int($label) && $label >= 0 && $label < HeapGraph::NONE;
            if ($kind === null && is_int($to)) {
                $code = $isIndex ? HeapGraph::INDEX : HeapGraph::NAMED;
            } elseif (is_int($to)) {
                $code = match (true) {
                    $kind === 'w' => $isIndex ? HeapGraph::WEAK_INDEX : HeapGraph::WEAK,
                    default => HeapGraph::PART,
                };
                $isIndex = $isIndex && $code !== HeapGraph::PART;
            } elseif ($to === null && (is_scalar($kind) || $kind === null)) {
                $code = $isIndex ? HeapGraph::SCALAR_INDEX : HeapGraph::SCALAR;
                $isText = is_string($kind) || (is_float($kind) && !is_finite($kind));
                $to = $this->names->number($isText ? (string) $kind : JsonText::encode($kind, JSON_PRESERVE_ZERO_FRACTION));
            } else {
                throw $this->reader->damage('a reference has no address');
            }
            if (!$isIndex) {
                if (!is_string($label) && !is_int($label)) {
                    throw $this->reader->damage('the name of a reference is not a text');
                }
                $label = $this->names->number((string) $label);
            }
            $this->targets[] = $to;
            $this->labels[] = $label;
            $this->kind .= $code;
            if (++$this->references % HeapGraph::CHUNK === 0) {
                $this->flushReferences();
            }
        }
        if ($this->references > 0xFFFFFFF0) {
            throw $this->reader->damage('more references than can be numbered');
        }
    }

    /** @param array<mixed> $row */
    private function addPath(array $row): void
    {
        $number = $row['p'];
        $parent = $row['parent'] ?? 0;
        $name = $row['fn'] ?? '';
        if (!is_int($number) || $number < 1 || isset($this->paths[$number])) {
            throw $this->reader->damage('"p" is not a new number of a call path');
        }
        if ($parent !== 0 && (!is_int($parent) || !isset($this->paths[$parent])) || !is_string($name)) {
            throw $this->reader->damage('the parent or function of a call path is missing');
        }
        $this->hasPaths = true;
        $this->paths[$number] = count($this->pathParent);
        $this->pathParent[] = $parent === 0 ? 0 : $this->paths[$parent];
        $this->pathName[] = $this->names->number($name);
    }

    private function groupOf(string $type, string $name): int
    {
        if (!isset($this->known[$type]) && (count($this->known) >= self::MAX_TYPES || strlen($type) > self::MAX_TYPE_BYTES)) {
            throw $this->reader->damage('too many types of nodes, or too long ones');
        }
        $isNamed = in_array($type, HeapIndex::OBJECTS, true) || in_array($type, self::OWNED, true);
        $name = substr($isNamed ? $name : '', 0, NamePool::MAX_BYTES);
        if (count($this->groups) >= self::MAX_GROUPS && !isset($this->known[$type][$name])) {
            $name = $isNamed ? self::OTHER : '';
        }
        if (!isset($this->known[$type][$name])) {
            $this->known[$type][$name] = count($this->groups);
            $this->groups[] = ['type' => $type, 'name' => $name];
            $this->counts[] = $this->bytesOf[] = $this->sizes[] = 0;
        }

        return $this->known[$type][$name];
    }

    private function flushNodes(): void
    {
        $this->columns['address'][] = pack('P*', ...$this->addresses);
        $this->columns['offset'][] = pack('P*', ...$this->offsets);
        $this->columns['name'][] = pack('V*', ...$this->nameOf);
        $this->columns['size'][] = pack('P*', ...$this->sizeOf);
        $this->columns['path'][] = pack('V*', ...$this->pathOf);
        $this->addresses = $this->offsets = $this->nameOf = $this->sizeOf = $this->pathOf = [];
    }

    private function flushReferences(): void
    {
        $this->to[] = pack('P*', ...$this->targets);
        $this->columns['label'][] = pack('V*', ...$this->labels);
        $this->kinds[] = $this->kind;
        $this->targets = $this->labels = [];
        $this->kind = '';
    }

    /** Reports progress; throws before memory_limit would end PHP. */
    private function pause(): void
    {
        if ($this->progress !== null) {
            ($this->progress)('Reading the snapshot', $this->reader->offset, $this->bytes);
        }
        $nodes = count($this->group);
        if ($this->mostNodes !== null && $nodes > $this->mostNodes || $nodes > 0xFFFFFFF0) {
            throw new StoreError("the snapshot has too many nodes: the limit is $this->mostNodes");
        }
        $bytes = max(
            $nodes * self::NODE_BYTES + $this->references * self::REFERENCE_BYTES,
            memory_get_usage() * self::GROWTH,
        );
        if ($bytes > $this->limit * 0.9) {
            throw new StoreError(sprintf(
                'the snapshot is too large for the memory_limit of %s; bin/xhprof heap may have a higher limit',
                ini_get('memory_limit'),
            ));
        }
    }
}
