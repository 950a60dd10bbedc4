<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunTooLarge;
use XHProf\Memory\MemoryProfile;
use XHProf\Operation\OperationReport;
use XHProf\Operation\Operations;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\EdgeColumns;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\SavedColumns;
use XHProf\Profile\Timeline;
use XHProf\Profile\TimeSpan;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeNodes;
use XHProf\Profile\TreePaths;
use XHProf\Run\RunFile;

/**
 * The documents of one run file as what they mean. All methods throw DamagedRun, which names the file.
 *
 * @internal
 */
final class SavedRun
{
    /** Numbers of a document that is read as a whole, however much memory there is. */
    private const MAX_NUMBERS = 1 << 27;

    /** What a tree has beside its nodes. */
    private const OF_NAMES = ['names', 'files', 'file', 'line', 'last_line'];

    public function __construct(public readonly RunFile $file, private readonly string $path)
    {
    }

    public function has(string $document): bool
    {
        return $this->file->has($document);
    }

    public function meta(): RunMeta
    {
        return RunMeta::fromArray($this->file->document('meta'));
    }

    /** The edges of its call tree, which need not fit into memory and is read when they are asked for, or those of a run without one. */
    public function profile(?\Closure $keep = null): Profile
    {
        return $this->checked(fn (): Profile => $this->has('tree')
            ? Profile::ofTree($this->nodes())
            : Profile::fromEdges(EdgeColumns::toEdges($this->document('edges')), false));
    }

    private function nodes(): TreeNodes
    {
        $names = array_map(EdgeKey::escaped(...), SavedColumns::names($this->file->texts('tree.names'), 'the call tree'));
        $metrics = Metrics::ofEdges($this->file->columns('tree.self'));
        if ($metrics === []) {
            throw new InvalidProfile('the call tree has no metrics');
        }
        $columns = ['fn' => 'tree.fn', 'depth' => 'tree.depth', 'ct' => 'tree.ct'];
        foreach ($metrics as $metric) {
            $columns[$metric] = "tree.self.$metric";
        }
        $this->file->blocks(array_values($columns), 0, 1);
        if ($this->file->count('tree.fn') === 0) {
            throw new InvalidProfile('the call tree has no nodes');
        }
        if ($this->file->packed('tree.ct') === null && min([0, ...$this->file->column('tree.ct')]) < 0) {
            throw new InvalidProfile('a node of the call tree has no name, or calls below 0');
        }
        $deepest = 1 + $this->file->largest('tree.depth');
        $enough = intdiv(SavedColumns::MAX_SUM, $deepest);
        $fits = true;
        foreach (array_slice($columns, 2) as $column) {
            $sum = $this->file->magnitude($column, $enough);
            if ($sum > SavedColumns::MAX_SUM) {
                throw new InvalidProfile("the values of the column \"" . substr($column, 5) . '" of the call tree are too large');
            }
            $fits = $fits && $sum <= $enough;
        }
        $blocks = function (array $names, int $first, int $count) use ($columns): \Generator {
            $sections = array_values(array_map(static fn (string $name): string => $columns[$name], $names));
            foreach ($this->file->blocks($sections, $first, $count) as $block) {
                yield array_combine($names, $block);
            }
        };
        $bytes = function (): ?array {
            $depth = $this->file->packed('tree.depth');
            $fn = $this->file->packed('tree.fn');

            return $depth === null || $fn === null || $depth[1] > 1 ? null : [$depth[0], ...$fn];
        };

        return new TreeNodes($names, $metrics, $blocks, $this->file->count('tree.fn'), $bytes, $this->path, $fits);
    }

    /** @return CallTree|null with corrected times where they can be computed; null if it has none */
    public function tree(): ?CallTree
    {
        return $this->has('tree')
            ? $this->checked(fn (): CallTree => CorrectedTimes::of($this->readTree(), $this->meta()->overhead))
            : null;
    }

    /** @return TreeHead|null null if it has no call tree */
    public function treeHead(): ?TreeHead
    {
        return !$this->has('tree') ? null : $this->checked(function (): TreeHead {
            $data = [];
            foreach (self::OF_NAMES as $column) {
                if ($this->file->hasColumn("tree.$column")) {
                    $isText = in_array($column, ['names', 'files'], true);
                    $data[$column] = $isText ? $this->file->texts("tree.$column") : $this->file->column("tree.$column");
                }
            }

            return TreeHead::fromArray($data);
        });
    }

    /** @return SampleColumns|null null if it has no samples in the order of time */
    public function samples(): ?SampleColumns
    {
        return !$this->has('samples') ? null : $this->checked(
            fn (): ?SampleColumns => SampleColumns::fromLog($this->document('samples'), $this->treeOf('samples')),
        );
    }

    /** @param CallTree $tree of this run */
    public function timeline(CallTree $tree): ?Timeline
    {
        return !$this->has('timeline') ? null : $this->checked(
            fn (): Timeline => Timeline::fromArray($this->document('timeline'), $tree),
        );
    }

    public function span(): TimeSpan
    {
        return $this->checked(fn (): TimeSpan => Timeline::span($this->file->head()['timeline'] ?? []));
    }

    public function memory(): ?MemoryProfile
    {
        return !$this->has('memory') ? null : $this->checked(function (): MemoryProfile {
            $tree = $this->treeOf('call paths')->withoutMetrics();

            return MemoryProfile::fromArray($this->document('memory'), $tree);
        });
    }

    public function operations(): ?OperationReport
    {
        return !$this->has('operations') ? null : $this->checked(function (): OperationReport {
            $paths = $this->has('tree') ? TreePaths::ofNodes($this->nodes()) : null;
            $operations = Operations::fromArray($this->document('operations'), $this->file->count('tree.fn'));

            return new OperationReport($operations, $paths ?? $this->treeOf('call paths'));
        });
    }

    /**
     * Without corrected times, for another document, which has its nodes.
     *
     * @param string $of for the message
     */
    private function treeOf(string $of): CallTree
    {
        return $this->has('tree')
            ? $this->readTree()
            : throw new InvalidProfile("the call tree of its $of is missing");
    }

    /**
     * @return array<mixed>
     *
     * @throws RunTooLarge if its columns do not fit into memory
     */
    private function document(string $name): array
    {
        if ($this->file->values($name) > min(self::MAX_NUMBERS, intdiv(PhpMemory::left(), RunSizes::BYTES_PER_NUMBER))) {
            $limit = ini_get('memory_limit');
            throw new RunTooLarge("$this->path: its $name is too large for the memory of this PHP, memory_limit=$limit");
        }

        return $this->file->document($name);
    }

    private function readTree(): CallTree
    {
        $data = $this->document('tree');
        $tree = CallTree::fromArray($data);

        return ($data['n'] ?? $tree->count()) === $tree->count()
            ? $tree
            : throw new InvalidProfile('the number of nodes differs from the announced one');
    }

    /**
     * @template T
     *
     * @param \Closure(): T $make may throw InvalidProfile
     *
     * @return T
     */
    private function checked(\Closure $make): mixed
    {
        try {
            return $make();
        } catch (InvalidProfile $e) {
            throw new DamagedRun("$this->path: {$e->getMessage()}", 0, $e);
        }
    }
}
