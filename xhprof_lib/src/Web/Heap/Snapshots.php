<?php

declare(strict_types=1);

namespace XHProf\Web\Heap;

use XHProf\Exception\StoreError;
use XHProf\Store\Folder;
use XHProf\Store\RunId;

/** The heap snapshots in the run folder: files whose names end in ".heap.jsonl". Other names than strict ones are not seen. */
final class Snapshots
{
    private const SUFFIX = '.heap.jsonl';

    private const LONGEST = 150;

    private readonly Folder $folder;

    /** @var bool|null whether there are some; null before somebody asks */
    private ?bool $exist = null;

    public function __construct(string $directory)
    {
        $this->folder = new Folder($directory);
    }

    /** Whether the list has anything to show: asked by the head of every list. */
    public function exist(): bool
    {
        if ($this->exist === null) {
            [$handle] = Folder::attempt(fn () => opendir($this->folder->path));
            $this->exist = false;
            while ($handle !== false && !$this->exist && ($name = readdir($handle)) !== false) {
                $this->exist = self::nameOf($name) !== null;
            }
            if ($handle !== false) {
                closedir($handle);
            }
        }

        return $this->exist;
    }

    /**
     * @return list<array{name: string, size: int, mtime: int}> the newest first
     * @throws StoreError
     */
    public function all(): array
    {
        $all = [];
        foreach ($this->folder->names() as $file) {
            $name = self::nameOf($file);
            $stat = $name === null ? null : $this->folder->stat($file);
            if ($name !== null && $stat !== null) {
                $all[] = ['name' => $name, 'size' => $stat['size'], 'mtime' => $stat['mtime']];
            }
        }
        usort($all, static fn (array $a, array $b): int => [$b['mtime'], $a['name']] <=> [$a['mtime'], $b['name']]);

        return $all;
    }

    /** @return int|null bytes of its file; null where there is none of the name, or it is the name of none */
    public function size(string $name): ?int
    {
        return self::isName($name) ? $this->folder->stat($name . self::SUFFIX)['size'] ?? null : null;
    }

    public static function isName(string $name): bool
    {
        return strlen($name) <= self::LONGEST
            && preg_match('/\A' . RunId::PART . '(?:\.' . RunId::PART . ')*\z/', $name) === 1;
    }

    /** @param string $name that size() knows */
    public function path(string $name): string
    {
        return $this->folder->path . '/' . $name . self::SUFFIX;
    }

    /** @param string $name that size() knows */
    public function head(string $name): SnapshotHead
    {
        return SnapshotHead::read($this->path($name));
    }

    /** The folder's path does not belong on a page. */
    public function publicText(\Throwable $error): string
    {
        $path = $this->folder->path;

        return rtrim(str_replace(["$path/", $path], ['', 'the run folder'], $error->getMessage()), '.');
    }

    private static function nameOf(string $file): ?string
    {
        $name = substr($file, 0, -strlen(self::SUFFIX));

        return str_ends_with($file, self::SUFFIX) && self::isName($name) ? $name : null;
    }
}
