<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\AmbiguousRun;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\File\OpenFile;
use XHProf\Memory\MemoryProfile;
use XHProf\Operation\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\Timeline;
use XHProf\Profile\TreeHead;
use XHProf\Run\RunFile;

/**
 * The runs of one folder: ID.SOURCE.run, each with an optional ID.SOURCE.label.json, and ID.SOURCE.xhprof of PECL's XHProf. Single
 * requests that an aggregate has kept are read as runs too: see Exemplars.
 *
 * @phpstan-import-type KeptRequest from Exemplars
 */
final class RunStore
{
    private readonly Folder $folder;

    private readonly RunFolder $runs;

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
        $this->runs = new RunFolder($this->folder);
        $this->reader = new RunReader($this->runs, $this);
        $this->writer = new RunWriter($this->folder);
        $this->exemplars = new Exemplars($this->runs, $this);
    }

    public function directory(): string
    {
        return $this->folder->path;
    }

    /** @return string path of the run's file */
    public function path(RunId $id): string
    {
        return $this->runs->path($id);
    }

    public function has(RunId $id): bool
    {
        return $this->runs->has($id) || $this->isExemplar($id);
    }

    /** @return int|null µs that a single request of an aggregate took; null if it is none, or cannot be read */
    public function exemplarWall(RunId $id): ?int
    {
        try {
            return $this->runs->has($id) ? null : $this->exemplars->wall($id);
        } catch (DamagedRun | StoreError) {
            return null;
        }
    }

    /** Whether it is a single request of an aggregate: see Exemplars. False also where that cannot be read. */
    public function isExemplar(RunId $id): bool
    {
        if ($this->runs->has($id)) {
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
        $saved = $this->runs->saved($id);
        $profile = $saved === null
            ? ClassicFile::decode($this->runs->classic($id), $this->path($id))
            : $this->folded($saved, $id);

        return $profile->sampled($this->meta($id)->sampleCount());
    }

    /**
     * Reads the file of a run from anywhere, whatever its name, for the command line. Never pass it a path from a request.
     *
     * @return array{0: Profile, 1: RunMeta}
     *
     * @throws DamagedRun|StoreError
     */
    public static function readFile(string $path): array
    {
        $file = OpenFile::named($path);
        if (!RunFile::is($file)) {
            return [ClassicFile::decode($file->bytes(Folder::MAX_BYTES), $path), new RunMeta()];
        }
        $saved = new SavedRun(RunFile::of($file), $path);
        $meta = $saved->meta();

        return [$saved->profile()->sampled($meta->sampleCount()), $meta];
    }

    /**
     * @return array<array-key, string>|null the samples that saveSamples() wrote; null if the run is a profile, or damaged
     *
     * @throws RunNotFound|StoreError
     */
    public function samples(RunId $id): ?array
    {
        return $this->open($id) === null && $this->runs->holdsSamples($id)
            ? ClassicFile::decodeSamples($this->runs->classic($id))
            : null;
    }

    /**
     * @return SampleColumns|null the samples in the order of time; null for a run that was not sampled, or was too short for one
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function sampleColumns(RunId $id): ?SampleColumns
    {
        $saved = $this->open($id);
        if ($saved === null && !$this->runs->holdsSamples($id)) {
            return null;
        }
        // The pages of a sampled run ask for the samples more than once.
        $version = $this->version($id);
        if ($this->sampled === null || $this->sampled[0] !== $version) {
            $columns = $saved === null
                ? ClassicFile::decodeColumns($this->runs->classic($id), $this->path($id))
                : $saved->samples();
            $this->sampled = [$version, $columns];
        }

        return $this->sampled[1];
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
        $saved = $this->runs->saved($id);
        try {
            return $saved === null ? $this->sampleColumns($id)?->tree() : $saved->tree();
        } catch (InvalidProfile $e) {
            throw new DamagedRun("{$this->path($id)}: not a run ({$e->getMessage()})", 0, $e);
        }
    }

    /**
     * @return TreeHead|null the functions of the call tree, without reading all of it; null if none was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function treeHead(RunId $id): ?TreeHead
    {
        return $this->open($id)?->treeHead();
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
        return $this->hasDocument($id, 'tree') || $this->runs->holdsSamples($id) || $this->isExemplar($id);
    }

    /**
     * The file itself, for code that passes parts of it on: they are not checked.
     *
     * @return RunFile|null null of PECL's XHProf, and of a single request of an aggregate
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function file(RunId $id): ?RunFile
    {
        return $this->open($id)?->file;
    }

    /**
     * The names in a run's call tree, in the order of their first call, without reading the whole tree.
     *
     * @return list<string> none if no tree was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function treeNames(RunId $id): array
    {
        if ($this->isExemplar($id)) {
            return $this->exemplars->tree($id)->names;
        }
        $file = $this->file($id);

        return $file !== null && $file->hasColumn('tree.names') ? $file->texts('tree.names') : [];
    }

    /**
     * @return bool whether the run has samples in order of time: see sampleColumns()
     */
    public function isSampled(RunId $id): bool
    {
        return $this->hasDocument($id, 'samples') || $this->runs->holdsSamples($id);
    }

    /**
     * @return bool whether the run has the times of its calls: see timeline()
     */
    public function hasTimeline(RunId $id): bool
    {
        return $this->hasDocument($id, 'timeline') && $this->hasDocument($id, 'tree');
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
        return $this->open($id)?->timeline($tree);
    }

    /**
     * Ranges of the time of a run.
     */
    public function parts(): RunParts
    {
        return $this->parts ??= new RunParts($this, $this->runs);
    }

    /** How much there is of a run, before it is read. */
    public function sizes(): RunSizes
    {
        return $this->sizes ??= new RunSizes($this->runs);
    }

    /**
     * @return string changes when the run does
     *
     * @throws RunNotFound
     */
    public function version(RunId $id): string
    {
        $of = $this->isExemplar($id) ? Exemplars::aggregateOf($id) ?? $id : $id;

        return hash('sha256', serialize([(string) $id, $this->runs->name($of), $this->runs->stat($of)]));
    }

    /**
     * @return bool whether the run has a memory profile
     */
    public function hasMemory(RunId $id): bool
    {
        return $this->hasDocument($id, 'memory');
    }

    /**
     * @return MemoryProfile|null null if none was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function memory(RunId $id): ?MemoryProfile
    {
        return $this->open($id)?->memory();
    }

    /**
     * @return bool whether the run has a record of operations
     */
    public function hasOperations(RunId $id): bool
    {
        return $this->hasDocument($id, 'operations');
    }

    /**
     * @return OperationReport|null null if none was saved
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function operations(RunId $id): ?OperationReport
    {
        return $this->open($id)?->operations();
    }

    /**
     * @return Profile|null the same run with its corrected times beside the raw ones; null if it has none
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function withCorrected(Profile $profile, RunId $id): ?Profile
    {
        try {
            return CorrectedTimes::join($profile, $this->tree($id));
        } catch (InvalidProfile $e) {
            throw new DamagedRun("{$this->path($id)}: {$e->getMessage()}", 0, $e);
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
        $saved = $this->runs->saved($id);
        if ($saved !== null) {
            return $saved->meta();
        }
        $columns = $this->runs->holdsSamples($id) ? $this->sampleColumns($id) : null;
        $bare = RunReader::bareMeta($id, $this->runs->stat($id)['mtime']);

        return $columns === null ? $bare : RunMeta::fromArray(RunWriter::describeSamples($columns) + $bare->toArray());
    }

    /**
     * Writes the run and its metadata: the given, and calls, functions, totals and time where not given. A run of the same name
     * is replaced; its label stays, because it belongs to the name.
     *
     * @param Profile|array<mixed>     $profile its edges are kept where there is no call tree
     * @param string|null              $id      null for a new one
     * @param array<array-key, mixed>  $meta    in the shape of RunMeta::fromArray() (RunMeta::here() helps); other keys go under
     *     "meta"
     * @param CallTree|null            $tree    the call paths behind the profile, if known
     * @param array<string, mixed>|null $log    samples of the tree's nodes, as SampleColumns::fromLog() takes them
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
        $profile = is_array($profile) ? Profile::fromEdges($profile) : $profile;

        return $this->saved($source, $id, fn (RunId $run) => $this->writer->save($run, $profile, $meta, $tree, $log));
    }

    /**
     * Writes a profile as PECL's XHProf does: its edges alone, without metadata.
     *
     * @param Profile|array<mixed> $profile
     * @param string|null          $id      null for a new one
     *
     * @throws InvalidProfile|InvalidRunId|StoreError
     */
    public function saveClassic(Profile|array $profile, string $source, ?string $id = null): RunId
    {
        $profile = is_array($profile) ? Profile::fromEdges($profile) : $profile;

        return $this->saved($source, $id, fn (RunId $run) => $this->writer->saveClassic($run, $profile->recorded()->edges()));
    }

    /**
     * Writes the result of xhprof_sample_disable() as PECL's XHProf does. load() and tree() compute their values from it: see
     * SampleColumns.
     *
     * @param array<mixed> $samples time => call stack
     * @param string|null  $id      null for a new one
     *
     * @throws InvalidProfile|InvalidRunId|StoreError
     */
    public function saveSamples(array $samples, string $source, ?string $id = null): RunId
    {
        SampleColumns::fromSamples($samples);

        return $this->saved($source, $id, fn (RunId $run) => $this->writer->saveClassic($run, $samples));
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
        $summaries = [];
        foreach ($this->folder->names() as $name) {
            $id = RunId::fromFileName($name);
            if ($id !== null) {
                $summaries[(string) $id] ??= $this->reader->summary($id);
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
        $this->runs->stat($id);

        return $this->reader->label($id);
    }

    /**
     * @throws RunNotFound
     * @throws StoreError  when it cannot be written
     */
    public function setLabel(RunId $id, Label $label): void
    {
        $this->runs->stat($id);
        $name = $id->fileName('label.json');
        if (!$label->isEmpty()) {
            $this->folder->write($name, $label->toJson());
        } elseif (!$this->folder->remove($name)) {
            throw new StoreError("{$this->directory()}/$name cannot be removed");
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
        if (!$this->folder->holds($this->runs->name($id))) {
            throw $this->runs->notFound($id);
        }
        // The run first: its label is useless without it.
        foreach (RunId::KINDS as $kind) {
            if (!$this->folder->remove($id->fileName($kind))) {
                throw new StoreError("{$this->directory()}/{$id->fileName($kind)} cannot be removed");
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
        return (new RunFinder($this->runs, $this))->find($idOrPrefix, $source);
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

    /**
     * @param \Closure(RunId): void $write
     *
     * @throws InvalidProfile|InvalidRunId|StoreError
     */
    private function saved(string $source, ?string $id, \Closure $write): RunId
    {
        $run = RunId::fromStrings($id ?? self::newId(), $source);
        $isReplaced = $this->has($run);
        $write($run);
        if ($isReplaced) {
            // A new run is found by its name.
            $this->catalog()->refresh($run);
        }

        return $run;
    }

    /** The edges of a run, kept where its call tree is large. */
    private function folded(SavedRun $saved, RunId $id): Profile
    {
        $cache = $this->sizes()->run($id) < DerivedCache::LARGE ? null : DerivedCache::ofUser();

        return $cache === null
            ? $saved->profile()
            /** @param \Closure(): string $make */
            : $saved->profile(fn (\Closure $make): string
                => (string) $cache->remember([$this->directory(), $this->version($id), 'edges'], $make));
    }

    /**
     * @return SavedRun|null null of PECL's XHProf, and of a single request of an aggregate
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    private function open(RunId $id): ?SavedRun
    {
        return $this->isExemplar($id) ? null : $this->runs->saved($id);
    }

    private function hasDocument(RunId $id, string $name): bool
    {
        return $this->runs->readable($id)?->has($name) ?? false;
    }
}
