<?php

declare(strict_types=1);

namespace XHProf\Source;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\File\OpenFile;

/**
 * Source files that a run names, below folders that the operator allows: XHPROF_SOURCE_ROOTS, with ":" between them. Runs are
 * untrusted, and may name any file: only PHP's own files are read, whose real path is below the real path of such a folder, and
 * neither links nor devices nor what the kernel shows as files.
 */
final class SourceFiles
{
    public const ROOTS = 'XHPROF_SOURCE_ROOTS';

    /** Larger files are not read. */
    public const MAX_BYTES = 4 << 20;

    private const NEVER = ['/proc', '/sys', '/dev', '/run'];

    /** @var list<string> real paths, without a slash at the end */
    private readonly array $roots;

    /** @param list<string> $roots absolute paths; those that do not exist allow nothing */
    public function __construct(array $roots, private readonly PathMap $map)
    {
        $real = [];
        clearstatcache(true);
        foreach ($roots as $root) {
            [$path] = Folder::attempt(static fn () => str_starts_with($root, '/') ? realpath($root) : false);
            $real[] = $path === false ? null : rtrim($path, '/');
        }
        $this->roots = array_values(array_filter($real, is_string(...)));
    }

    /** @param string $roots as XHPROF_SOURCE_ROOTS has them */
    public static function below(string $roots, PathMap $map): self
    {
        return new self(array_values(array_filter(explode(PATH_SEPARATOR, $roots))), $map);
    }

    /** All that the user may read. */
    public static function ofUser(): self
    {
        return new self(['/'], PathMap::parse(''));
    }

    /** Whether this may be the path of a file: absolute, on one line, and neither a URL nor "FILE(3) : eval()'d code". */
    public static function isPath(string $file): bool
    {
        return preg_match('~\A(?:/|[A-Za-z]:[\\\\/])[^\x00-\x1F\x7F]*\z~', $file) === 1
            && preg_match('~(?:\A|[\\\\/])\.\.(?:[\\\\/]|\z)|\([0-9]+\) : ~', $file) !== 1
            && strlen($file) <= 4096;
    }

    public function isAllowed(): bool
    {
        return $this->roots !== [];
    }

    /**
     * @param string $file as a run names it; it is looked for there, and where the map says
     *
     * @return array{lines: list<string>, mtime: int}|null null where it may not or cannot be read
     */
    public function read(string $file): ?array
    {
        foreach (self::isPath($file) ? array_unique([$this->map->apply($file), $file]) : [] as $candidate) {
            $open = $this->open($candidate);
            if ($open === null || $open->size > self::MAX_BYTES) {
                continue;
            }
            try {
                $text = $open->bytes(self::MAX_BYTES);
            } catch (StoreError) {
                continue;
            }
            if (self::isCode($open->path, $text)) {
                return ['lines' => preg_split('/\r\n|\n|\r/', $text) ?: [], 'mtime' => $open->mtime];
            }
        }

        return null;
    }

    /**
     * Whether it is code by its beginning, or by its extension and a tag. Secrets are in files of other kinds, which may have a tag
     * in them: .env, keys, dumps, logs.
     */
    private static function isCode(string $file, string $text): bool
    {
        return preg_match('/\A(?:\xEF\xBB\xBF)?(?:#![^\n]*+\n)?\s*+<\?(?:php\b|=)/i', $text) === 1
            || (preg_match('/\.(?:php[0-9]?|phtml|phpt|inc|ctp)\z/i', $file) === 1 && preg_match('/<\?(?:php\b|=)/i', $text) === 1);
    }

    private function open(string $file): ?OpenFile
    {
        // With the paths that PHP keeps: what was below a root two minutes ago may be elsewhere.
        clearstatcache(true);
        [$real] = Folder::attempt(static fn () => realpath($file));
        if (!is_string($real) || !$this->isBelowRoot($real)) {
            return null;
        }
        try {
            $open = OpenFile::only($real);
        } catch (StoreError) {
            return null;
        }

        return $open !== null && $this->isOpenBelowRoot($open) ? $open : null;
    }

    /** What is open is judged: a folder of its name may have become a link before it was opened. */
    private function isOpenBelowRoot(OpenFile $open): bool
    {
        $places = $open->places();
        if ($places === []) {
            clearstatcache(true);
            [$now] = Folder::attempt(static fn () => realpath($open->path));
            $named = OpenFile::stat($open->path);

            return $now === $open->path && $named !== null && $named['ino'] === $open->ino;
        }

        return count(array_filter($places, $this->isBelowRoot(...))) === count($places);
    }

    private function isBelowRoot(string $real): bool
    {
        foreach (self::NEVER as $folder) {
            if (str_starts_with($real, "$folder/")) {
                return false;
            }
        }
        foreach ($this->roots as $root) {
            if (str_starts_with($real, "$root/")) {
                return true;
            }
        }

        return false;
    }
}
