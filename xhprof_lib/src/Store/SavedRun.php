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
use XHProf\Profile\EdgeFolder;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\FoldedEdges;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\SavedColumns;
use XHProf\Profile\Timeline;
use XHProf\Profile\TimeSpan;
use XHProf\Profile\TreeHead;
use XHProf\Run\RunFile;
use XHProf\Run\RunFileWriter;

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

    /**
     * The edges of its call tree, which need not fit into memory, or those of a run without one.
     *
     * @param (\Closure(\Closure(): string): string)|null $keep calls the given function, or returns what that has returned for this
     *     run before
     */
    public function profile(?\Closure $keep = null): Profile
    {
        return $this->checked(fn (): Profile => $this->has('tree')
            ? ($keep === null ? $this->edges() : $this->kept($keep))->profile(fn (): FoldedEdges => $this->edges(true))
            : Profile::fromEdges(EdgeColumns::toEdges($this->document('edges')), false));
    }

    /**
     * @param \Closure(\Closure(): string): string $keep
     */
    private function kept(\Closure $keep): FoldedEdges
    {
        $made = null;
        $bytes = $keep(function () use (&$made): string {
            $made = $this->edges();
            try {
                return RunFileWriter::bytes(['edges' => (array) $made]);
            } catch (InvalidProfile) {
                // Figures that no column holds.
                return '';
            }
        });
        if ($made === null && $bytes !== '') {
            /** @var array{labels: list<string>, caller: list<int>, callee: list<int>, figures: array<string, list<int>>} $known */
            $known = RunFile::ofBytes($bytes, $this->path)->document('edges');
            $made = new FoldedEdges(...$known);
        }

        return $made ?? $this->edges();
    }

    /** @param bool $rounds times to whole microseconds */
    private function edges(bool $rounds = false): FoldedEdges
    {
        $names = array_map(EdgeKey::escaped(...), SavedColumns::names($this->file->texts('tree.names'), 'the call tree'));
        $metrics = Metrics::ofEdges($this->file->columns('tree.self'));
        $columns = ['fn', 'depth', 'ct', ...array_map(static fn (string $metric): string => "self.$metric", $metrics)];
        $blocks = $this->file->blocks(array_map(static fn (string $column): string => "tree.$column", $columns));
        $named = (static function () use ($blocks, $columns): \Generator {
            foreach ($blocks as $block) {
                yield array_combine($columns, $block);
            }
        })();

        return EdgeFolder::ofBlocks($names, $named, $metrics, $rounds);
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
            $tree = $this->treeOf('call paths');

            return new OperationReport(Operations::fromArray($this->document('operations'), $tree->count()), $tree);
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
