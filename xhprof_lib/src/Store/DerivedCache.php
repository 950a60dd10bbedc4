<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;

/**
 * What was computed of large runs, in a folder of this user's cache into which nobody else can write. Only values of arrays and
 * scalars are kept. Their keys contain the identity of the files that they were made of (Run::version()), so that a value is
 * never older than its run; the ones that were used least recently go when there are too many.
 */
final class DerivedCache
{
    /** Numbers of runs, see Run::size(), from which keeping pays. */
    public const LARGE = 1 << 19;

    private const MAX_FILES = 200;

    private const MAX_BYTES = 16 << 20;

    /** Increased when what is kept under a key changes although runs do not. */
    private const REVISION = 1;

    private const NAME = '/\A[0-9a-f]{64}\z/';

    public function __construct(private readonly string $folder)
    {
    }

    /** @return self|null null if this user has no cache */
    public static function ofUser(): ?self
    {
        foreach (UserCache::folders() as $folder) {
            $answers = "$folder/derived";
            [$made] = Folder::attempt(static fn (): bool => is_dir($answers) || mkdir($answers, 0700));
            if ($made && UserCache::isOwnFolder($answers)) {
                return new self($answers);
            }
        }

        return null;
    }

    /**
     * @template T of array<mixed>|string
     *
     * @param list<mixed> $key
     * @param \Closure(): T $make
     *
     * @return T
     */
    public function remember(array $key, \Closure $make): array|string
    {
        $name = hash('sha256', serialize([self::REVISION, $key]));
        /** @var T|null $known */
        $known = $this->read($name);
        if ($known === null) {
            $known = $make();
            $this->keep($name, serialize($known));
        }

        return $known;
    }

    /** @return array<mixed>|string|null null if it is not there, or damaged */
    private function read(string $name): array|string|null
    {
        $file = UserCache::open("$this->folder/$name");
        if ($file === null) {
            return null;
        }
        try {
            $bytes = $file->bytes(self::MAX_BYTES);
        } catch (StoreError) {
            return null;
        }
        fclose($file->stream);
        [$value] = Folder::attempt(static fn (): mixed => unserialize($bytes, ['allowed_classes' => false]));
        if (!is_array($value) && !is_string($value)) {
            return null;
        }
        // The time of its last use.
        Folder::attempt(fn (): bool => touch("$this->folder/$name"));

        return $value;
    }

    private function keep(string $name, string $bytes): void
    {
        if (strlen($bytes) > self::MAX_BYTES) {
            return;
        }
        try {
            $folder = new Folder($this->folder);
            $folder->write($name, $bytes);
            $this->prune($folder);
        } catch (StoreError) {
            // It will be computed again.
        }
    }

    /** @throws StoreError */
    private function prune(Folder $folder): void
    {
        $names = preg_grep(self::NAME, $folder->names()) ?: [];
        if (count($names) <= self::MAX_FILES) {
            return;
        }
        $used = [];
        foreach ($names as $name) {
            $used[$name] = $folder->stat($name)['mtime'] ?? 0;
        }
        asort($used);
        foreach (array_keys(array_slice($used, 0, count($used) - self::MAX_FILES, true)) as $name) {
            $folder->remove($name);
        }
    }
}
