<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\Run\RunFile;

/**
 * The files of a folder that are runs: ID.SOURCE.run, or ID.SOURCE.xhprof of PECL's XHProf where there is no such file.
 *
 * @internal
 */
final class RunFolder
{
    /** @var array{0: string, 1: SavedRun}|null the run that was opened last: pages ask for several parts of one */
    private ?array $last = null;

    public function __construct(public readonly Folder $files)
    {
    }

    /** @return string name of the run's file, whether it is there or not */
    public function name(RunId $id): string
    {
        $name = $id->fileName();
        $classic = $id->fileName(RunId::CLASSIC);

        return $this->files->holds($classic) && !$this->files->holds($name) ? $classic : $name;
    }

    /** @return string the same with its folder */
    public function path(RunId $id): string
    {
        return $this->files->path . '/' . $this->name($id);
    }

    public function has(RunId $id): bool
    {
        return $this->files->has($this->name($id));
    }

    /**
     * @return array{size: int, mtime: int, ino: int}
     *
     * @throws RunNotFound
     */
    public function stat(RunId $id): array
    {
        return $this->files->stat($this->name($id)) ?? throw $this->notFound($id);
    }

    public function notFound(RunId $id): RunNotFound
    {
        return new RunNotFound("there is no run $id in {$this->files->path}");
    }

    /**
     * @return SavedRun|null null for a file of PECL's XHProf
     *
     * @throws RunNotFound
     * @throws DamagedRun  naming the file
     * @throws StoreError  when it cannot be opened
     */
    public function saved(RunId $id): ?SavedRun
    {
        $name = $this->name($id);
        $key = "$name " . serialize($this->files->stat($name) ?? throw $this->notFound($id));
        if (!str_ends_with($name, '.' . RunId::RUN)) {
            return null;
        }
        if ($this->last === null || $this->last[0] !== $key) {
            $file = $this->files->open($name) ?? throw $this->notFound($id);
            $this->last = [$key, new SavedRun(RunFile::of($file), $file->path)];
        }

        return $this->last[1];
    }

    /**
     * @return string the contents of a file of PECL's XHProf
     *
     * @throws StoreError
     */
    public function classic(RunId $id): string
    {
        return $this->files->read($id->fileName(RunId::CLASSIC));
    }

    /** Whether it is a file of PECL's XHProf that has samples. */
    public function holdsSamples(RunId $id): bool
    {
        $name = $this->name($id);

        return str_ends_with($name, '.' . RunId::CLASSIC)
            && ClassicFile::holdsSamples($this->files->head($name, ClassicFile::HEAD));
    }

    /** @return SavedRun|null null also if it is not there, damaged, or cannot be opened */
    public function readable(RunId $id): ?SavedRun
    {
        try {
            return $this->saved($id);
        } catch (RunNotFound | DamagedRun | StoreError) {
            return null;
        }
    }
}
