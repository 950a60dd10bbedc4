<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\File\OpenFile;
use XHProf\Store\RunFolder;
use XHProf\Store\SnapshotName;

/** The heap snapshots in the run folder. */
final class Snapshots
{
    private readonly Folder $folder;

    public function __construct(private readonly RunFolder $store)
    {
        $this->folder = new Folder($store->directory());
    }

    /** Whether there are any: the head of every list asks. */
    public function exist(): bool
    {
        try {
            return $this->store->catalog()->hasSnapshots();
        } catch (StoreError) {
            return false;
        }
    }

    /**
     * @return list<array{name: string, size: int, mtime: int}> the newest first
     * @throws StoreError
     */
    public function all(): array
    {
        $all = [];
        foreach ($this->folder->names() as $file) {
            $name = SnapshotName::ofFile($file);
            $stat = $name === null ? null : $this->folder->stat($file);
            if ($name !== null && $stat !== null) {
                $all[] = ['name' => $name, 'size' => $stat['size'], 'mtime' => $stat['mtime']];
            }
        }
        usort($all, static fn (array $a, array $b): int => [$b['mtime'], $a['name']] <=> [$a['mtime'], $b['name']]);

        return $all;
    }

    /** @return int|null bytes of its file; null if there is no such snapshot, or the name is invalid */
    public function size(string $name): ?int
    {
        return SnapshotName::isName($name) ? $this->folder->stat($name . SnapshotName::SUFFIX)['size'] ?? null : null;
    }

    /**
     * @param string $name that size() knows
     * @throws StoreError
     */
    public function open(string $name): OpenFile
    {
        $file = $name . SnapshotName::SUFFIX;

        return $this->folder->open($file) ?? throw new StoreError("{$this->folder->path}/$file is not a regular file any more");
    }

    /** @param string $name that size() knows */
    public function head(string $name): SnapshotHead
    {
        try {
            return SnapshotHead::read($this->open($name));
        } catch (StoreError) {
            return SnapshotHead::unreadable();
        }
    }

    public function isWritable(): bool
    {
        return $this->folder->isWritable();
    }

    /**
     * @param string $name that size() knows
     * @return bool whether it is gone, and its index with it
     */
    public function delete(string $name): bool
    {
        try {
            HeapIndex::discard($this->open($name));
        } catch (StoreError) {
            // Its index is removed when other indexes need the space.
        }

        return $this->folder->remove($name . SnapshotName::SUFFIX);
    }

    /** The message without the folder's path, which does not belong on a page. */
    public function publicText(\Throwable $error): string
    {
        $path = $this->folder->path;

        return rtrim(str_replace(["$path/", $path], ['', 'the run folder'], $error->getMessage()), '.');
    }
}
