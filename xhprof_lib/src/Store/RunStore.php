<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\AmbiguousRun;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Memory\MemoryProfile;
use XHProf\Operation\OperationReport;
use XHProf\Operation\Operations;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\SampleCount;
use XHProf\Profile\Timeline;
use XHProf\Profile\TreeHead;
use XHProf\Profile\TreeTimes;

/**
 * The runs of one folder: ID.SOURCE.xhprof, each with an optional ID.SOURCE.meta.json, ID.SOURCE.tree.json,
 * ID.SOURCE.samples.json, ID.SOURCE.timeline.json, ID.SOURCE.memory.json, ID.SOURCE.operations.json, ID.SOURCE.exemplars.json and
 * ID.SOURCE.label.json. Single requests that an aggregate has kept are read as runs too: see Exemplars.
 *
 * @phpstan-import-type KeptRequest from Exemplars
 */
final class RunStore
{
    /** Bytes at the beginning of a tree.json that are searched for its names. */
    private const MAX_NAMES = 16 << 20;

    /** The member "names" of a tree.json. */
    private const NAMES = '/"names":\s*+(\[(?:[^"\]]|"(?:[^"\\\\]|\\\\.)*+")*+\])/';

    private readonly Folder $folder;

    private readonly RunReader $reader;

    private readonly RunWriter $writer;

    private ?RunCatalog $catalog = null;

    private ?RunParts $parts = null;

    private ?RunSizes $sizes = null;

    private readonly Exemplars $exemplars;

    /** @var array{0: string, 1: SampleColumns|null}|null the run whose samples were read last */
    private ?array $sampled = null;

    /**
     * @param string|null $dir null or '' for the one that DefaultFolder::named() finds, else the user's own folder below that for
     *     temporary files. Only the last one is created.
     *
     * @throws StoreError if the user's own folder belongs to another: see DefaultFolder
     */
    public function __construct(?string $dir = null)
    {
        $found = DefaultFolder::named($dir) ?? DefaultFolder::open();
        $this->folder = new Folder($found === '/' ? $found : rtrim($found, '/'));
        $this->reader = new RunReader($this->folder, $this);
        $this->writer = new RunWriter($this->folder);
        $this->exemplars = new Exemplars($this->folder, $this);
    }

    public function directory(): string
    {
        return $this->folder->path;
    }

    public function has(RunId $id): bool
    {
        return $this->folder->has($id->fileName()) || $this->isExemplar($id);
    }

    /** @return int|null µs that a single request of an aggregate took; null if it is none, or cannot be read */
    public function exemplarWall(RunId $id): ?int
    {
        try {
            return $this->folder->has($id->fileName()) ? null : $this->exemplars->wall($id);
        } catch (DamagedRun | StoreError) {
            return null;
        }
    }

    /** Whether it is a single request of an aggregate: see Exemplars. False also where that cannot be read. */
    public function isExemplar(RunId $id): bool
    {
        if ($this->folder->has($id->fileName())) {
            return false;
        }
        try {
            return $this->exemplars->has($id);
        } catch (DamagedRun | StoreError) {
            return false;
        }
    }

    /**
     * @throws RunNotFound
     * @throws DamagedRun  naming the file
     * @throws StoreError  when it cannot be read
     */
    public function load(RunId $id): Profile
    {
        if ($this->isExemplar($id)) {
            return $this->exemplars->tree($id)->toProfile()->sampled($this->exemplars->sampleCount($id));
        }
        $this->statOrFail($id);
        $profile = $this->holdsSamples($id)
            ? $this->fromSamples($id, static fn (CallTree $tree): Profile => $tree->toProfile())
            : $this->timed(RunFile::decode($this->folder->read($id->fileName()), $this->path($id->fileName())), $id);

        return $profile->sampled($this->sampleCount($id));
    }

    /** As load(), also in what it throws, but without the call tree: times are in whole microseconds. */
    public function recorded(RunId $id): Profile
    {
        if ($this->isExemplar($id)) {
            return $this->load($id)->recorded();
        }
        $this->statOrFail($id);
        $profile = RunFile::decode($this->folder->read($id->fileName()), $this->path($id->fileName()));

        return $profile->recorded()->sampled($this->sampleCount($id));
    }

    /**
     * @return array<array-key, string>|null the samples that saveSamples() wrote; null if the run is a profile, or damaged
     *
     * @throws RunNotFound|StoreError
     */
    public function samples(RunId $id): ?array
    {
        $this->findOrFail($id);

        return $this->holdsSamples($id) ? RunFile::decodeSamples($this->folder->read($id->fileName())) : null;
    }

    /**
     * @return SampleColumns|null the samples in the order of time; null for a run that was not sampled, or was too short for one
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function sampleColumns(RunId $id): ?SampleColumns
    {
        if ($this->isExemplar($id)) {
            return null;
        }
        $this->statOrFail($id);
        $log = $id->fileName('samples.json');
        $hasLog = $this->folder->has($log);
        if (!$hasLog && !$this->holdsSamples($id)) {
            return null;
        }
        // The pages of a sampled run ask for the samples more than once.
        [$known, $columns] = $this->sampled ?? [null, null];
        if ($columns === null || $known !== (string) $id) {
            $columns = $hasLog
                ? SampleColumns::fromJsonFile($this->path($log), $this->treeOfLog($id), $this->bytes($log))
                : RunFile::decodeColumns($this->folder->read($id->fileName()), $this->path($id->fileName()));
            $this->sampled = [(string) $id, $columns];
        }

        return $columns;
    }

    /**
     * @return CallTree|null null if none was saved; that of a sampled run is computed from its samples
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function tree(RunId $id): ?CallTree
    {
        if ($this->isExemplar($id)) {
            return $this->exemplars->tree($id);
        }
        $this->statOrFail($id);

        return $this->savedTree($id)
            ?? ($this->holdsSamples($id) ? $this->fromSamples($id, static fn (CallTree $tree): CallTree => $tree) : null);
    }

    /**
     * @return TreeHead|null the functions of the call tree, without reading all of it; null if none was saved
     *
     * @throws DamagedRun|StoreError
     */
    public function treeHead(RunId $id): ?TreeHead
    {
        $file = $this->treeFile($id);

        return $file === null ? null : TreeHead::read($file->path, $file->part(...));
    }

    /**
     * Single requests that an aggregate has kept, see Exemplars.
     *
     * @return list<KeptRequest>
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function exemplars(RunId $aggregate): array
    {
        return $this->exemplars->all($aggregate);
    }

    /**
     * @return bool whether tree() returns one: it was saved, or can be computed from samples
     */
    public function hasTree(RunId $id): bool
    {
        return $this->folder->has($id->fileName('tree.json')) || $this->isExemplar($id)
            || ($this->folder->has($id->fileName()) && $this->holdsSamples($id));
    }

    /**
     * For code that passes the file on as it is: its content is not checked.
     *
     * @return OpenFile|null null if none was saved
     *
     * @throws StoreError
     */
    public function treeFile(RunId $id): ?OpenFile
    {
        return $this->folder->open($id->fileName('tree.json'));
    }

    /**
     * The names in a run's call tree, in the order of their first call, without reading the whole tree.
     *
     * @return list<string> none if no tree was saved, or they are not where the extension writes them
     *
     * @throws StoreError
     */
    public function treeNames(RunId $id): array
    {
        if ($this->isExemplar($id)) {
            return $this->exemplars->tree($id)->names;
        }
        $file = $this->treeFile($id);
        $match = [];
        for ($bytes = 1 << 16; $file !== null && $match === [] && $bytes <= self::MAX_NAMES; $bytes <<= 4) {
            preg_match(self::NAMES, $file->part(0, $bytes), $match);
            $bytes = $bytes < $file->size ? $bytes : self::MAX_NAMES;
        }
        $names = json_decode($match[1] ?? '', true, 2, JSON_INVALID_UTF8_SUBSTITUTE);

        return is_array($names) ? array_values(array_filter($names, is_string(...))) : [];
    }

    /**
     * @return bool whether the run has samples in order of time: see sampleColumns()
     */
    public function isSampled(RunId $id): bool
    {
        return $this->folder->has($id->fileName())
            && ($this->folder->has($id->fileName('samples.json')) || $this->holdsSamples($id));
    }

    /**
     * @return bool whether the run has the times of its calls: see timeline()
     */
    public function hasTimeline(RunId $id): bool
    {
        return $this->folder->has($id->fileName('timeline.json')) && $this->folder->has($id->fileName('tree.json'));
    }

    /**
     * For code that passes the file on as it is: its content is not checked.
     *
     * @return OpenFile|null null if none was saved
     *
     * @throws StoreError
     */
    public function timelineFile(RunId $id): ?OpenFile
    {
        return $this->folder->open($id->fileName('timeline.json'));
    }

    /**
     * @param CallTree $tree of the same run
     *
     * @return Timeline|null null if none was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function timeline(RunId $id, CallTree $tree): ?Timeline
    {
        $this->findOrFail($id);
        $name = $id->fileName('timeline.json');

        return $this->folder->has($name) ? Timeline::fromJsonFile($this->path($name), $tree, $this->bytes($name)) : null;
    }

    /**
     * Ranges of the time of a run.
     */
    public function parts(): RunParts
    {
        return $this->parts ??= new RunParts($this);
    }

    /** Bytes of files of a run, before they are read. */
    public function sizes(): RunSizes
    {
        return $this->sizes ??= new RunSizes($this->folder);
    }

    /**
     * @return string changes when any file of the run does
     *
     * @throws RunNotFound
     */
    public function version(RunId $id): string
    {
        $aggregate = $this->isExemplar($id) ? Exemplars::aggregateOf($id) : null;
        $files = [(string) $id, $this->statOrFail($aggregate ?? $id)];
        $id = $aggregate ?? $id;
        foreach (array_diff(RunId::KINDS, ['xhprof', 'label.json']) as $kind) {
            $files[] = $this->folder->stat($id->fileName($kind));
        }

        return hash('sha256', serialize($files));
    }

    /**
     * @return bool whether the run has a memory profile
     */
    public function hasMemory(RunId $id): bool
    {
        return $this->folder->has($id->fileName('memory.json'));
    }

    /**
     * @return MemoryProfile|null null if none was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function memory(RunId $id): ?MemoryProfile
    {
        $this->findOrFail($id);
        if (!$this->hasMemory($id)) {
            return null;
        }
        $name = $id->fileName('memory.json');
        $file = $this->path($name);
        $tree = $this->tree($id)?->withoutMetrics()
            ?? throw new DamagedRun("$file: the call tree of its call paths is missing");

        return MemoryProfile::fromJsonFile($file, $tree, $this->bytes($name));
    }

    /**
     * @return bool whether the run has a record of operations
     */
    public function hasOperations(RunId $id): bool
    {
        return $this->folder->has($id->fileName('operations.json'));
    }

    /**
     * For code that passes the file on as it is: its content is not checked.
     *
     * @return OpenFile|null null if none was saved
     *
     * @throws StoreError
     */
    public function operationsFile(RunId $id): ?OpenFile
    {
        return $this->folder->open($id->fileName('operations.json'));
    }

    /**
     * @return OperationReport|null null if none was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function operations(RunId $id): ?OperationReport
    {
        $this->findOrFail($id);
        if (!$this->hasOperations($id)) {
            return null;
        }
        $name = $id->fileName('operations.json');
        $file = $this->path($name);
        $tree = $this->tree($id) ?? throw new DamagedRun("$file: the call tree of its call paths is missing");

        return new OperationReport(Operations::fromJsonFile($file, $tree->count(), $this->bytes($name)), $tree);
    }

    /**
     * @return Profile|null the same run with its corrected times beside the raw ones; null if none were saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function withCorrected(Profile $profile, RunId $id): ?Profile
    {
        try {
            return CorrectedTimes::join($profile, $this->tree($id));
        } catch (InvalidProfile $e) {
            throw new DamagedRun($this->path($id->fileName('tree.json')) . ": {$e->getMessage()}", 0, $e);
        }
    }

    /**
     * @return RunMeta with id, source and time even if none was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function meta(RunId $id): RunMeta
    {
        if ($this->isExemplar($id)) {
            return $this->exemplars->meta($id);
        }
        $stat = $this->statOrFail($id);

        $meta = $this->reader->meta($id) ?? RunReader::bareMeta($id, $stat['mtime']);
        if ($meta->samples !== null || $this->sizes()->hasTooManySamples($id)) {
            return $meta;
        }
        try {
            $columns = $this->sampleColumns($id);
        } catch (DamagedRun $e) {
            // A damaged log beside the run is ignored: the other files suffice.
            $columns = $this->folder->has($id->fileName('samples.json')) ? null : throw $e;
        }

        return $columns === null ? $meta : RunMeta::fromArray(RunWriter::describeSamples($columns) + $meta->toArray());
    }

    /**
     * Writes the run and its metadata: the given, and calls, functions, totals and time where not given. A run of the same name
     * is replaced, its call tree and memory profile removed; its label stays, because it belongs to the name.
     *
     * @param Profile|array<mixed>     $profile
     * @param string|null              $id      null for a new one
     * @param array<array-key, mixed>  $meta    in the shape of meta.json (RunMeta::here() helps); other keys go under "meta"
     * @param CallTree|null            $tree    the call paths behind the profile, if known
     * @param array<string, mixed>|null $log    samples of the tree's nodes, in the shape of samples.json
     *
     * @throws InvalidProfile|InvalidRunId|StoreError
     */
    public function save(
        Profile|array $profile,
        string $source,
        ?string $id = null,
        array $meta = [],
        ?CallTree $tree = null,
        ?array $log = null,
    ): RunId {
        $run = RunId::fromStrings($id ?? self::newId(), $source);
        $isReplaced = $this->has($run);
        $this->writer->save($run, is_array($profile) ? Profile::fromEdges($profile) : $profile, $meta, $tree, $log);
        $this->refreshIndex($run, $isReplaced);

        return $run;
    }

    /**
     * Writes the result of xhprof_sample_disable(). load() and tree() compute their values from it: see SampleColumns.
     *
     * @param array<mixed>            $samples time => call stack
     * @param string|null             $id      null for a new one
     * @param array<array-key, mixed> $meta    in the shape of meta.json
     *
     * @throws InvalidProfile|InvalidRunId|StoreError
     */
    public function saveSamples(array $samples, string $source, ?string $id = null, array $meta = []): RunId
    {
        $run = RunId::fromStrings($id ?? self::newId(), $source);
        $isReplaced = $this->has($run);
        $this->writer->saveSamples($run, $samples, $meta);
        $this->refreshIndex($run, $isReplaced);

        return $run;
    }

    /**
     * Lists names, times and metadata without reading runs; damaged runs are listed with their error.
     *
     * @return list<RunSummary> newest first
     *
     * @throws StoreError if the folder cannot be read
     */
    public function list(): array
    {
        $names = array_flip($this->folder->names());
        $summaries = [];
        foreach ($names as $name => $_) {
            $id = RunId::fromFileName((string) $name);
            if ($id !== null) {
                $summaries[] = $this->reader->summary($id, isset($names[$id->fileName('meta.json')]));
            }
        }
        $summaries = array_values(array_filter($summaries));
        usort($summaries, static fn (RunSummary $a, RunSummary $b): int
            => [$b->time, (string) $b->id] <=> [$a->time, (string) $a->id]);

        return $summaries;
    }

    /**
     * The same runs in a form that can be searched, filtered, sorted and paged without reading them all.
     */
    public function catalog(): RunCatalog
    {
        return $this->catalog ??= new RunCatalog($this->folder, $this->reader);
    }

    public function isWritable(): bool
    {
        return $this->folder->isWritable();
    }

    /**
     * @return Label none() where nothing was said; damaged() where it cannot be read
     *
     * @throws RunNotFound
     */
    public function label(RunId $id): Label
    {
        $this->statOrFail($id);

        return $this->reader->label($id);
    }

    /**
     * @throws RunNotFound
     * @throws StoreError  when it cannot be written
     */
    public function setLabel(RunId $id, Label $label): void
    {
        $this->statOrFail($id);
        $name = $id->fileName('label.json');
        if (!$label->isEmpty()) {
            $this->folder->write($name, $label->toJson());
        } elseif (!$this->folder->remove($name)) {
            throw new StoreError($this->path($name) . ' cannot be removed');
        }
        $this->catalog()->refresh($id);
    }

    /**
     * Removes all files of the run and nothing else; a link is removed, its target is not.
     *
     * @throws RunNotFound
     * @throws StoreError  when the run cannot be removed
     */
    public function delete(RunId $id): void
    {
        if (!$this->folder->holds($id->fileName())) {
            throw new RunNotFound("there is no run {$id->fileName()} in {$this->directory()}");
        }
        // The run first: the other files are useless without it.
        foreach (RunId::KINDS as $kind) {
            if (!$this->folder->remove($id->fileName($kind))) {
                throw new StoreError($this->path($id->fileName($kind)) . ' cannot be removed');
            }
        }
        $this->catalog()->forget($id);
    }

    /**
     * @param string $idOrPrefix an id, its beginning, or "id.source"
     *
     * @throws InvalidRunId|RunNotFound|AmbiguousRun|StoreError
     */
    public function find(string $idOrPrefix, ?string $source = null): RunId
    {
        return (new RunFinder($this->folder, $this))->find($idOrPrefix, $source);
    }

    /**
     * @return string 32 hex digits, a random UUID
     */
    public static function newId(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);

        return bin2hex($bytes);
    }

    private function refreshIndex(RunId $run, bool $isReplaced): void
    {
        if ($isReplaced) {
            // A new run is found by its name.
            $this->catalog()->refresh($run);
        }
    }

    /** With the times of its call tree, kept where that is large. One that is damaged leaves those of the run. */
    private function timed(Profile $profile, RunId $id): Profile
    {
        $bytes = $this->sizes()->tree($id);
        $cache = $bytes < DerivedCache::LARGE ? null : DerivedCache::ofUser();
        $make = fn (): array => SavedTimes::columns(
            $profile,
            $bytes,
            fn (): ?TreeHead => $this->treeHead($id),
            fn (): ?CallTree => $this->savedTree($id),
        );
        try {
            $times = $cache?->remember([$this->directory(), $this->version($id), 'times'], $make) ?? $make();
        } catch (DamagedRun | InvalidProfile) {
            $times = [];
        }

        return TreeTimes::with($profile, $times);
    }

    private function savedTree(RunId $id): ?CallTree
    {
        $name = $id->fileName('tree.json');

        return $this->folder->has($name) ? CallTree::fromJsonFile($this->path($name), $this->bytes($name)) : null;
    }

    /** Reads a saved tree only: a tree computed from samples would come from this very log. */
    private function treeOfLog(RunId $id): CallTree
    {
        $log = $this->path($id->fileName('samples.json'));

        return $this->savedTree($id) ?? throw new DamagedRun("$log: the call tree of its samples is missing");
    }

    /** @return SampleCount|null null also where the metadata cannot be read: the figures still count */
    private function sampleCount(RunId $id): ?SampleCount
    {
        try {
            return $this->meta($id)->sampleCount();
        } catch (DamagedRun | StoreError) {
            return null;
        }
    }

    private function holdsSamples(RunId $id): bool
    {
        return !$this->isExemplar($id) && RunFile::holdsSamples($this->folder->head($id->fileName(), RunFile::HEAD));
    }

    /**
     * @template T
     *
     * @param \Closure(CallTree): T $make may throw InvalidProfile
     *
     * @return T
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    private function fromSamples(RunId $id, \Closure $make): mixed
    {
        $columns = $this->sampleColumns($id)
            ?? throw new RunNotFound("the run {$id->fileName()} has just been replaced");
        try {
            return $make($columns->tree());
        } catch (InvalidProfile $e) {
            throw new DamagedRun($this->path($id->fileName()) . ": not a run ({$e->getMessage()})", 0, $e);
        }
    }

    /**
     * @return \Closure(): string reads a file of the folder
     */
    private function bytes(string $name): \Closure
    {
        return fn (): string => $this->folder->read($name);
    }

    private function path(string $name): string
    {
        return $this->folder->path . '/' . $name;
    }

    /** @throws RunNotFound */
    private function findOrFail(RunId $id): void
    {
        if (!$this->isExemplar($id)) {
            $this->statOrFail($id);
        }
    }

    /**
     * @return array{size: int, mtime: int}
     */
    private function statOrFail(RunId $id): array
    {
        return $this->folder->stat($id->fileName())
            ?? throw new RunNotFound("there is no run {$id->fileName()} in {$this->directory()}");
    }
}
