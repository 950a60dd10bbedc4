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
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Run\ClassicFile;
use XHProf\Run\ClassicRun;
use XHProf\Run\Exemplars;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunFile;
use XHProf\Run\RunId;
use XHProf\Run\SavedRun;

/**
 * The runs of one folder: ID.SOURCE.run, each with an optional ID.SOURCE.label.json, and ID.SOURCE.xhprof of PECL's XHProf where
 * there is no such file. Single requests that a window has kept are runs too: see Exemplars.
 */
final class RunFolder
{
    /** Files of a folder that are read again rather than kept in an index. */
    private const WORTH_AN_INDEX = 200;

    /** The name of the newest run. */
    public const LATEST = 'latest';

    /** Runs that stay open: a comparison asks for several parts of two. */
    private const OPEN = 2;

    private readonly Folder $folder;

    private readonly FolderFiles $files;

    private readonly RunWriter $writer;

    private ?RunCatalog $catalog = null;

    /** @var array<string, Run> by their versions, the one that was asked for last at the end */
    private array $open = [];

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
        $this->files = new FolderFiles($this->folder);
        $this->writer = new RunWriter($this->folder);
    }

    public function directory(): string
    {
        return $this->folder->path;
    }

    /** @return string path of the run's file */
    public function path(RunId $id): string
    {
        return $this->files->path($id);
    }

    public function has(RunId $id): bool
    {
        return $this->files->has($id) || $this->isExemplar($id) || $this->isRange($id);
    }

    /** Whether it is a single request of a window: see Exemplars. False also where that cannot be read. */
    public function isExemplar(RunId $id): bool
    {
        return !$this->files->has($id) && ($this->windowOf($id)?->kept()->has($id) ?? false);
    }

    /** Whether it is a range of windows: see WindowRange. False also where the folder cannot be read. */
    public function isRange(RunId $id): bool
    {
        try {
            return WindowRange::is($id) && !$this->files->has($id)
                && WindowRange::open($this->catalog(), $id, $this->open(...))->version() !== '';
        } catch (RunNotFound | StoreError) {
            return false;
        }
    }

    /** @return int|null µs that a single request of a window took; null if the run is none, or cannot be read */
    public function exemplarWall(RunId $id): ?int
    {
        try {
            return $this->files->has($id) ? null : $this->windowOf($id)?->kept()->wall($id);
        } catch (DamagedRun | StoreError) {
            return null;
        }
    }

    /**
     * Opens a run. Of its file the head is read, the rest when it is asked for.
     *
     * @throws RunNotFound
     * @throws DamagedRun  naming the file
     * @throws StoreError  when it cannot be read
     */
    public function open(RunId $id): Run
    {
        if (!$this->files->has($id)) {
            if (WindowRange::is($id)) {
                return WindowRange::open($this->catalog(), $id, $this->open(...));
            }
            $window = Exemplars::windowOf($id);
            $saved = $window !== null && $this->files->has($window) ? $this->open($window) : null;

            return ($saved instanceof SavedRun ? $saved->kept()->run($id) : null) ?? throw $this->files->notFound($id);
        }
        $name = $this->files->name($id);
        $stat = $this->files->stat($id);
        $version = hash('sha256', serialize([$this->folder->path, (string) $id, $name, $stat]));
        $run = $this->open[$version] ?? null;
        unset($this->open[$version]);
        $this->open = array_slice($this->open, 1 - self::OPEN);
        $run ??= $this->files->open($id, $name, $stat, $version);
        // Changes later in this second leave the file's time as it is; and its clock may lag a little.
        if ($stat['mtime'] + 2 <= time()) {
            $this->open[$version] = $run;
        }

        return $run;
    }

    /**
     * Opens the run that a user names.
     *
     * @param string $name an id, its beginning, "id.source", the name of a file, or LATEST
     * @param string|null $source only runs of this source
     *
     * @throws InvalidRunId|RunNotFound|AmbiguousRun|DamagedRun|StoreError
     */
    public function find(string $name, ?string $source = null): Run
    {
        return $this->open($this->identify($name, $source));
    }

    /**
     * Finds the run that a user names, without opening it: see find().
     *
     * @throws InvalidRunId|RunNotFound|AmbiguousRun|StoreError
     */
    public function identify(string $name, ?string $source = null): RunId
    {
        $file = RunId::fromFileName($name);
        if ($file !== null && $this->has($file)) {
            return $file;
        }
        if ($name === self::LATEST) {
            $runs = $this->catalog()->find(new RunQuery(source: $source ?? ''), 1)->runs;

            return $runs[0]->id ?? throw new RunNotFound(
                'there is no run' . ($source === null ? '' : " of the source $source") . " in {$this->folder->path}",
            );
        }
        [$range, $of] = explode('.', $name, 2) + [1 => $source ?? ''];
        try {
            $named = $of === '' ? null : RunId::fromStrings($range, $of);
        } catch (InvalidRunId) {
            $named = null;
        }
        if ($named !== null && WindowRange::is($named)) {
            return $this->has($named) ? $named : throw $this->files->notFound($named);
        }
        [$window, $kept] = Exemplars::split($name);
        $found = $this->fileOf($window, $source);
        $id = $kept === '' ? $found : RunId::fromStrings($found->id . $kept, $found->source);

        return $kept === '' || $this->has($id) ? $id : throw $this->files->notFound($id);
    }

    /**
     * Opens what a user of the command line names: a run as find() takes it, the path of a file, or several of them with commas, of
     * which it makes the mean. One that is named twice counts twice, and is one run, as in the pages.
     *
     * @param string|null $source only runs of this source
     *
     * @throws InvalidRunId|RunNotFound|AmbiguousRun|DamagedRun|StoreError
     */
    public function named(string $names, ?string $source = null): Run
    {
        $list = array_values(array_filter(explode(',', $names), static fn (string $name): bool => $name !== ''));
        if (count($list) < 2 || is_file($names)) {
            $name = is_file($names) ? $names : $list[0] ?? throw new InvalidRunId("\"$names\" names no run");

            return self::isPath($name) ? self::openFile($name) : $this->find($name, $source);
        }
        // Once: a run that is saved meanwhile must not become the newest one.
        $found = array_map(
            fn (string $name): RunId|string => self::isPath($name) ? $name : $this->identify($name, $source),
            $list,
        );
        $texts = array_map(strval(...), $found);
        $weights = array_values(array_count_values($texts));
        $open = array_map(fn (RunId|string $run): \Closure => function () use ($run): Run {
            $opened = is_string($run) ? self::openFile($run) : $this->open($run);
            $this->open = []; // together they may not fit into memory

            return $opened;
        }, array_values(array_combine($texts, $found)));

        return count($open) === 1 ? $open[0]() : new MeanRun($open, max($weights) === 1 ? [] : $weights);
    }

    private static function isPath(string $name): bool
    {
        return str_contains($name, '/') || (RunId::textOf($name) !== null && is_file($name));
    }

    /**
     * Opens the file of a run, whatever its name and wherever it is, for the command line. Never pass it a path from a request.
     *
     * @throws DamagedRun|RunNotFound|StoreError
     */
    public static function openFile(string $path): Run
    {
        $id = RunId::fromFileName(basename($path));
        $folder = $id === null ? null : new self(dirname($path));
        if ($id !== null && $folder !== null && $folder->files->has($id) && $folder->files->name($id) === basename($path)) {
            return $folder->open($id);
        }
        $file = OpenFile::named($path);
        if (RunFile::is($file)) {
            return new SavedRun(null, $path, RunFile::fromFile($file));
        }
        $isSampled = ClassicFile::holdsSamples($file->part(0, ClassicFile::HEAD));

        return new ClassicRun(null, $path, static fn (): string => $file->bytes(Folder::MAX_BYTES), $isSampled, null);
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
     * Writes the result of xhprof_sample_disable() as PECL's XHProf does. Its figures are computed from it: see SampleColumns.
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
     * The runs of the folder, read from the heads of their files, which say what is damaged there: it needs no SQLite. PECL's files
     * have no head and are not read: their figures, and whether they are whole, are known to catalog().
     *
     * @return list<RunEntry> newest first
     *
     * @throws StoreError if the folder cannot be read
     */
    public function list(): array
    {
        $names = array_flip($this->folder->names());
        $budget = 0;
        $runs = [];
        foreach ($names as $name => $_) {
            $id = RunId::fromFileName((string) $name);
            if ($id !== null) {
                $runs[(string) $id] ??= $this->files->entry($id, $names, $budget);
            }
        }
        $runs = array_values(array_filter($runs));
        usort($runs, static fn (RunEntry $a, RunEntry $b): int => [$b->time, (string) $b->id] <=> [$a->time, (string) $a->id]);

        return $runs;
    }

    /**
     * Returns the catalog: it searches, filters, sorts and pages the runs of the folder without reading them all.
     */
    public function catalog(): RunCatalog
    {
        return $this->catalog ??= new RunCatalog($this->files);
    }

    /** Returns a catalog for one question to one of many folders: for few runs no index is written. */
    public function passingCatalog(): RunCatalog
    {
        return count($this->folder->names()) > self::WORTH_AN_INDEX ? $this->catalog() : new RunCatalog($this->files, false);
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
        $this->files->stat($id);

        return $this->files->label($id);
    }

    /**
     * @throws RunNotFound
     * @throws StoreError  when it cannot be written
     */
    public function setLabel(RunId $id, Label $label): void
    {
        $this->files->stat($id);
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
        if (!$this->folder->holds($this->files->name($id))) {
            throw $this->files->notFound($id);
        }
        // The run first: its label is useless without it.
        foreach (RunId::KINDS as $kind) {
            if (!$this->folder->remove($id->fileName($kind))) {
                throw new StoreError("{$this->directory()}/{$id->fileName($kind)} cannot be removed");
            }
        }
        $this->catalog()->refresh($id);
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

    /** @return SavedRun|null the window that may have kept a request of this name; null also where it cannot be read */
    private function windowOf(RunId $id): ?SavedRun
    {
        $window = Exemplars::windowOf($id);
        try {
            $run = $window !== null && $this->files->has($window) ? $this->open($window) : null;
        } catch (RunNotFound | DamagedRun | StoreError) {
            return null;
        }

        return $run instanceof SavedRun ? $run : null;
    }

    /** @throws InvalidRunId|RunNotFound|AmbiguousRun|StoreError */
    private function fileOf(string $idOrPrefix, ?string $source): RunId
    {
        if ($source === null && str_contains($idOrPrefix, '.')) {
            [$idOrPrefix, $source] = explode('.', $idOrPrefix, 2);
        }
        RunId::fromStrings($idOrPrefix, $source ?? 'any');
        $exact = [];
        $beginning = [];
        foreach ($this->folder->names() as $name) {
            $id = str_starts_with($name, $idOrPrefix) ? RunId::fromFileName($name) : null;
            if ($id === null || ($source !== null && $id->source !== $source) || !$this->files->has($id)) {
                continue;
            }
            $beginning[(string) $id] = $id;
            if ($id->id === $idOrPrefix) {
                $exact[(string) $id] = $id;
            }
        }
        $found = array_values($exact === [] ? $beginning : $exact);
        if ($found === []) {
            $ofSource = $source === null ? '' : " of the source $source";
            throw new RunNotFound("there is no run $idOrPrefix$ofSource in {$this->folder->path}");
        }
        if (count($found) > 1) {
            sort($found);
            $some = implode(', ', array_slice($found, 0, 3)) . (count($found) > 3 ? '...' : '');
            throw new AmbiguousRun("$idOrPrefix stands for " . count($found) . " runs: $some");
        }

        return $found[0];
    }
}
