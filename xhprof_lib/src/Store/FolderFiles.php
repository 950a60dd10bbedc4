<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Exception\XHProfException;
use XHProf\File\Folder;
use XHProf\Run\ClassicFile;
use XHProf\Run\ClassicRun;
use XHProf\Run\Run;
use XHProf\Run\RunFile;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Run\SavedRun;

/**
 * The files of a folder that are runs: ID.SOURCE.run, or ID.SOURCE.xhprof of PECL's XHProf where there is no such file.
 *
 * @internal see RunFolder
 */
final class FolderFiles
{
    /** Larger runs without totals in their metadata are listed without figures; samples take up to 150 times their bytes. */
    private const MAX_RUN_BYTES = 4 << 20;
    private const MAX_SAMPLE_BYTES = 1 << 20;

    public function __construct(public readonly Folder $folder)
    {
    }

    /** @return string path of the run's file */
    public function path(RunId $id): string
    {
        return "{$this->folder->path}/{$this->name($id)}";
    }

    /**
     * @param array{size: int, mtime: int, ino: int} $stat
     *
     * @throws RunNotFound|DamagedRun|StoreError
     */
    public function open(RunId $id, string $name, array $stat, string $version): Run
    {
        $path = "{$this->folder->path}/$name";
        if (str_ends_with($name, '.' . RunId::RUN)) {
            $file = $this->folder->open($name) ?? throw $this->notFound($id);

            return new SavedRun($id, $path, RunFile::fromFile($file), $version, $stat['mtime']);
        }
        $isSampled = ClassicFile::holdsSamples($this->folder->head($name, ClassicFile::HEAD));
        $bytes = fn (): string => $this->folder->read($name);

        return new ClassicRun($id, $path, $bytes, $isSampled, $stat['mtime'], $version);
    }

    /** @return string name of the run's file, whether it is there or not */
    public function name(RunId $id): string
    {
        $name = $id->fileName();
        $classic = $id->fileName(RunId::CLASSIC);

        return $this->folder->holds($classic) && !$this->folder->holds($name) ? $classic : $name;
    }

    public function has(RunId $id): bool
    {
        return $this->folder->has($this->name($id));
    }

    /**
     * A run as lists show it. Of its file only the head is read, unless the metadata have no totals. A damaged run gets an error in
     * its own entry: it never hides another.
     *
     * @param array<array-key, mixed>|null $names files of the folder, as keys; null to look
     * @param int                          $budget bytes of runs that may be read for their values; reduced by each reading
     *
     * @return RunEntry|null null if it is not there
     */
    public function entry(RunId $id, ?array $names = null, int &$budget = self::MAX_RUN_BYTES): ?RunEntry
    {
        // Taken first: an entry whose files are replaced meanwhile is out of date, not wrong for ever.
        [$stamp, $size] = $this->stamp($id, $names);
        $name = $this->name($id);
        $stat = $this->folder->stat($name);
        if ($stat === null && !$this->folder->holds($name)) {
            return null;
        }
        $bytes = $stat['size'] ?? 0;
        $meta = RunMeta::fromArray(['id' => $id->id, 'source' => $id->source, 'ts' => (float) ($stat['mtime'] ?? 0)]);
        $totals = [];
        $error = match (true) {
            $stat === null => "{$this->path($id)}: not a regular file of the run folder",
            $bytes === 0 => "{$this->path($id)}: the file is empty",
            default => null,
        };
        if ($stat !== null && $error === null) {
            try {
                $run = $this->open($id, $name, $stat, '');
                $isReadable = $bytes <= min($budget, $run->has(Run::SAMPLES) ? self::MAX_SAMPLE_BYTES : self::MAX_RUN_BYTES);
                $meta = $run instanceof SavedRun || $isReadable ? $run->meta() : $meta;
                $totals = $meta->totals->figures;
                if ($totals === [] && $isReadable) {
                    $budget -= $bytes;
                    $totals = $run->profile()->recorded()->totals();
                }
            } catch (XHProfException $e) {
                $error = $e->getMessage();
            }
        }
        $isLabelled = $names === null || isset($names[$id->fileName('label.json')]);
        $label = $isLabelled ? $this->label($id) : Label::none();
        $meta = $totals === $meta->totals->figures ? $meta : $meta->with(['totals' => array_map(intval(...), $totals)]);
        $time = $meta->ts ?? (float) ($stat['mtime'] ?? 0);

        return new RunEntry($id, $time, $stamp, $size, $meta->titleOr($id->id), $meta, $error, $label);
    }

    /**
     * @param array<array-key, mixed>|null $names files of the folder, as keys; null to look
     *
     * @return array{0: string, 1: int} stamp that changes with the files behind a RunEntry; bytes of all files
     */
    public function stamp(RunId $id, ?array $names = null): array
    {
        $stamp = [];
        $size = 0;
        foreach (RunId::KINDS as $kind) {
            $name = $id->fileName($kind);
            $stat = $names === null || isset($names[$name]) ? $this->folder->stat($name) : null;
            $size += $stat['size'] ?? 0;
            $stamp[] = $stat === null ? '-' : "$stat[mtime].$stat[size].$stat[ino]";
        }

        return [implode(' ', $stamp), $size];
    }

    /**
     * @return array{size: int, mtime: int, ino: int}
     *
     * @throws RunNotFound
     */
    public function stat(RunId $id): array
    {
        return $this->folder->stat($this->name($id)) ?? throw $this->notFound($id);
    }

    public function notFound(RunId $id): RunNotFound
    {
        return new RunNotFound("there is no run $id in {$this->folder->path}");
    }

    public function label(RunId $id): Label
    {
        $name = $id->fileName('label.json');
        $stat = $this->folder->stat($name);
        if ($stat === null) {
            return $this->folder->holds($name) ? Label::damaged('not a regular file of the run folder') : Label::none();
        }
        if ($stat['size'] > Label::MAX_BYTES) {
            return Label::damaged('too large for a label');
        }
        try {
            return Label::fromJson($this->folder->read($name));
        } catch (StoreError) {
            return Label::damaged('the file cannot be read');
        }
    }
}
