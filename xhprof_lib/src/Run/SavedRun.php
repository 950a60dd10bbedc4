<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\RunTooLarge;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Operations\Operations;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\EdgeColumns;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\SavedColumns;
use XHProf\Profile\TimeSpan;
use XHProf\Profile\Timeline;
use XHProf\Profile\TraceContexts;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeNodes;
use XHProf\Profile\TreePaths;

/**
 * A run that has a file of its own: each document of the file as what it means.
 *
 * @internal see RunFolder::open()
 */
final class SavedRun extends Run
{
    /** Bytes of memory that a number of a column takes. */
    private const BYTES_PER_NUMBER = 16;

    /** Numbers of a document that is read as a whole, however much memory there is. */
    private const MAX_NUMBERS = 1 << 27;

    /** Numbers of a tree from which its operations are not read for times. */
    private const LARGE = 2 << 20;

    /** What a tree has beside its nodes. */
    private const OF_NAMES = ['names', 'files', 'file', 'line', 'last_line'];

    /** What its edges are made of, and its figures. */
    private const OF_NODES = ['names' => 0, 'fn' => 0, 'depth' => 0, 'ct' => 0];

    /** @param int|null $time of the last change of the file, for metadata without a time */
    public function __construct(
        ?RunId $id,
        string $path,
        private readonly RunFile $file,
        private readonly string $version = '',
        private readonly ?int $time = null,
    ) {
        parent::__construct($id, $path);
    }

    public function file(): RunFile
    {
        return $this->file;
    }

    public function version(): string
    {
        return $this->version;
    }

    public function has(string $part): bool
    {
        return $this->file->has($part) && ($part !== self::TIMELINE || $this->file->has(self::TREE));
    }

    public function numbers(string $part): int
    {
        return $part === self::SAMPLES ? $this->file->count('samples.t') : $this->file->values($part);
    }

    public function nodes(): int
    {
        return $this->file->count('tree.fn');
    }

    public function treeHead(): ?TreeHead
    {
        return !$this->has(self::TREE) ? null : $this->once('head', function (): TreeHead {
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

    public function correctedMetrics(): array
    {
        // Values that no column holds stand in the head: they are damaged.
        $inHead = $this->file->head()[self::TREE]['corrected'] ?? [];
        $saved = [...$this->file->columns('tree.corrected'), ...array_keys(is_array($inHead) ? $inHead : [])];
        $computed = $this->file->hasColumn('tree.function_kind')
            ? CorrectedTimes::metrics($this->meta()->recording->overhead, $this->file->columns('tree.self'))
            : [];

        // None is computed beside saved ones: see CorrectedTimes::addTo().
        return $saved === [] ? $computed : array_map(strval(...), $saved);
    }

    public function treeNames(): array
    {
        return $this->file->hasColumn('tree.names') ? $this->file->texts('tree.names') : [];
    }

    public function span(): ?TimeSpan
    {
        if ($this->has(self::TIMELINE)) {
            return $this->once('span', fn (): TimeSpan => Timeline::span($this->file->head()['timeline'] ?? []));
        }
        $samples = $this->hasTooManySamples() ? null : $this->samples();

        return $samples === null ? null : new TimeSpan($samples->duration() * 1000, null);
    }

    public function kept(): Exemplars
    {
        return $this->once('kept', fn (): Exemplars => new Exemplars($this));
    }

    public function requests(): array
    {
        return $this->kept()->requests();
    }

    public function pathNodes(): ?TreeNodes
    {
        return $this->has(self::TREE) ? $this->once('nodes', $this->treeNodes(...)) : null;
    }

    public function operationsOfFunctions(?array $ranges = null): ?array
    {
        // Where the columns are no bytes all of them would be read.
        return $this->numbers(self::TREE) > self::LARGE && $this->pathNodes()?->bytes() === null
            ? null
            : parent::operationsOfFunctions($ranges);
    }

    protected function readMeta(): RunMeta
    {
        return $this->completed($this->file->document('meta'), $this->time);
    }

    /** The edges of its call tree, which need not fit into memory and is read when they are asked for, or those of a run without one. */
    protected function readProfile(): Profile
    {
        $profile = $this->has(self::TREE)
            ? Profile::ofTree($this->pathNodes() ?? $this->treeNodes())
            : Profile::fromEdges(EdgeColumns::toEdges($this->document('edges')), false);

        return $profile->sampled($this->meta()->recording->sampleCount());
    }

    /** Reads the call tree, and adds corrected times if they can be computed. */
    protected function readTree(): ?CallTree
    {
        return $this->has(self::TREE) ? CorrectedTimes::addTo($this->paths('call tree'), $this->meta()->recording->overhead) : null;
    }

    protected function readSamples(): ?SampleColumns
    {
        return $this->has(self::SAMPLES)
            ? SampleColumns::fromLog($this->document('samples'), $this->paths('samples'))
            : null;
    }

    protected function readTimeline(): ?Timeline
    {
        $tree = $this->has(self::TIMELINE) ? $this->tree() : null;

        return $tree === null ? null : Timeline::fromArray($this->document('timeline'), $tree);
    }

    protected function readMemory(): ?MemoryProfile
    {
        return $this->has(self::MEMORY)
            ? MemoryProfile::fromArray($this->document('memory'), $this->paths('call paths')->withoutMetrics())
            : null;
    }

    protected function readOperations(): ?OperationReport
    {
        if (!$this->has(self::OPERATIONS)) {
            return null;
        }
        if (!$this->has(self::TREE)) {
            throw new InvalidProfile('the call tree of its call paths is missing');
        }
        $operations = Operations::fromArray($this->document('operations'), $this->nodes());

        return new OperationReport($operations, TreePaths::ofNodes($this->treeNodes()) ?? $this->paths('call paths'));
    }

    protected function readContexts(): ?TraceContexts
    {
        if (!$this->has(self::CONTEXTS) || !$this->has(self::TREE) || $this->hasTooManySamples()) {
            return null;
        }

        return TraceContexts::fromArray(
            $this->document('contexts'),
            $this->has(self::SAMPLES) ? $this->document('samples') : [],
            $this->has(self::OPERATIONS) ? $this->document('operations') : [],
            $this->nodes(),
        );
    }

    private function treeNodes(): TreeNodes
    {
        $inHead = $this->file->head()[self::TREE] ?? [];
        // What no column holds stands in the head, as a metric with a dot in its name, or beyond 2^53.
        if (($inHead['self'] ?? []) !== [] || array_intersect_key($inHead, self::OF_NODES) !== []) {
            return $this->paths('calls')->nodes();
        }
        $names = array_map(EdgeKey::escaped(...), SavedColumns::names($this->file->texts('tree.names'), 'the call tree'));
        $figures = $this->file->columns('tree.self');
        if (array_filter($figures, Metrics::isFigure(...)) !== $figures) {
            throw new InvalidProfile('a column of the call tree has no valid name');
        }
        $metrics = Metrics::ofEdges($figures);
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
        self::assertNumber($inHead, $this->file->count('tree.fn'));
        if ($this->file->packed('tree.ct') === null && min([0, ...$this->file->column('tree.ct')]) < 0) {
            throw new InvalidProfile('a node of the call tree has calls below 0');
        }
        $enough = TreeNodes::most($this->file->largest('tree.depth'));
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

    /**
     * Without corrected times, for another document, which has its nodes.
     *
     * @param string $document for the message
     */
    private function paths(string $document): CallTree
    {
        if (!$this->has(self::TREE)) {
            throw new InvalidProfile("the call tree of its $document is missing");
        }

        return $this->once('paths', function (): CallTree {
            $data = $this->document(self::TREE);
            $tree = CallTree::fromArray($data);
            self::assertNumber($data, $tree->count());

            return $tree;
        });
    }

    /**
     * @param array<mixed> $tree
     *
     * @throws InvalidProfile
     */
    private static function assertNumber(array $tree, int $nodes): void
    {
        if (($tree['n'] ?? $nodes) !== $nodes) {
            throw new InvalidProfile('the number of nodes differs from the announced one');
        }
    }

    /**
     * @return array<mixed>
     *
     * @throws RunTooLarge if its columns do not fit into memory
     */
    private function document(string $name): array
    {
        if ($this->file->values($name) > min(self::MAX_NUMBERS, intdiv(PhpMemory::left(), self::BYTES_PER_NUMBER))) {
            $limit = ini_get('memory_limit');
            throw new RunTooLarge("$this->path: its $name is too large for the memory of this PHP, memory_limit=$limit");
        }

        return $this->file->document($name);
    }
}
