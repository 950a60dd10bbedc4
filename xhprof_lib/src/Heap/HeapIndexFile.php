<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\File\OpenFile;
use XHProf\Format\JsonText;
use XHProf\Store\UserCache;

/**
 * Columns of integers and texts in a file of this user's cache, each read when needed. The file is valid only for the
 * snapshot it was built from: another size, time or inode of the snapshot leads to another name.
 *
 * @internal
 */
final class HeapIndexFile
{
    /** Changes with the columns and with the computed values. */
    private const VERSION = 7;

    private const MAGIC = "XHPHEAP\n";
    private const ENDING = '.heap-index';

    /** Indexes kept, the newest first: two for a comparison always, others while all together stay below MAX_BYTES. */
    private const MAX_KEPT = 12;
    private const MIN_KEPT = 2;
    private const MAX_BYTES = 1 << 30;

    /** Bytes read at once, and pieces of that size that are kept. */
    private const BLOCK = 1 << 14;
    private const MAX_BLOCKS = 512;

    /** @var resource */
    private $stream;

    /** @var array<int, string> pieces of the file by their number */
    private array $blocks = [];

    /** @var array<string, array{int, int}> offset and bytes by column */
    private array $columns = [];

    /** @var array<string, mixed> */
    private array $facts = [];

    /** @param resource $stream */
    private function __construct($stream)
    {
        $this->stream = $stream;
    }

    /** The index of a snapshot; null if there is none, or none that can be used. */
    public static function find(OpenFile $snapshot): ?self
    {
        $key = self::key($snapshot);
        foreach ($key === null ? [] : UserCache::folders() as $folder) {
            $file = "$folder/$key" . self::ENDING;
            $own = UserCache::open($file);
            $index = $own === null ? null : new self($own->stream);
            if ($index?->load() === true) {
                // Indexes in use are kept.
                Folder::attempt(static fn (): bool => touch($file));

                return $index;
            }
        }

        return null;
    }

    /** Creates an empty one, to be written. */
    public static function create(): self
    {
        $index = new self(self::file());
        $index->append(self::MAGIC);

        return $index;
    }

    /** @return resource */
    private static function file()
    {
        foreach (UserCache::folders() as $folder) {
            $file = "$folder/" . bin2hex(random_bytes(8)) . self::ENDING . '.tmp';
            [$stream] = Folder::attempt(static fn () => fopen($file, 'x+b'));
            if ($stream !== false) {
                Folder::attempt(static fn (): bool => chmod($file, 0600));

                return $stream;
            }
        }
        [$stream] = Folder::attempt(static fn () => tmpfile());
        $error = 'no folder for the index of the snapshot can be written to, not even for a temporary file';

        return $stream === false ? throw new StoreError($error) : $stream;
    }

    public static function discard(OpenFile $snapshot): void
    {
        $key = self::key($snapshot);
        foreach ($key === null ? [] : UserCache::folders() as $folder) {
            Folder::attempt(static fn (): bool => unlink("$folder/$key" . self::ENDING));
        }
    }

    /**
     * @param iterable<string> $pieces bytes
     *
     * @throws StoreError
     */
    public function put(string $column, iterable $pieces): void
    {
        // Columns may be read while others are still to be written.
        fseek($this->stream, 0, SEEK_END);
        $from = (int) ftell($this->stream);
        foreach ($pieces as $piece) {
            $this->append($piece);
        }
        $this->columns[$column] = [$from, (int) ftell($this->stream) - $from];
    }

    /**
     * @param array<int, int> $integers
     * @param 'V'|'P'         $size     four bytes or eight each
     *
     * @throws StoreError
     */
    public function putIntegers(string $column, array $integers, string $size = 'V'): void
    {
        $this->put($column, (static function () use ($integers, $size): \Generator {
            for ($at = 0, $count = count($integers); $at < $count; $at += HeapGraph::CHUNK) {
                yield pack("$size*", ...array_slice($integers, $at, HeapGraph::CHUNK));
            }
        })());
    }

    /**
     * Adds facts: what is small enough to be read each time.
     *
     * @param array<string, mixed> $facts
     */
    public function note(array $facts): void
    {
        $this->facts = $facts + $this->facts;
    }

    /**
     * Renames the complete file to its final name.
     *
     * @param string|null $key of the snapshot before it was read: it may have been replaced since
     *
     * @throws StoreError
     */
    public function finish(?string $key): void
    {
        fseek($this->stream, 0, SEEK_END);
        $at = (int) ftell($this->stream);
        $flags = JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION;
        $head = JsonText::encode(['version' => self::VERSION, 'columns' => $this->columns, 'facts' => $this->facts], $flags);
        $this->append($head . pack('P', $at) . self::MAGIC);
        fflush($this->stream);
        $temporary = stream_get_meta_data($this->stream)['uri'] ?? '';
        if ($key === null || !str_ends_with($temporary, self::ENDING . '.tmp')) {
            return;
        }
        $folder = dirname($temporary);
        Folder::attempt(static fn (): bool => rename($temporary, "$folder/$key" . self::ENDING));
        self::prune($folder);
    }

    /** Removes the unfinished file. */
    public function abandon(): void
    {
        $temporary = stream_get_meta_data($this->stream)['uri'] ?? '';
        if (str_ends_with($temporary, self::ENDING . '.tmp')) {
            Folder::attempt(static fn (): bool => unlink($temporary));
        }
    }

    /** A numeric fact; 0 if it is no number. */
    public function number(string $fact): int
    {
        $number = $this->facts[$fact] ?? null;

        return is_int($number) ? $number : 0;
    }

    public function isTrue(string $fact): bool
    {
        return ($this->facts[$fact] ?? null) === true;
    }

    /** @return array<mixed> a fact that is a list or a map; empty if it is neither */
    public function list(string $fact): array
    {
        $list = $this->facts[$fact] ?? null;

        return is_array($list) ? $list : [];
    }

    /**
     * @param string|null $part of a fact that is a map of lists
     * @return list<list<int|string>> a fact that is a list of rows
     */
    public function rows(string $fact, ?string $part = null): array
    {
        $list = $this->list($fact);
        $list = $part === null ? $list : $list[$part] ?? null;
        $rows = [];
        foreach (is_array($list) ? $list : [] as $row) {
            if (is_array($row)) {
                $rows[] = array_values(array_filter($row, static fn (mixed $cell): bool => is_int($cell) || is_string($cell)));
            }
        }

        return $rows;
    }

    /** One integer of a column of four bytes each. */
    public function integer(string $column, int $at): int
    {
        return unpack('V', $this->bytes($column, $at * 4, 4))[1] ?? 0;
    }

    /** One integer of a column of eight bytes each. */
    public function long(string $column, int $at): int
    {
        return unpack('P', $this->bytes($column, $at * 8, 8))[1] ?? 0;
    }

    /** One byte of a column. */
    public function byte(string $column, int $at): string
    {
        return $this->bytes($column, $at, 1);
    }

    /** @return list<int> of a column of four bytes each */
    public function integers(string $column, int $at, int $count): array
    {
        return $count < 1 ? [] : array_values(unpack('V*', $this->bytes($column, $at * 4, $count * 4)) ?: []);
    }

    /** @return list<int> of a column of eight bytes each */
    public function longs(string $column, int $at, int $count): array
    {
        return $count < 1 ? [] : array_values(unpack('P*', $this->bytes($column, $at * 8, $count * 8)) ?: []);
    }

    /** Number of items of a given size in a column. */
    public function items(string $column, int $bytes): int
    {
        return intdiv($this->columns[$column][1] ?? 0, $bytes);
    }

    /** The whole column, packed. */
    public function column(string $column): string
    {
        return $this->bytes($column, 0, $this->columns[$column][1] ?? 0);
    }

    /** @param string $texts column of texts */
    public function text(int $number, string $texts = 'names'): string
    {
        [$from, $to] = $number === 0 ? [0, $this->long("$texts ends", 0)] : $this->longs("$texts ends", $number - 1, 2);

        return $this->bytes($texts, $from, min($to - $from, NamePool::MAX_BYTES));
    }

    /** @return \Generator<int, string> all texts by their numbers, read in pieces */
    public function texts(): \Generator
    {
        $from = $number = 0;
        for ($at = 0, $count = $this->items('names ends', 8); $at < $count; $at += HeapGraph::CHUNK) {
            $ends = $this->longs('names ends', $at, min(HeapGraph::CHUNK, $count - $at));
            $begin = $from;
            $piece = $this->bytes('names', $from, ($ends[count($ends) - 1] ?? $from) - $from);
            foreach ($ends as $end) {
                yield $number++ => substr($piece, $from - $begin, $end - $from);
                $from = $end;
            }
        }
    }

    private function bytes(string $column, int $at, int $count): string
    {
        [$offset, $bytes] = $this->columns[$column] ?? [0, 0];
        if ($count < 1) {
            return '';
        }
        $text = '';
        if ($at >= 0 && $at + $count <= $bytes) {
            $from = $offset + $at;
            $text = $count <= self::BLOCK >> 2 ? substr($this->block(intdiv($from, self::BLOCK)), $from % self::BLOCK, $count) : '';
            // Many, or over the end of a block.
            $text = strlen($text) === $count ? $text : $this->read($from, $count);
        }
        if (strlen($text) !== $count) {
            throw new StoreError('the index of the snapshot is damaged; it can be deleted at any time');
        }

        return $text;
    }

    /** A page asks for thousands of single numbers, most of them near each other. */
    private function block(int $number): string
    {
        if (!isset($this->blocks[$number])) {
            $this->blocks = count($this->blocks) < self::MAX_BLOCKS ? $this->blocks : [];
            $this->blocks[$number] = $this->read($number * self::BLOCK, self::BLOCK);
        }

        return $this->blocks[$number];
    }

    private function read(int $from, int $count): string
    {
        return fseek($this->stream, $from) === 0 ? (string) stream_get_contents($this->stream, $count) : '';
    }

    private function load(): bool
    {
        $stat = fstat($this->stream);
        $size = $stat === false ? 0 : $stat['size'];
        $tail = 8 + strlen(self::MAGIC);
        if ($size < 2 * $tail || fseek($this->stream, $size - $tail) !== 0) {
            return false;
        }
        $end = (string) fread($this->stream, $tail);
        $at = strlen($end) === $tail && substr($end, 8) === self::MAGIC ? unpack('P', $end)[1] ?? -1 : -1;
        if ($at < 0 || $at > $size - $tail || fseek($this->stream, $at) !== 0) {
            return false;
        }
        $head = json_decode((string) stream_get_contents($this->stream, $size - $tail - $at), true);
        if (!is_array($head) || ($head['version'] ?? null) !== self::VERSION) {
            return false;
        }
        foreach (is_array($head['columns'] ?? null) ? $head['columns'] : [] as $name => $column) {
            if (is_array($column) && is_int($column[0] ?? null) && is_int($column[1] ?? null)) {
                $this->columns[(string) $name] = [$column[0], $column[1]];
            }
        }
        $this->facts = is_array($head['facts'] ?? null) ? $head['facts'] : [];

        return true;
    }

    private function append(string $bytes): void
    {
        $this->blocks = [];
        [$written, $why] = Folder::attempt(fn () => fwrite($this->stream, $bytes));
        if ($written !== strlen($bytes)) {
            $this->abandon();
            throw new StoreError('the index of the snapshot cannot be written: ' . ($why ?: 'the disk may be full'));
        }
    }

    /** Key of the file's state. */
    public static function key(OpenFile $snapshot): ?string
    {
        $path = realpath($snapshot->path);

        return $path === false
            ? null
            : hash('sha256', "$path\0$snapshot->size\0$snapshot->mtime\0$snapshot->ino\0" . self::VERSION);
    }

    private static function prune(string $folder): void
    {
        $files = [];
        foreach (glob("$folder/*" . self::ENDING) ?: [] as $file) {
            $files[$file] = (int) @filemtime($file);
        }
        arsort($files);
        $kept = 0;
        $bytes = 0;
        foreach (array_keys($files) as $file) {
            $bytes += (int) @filesize($file);
            if (++$kept > self::MAX_KEPT || $kept > self::MIN_KEPT && $bytes > self::MAX_BYTES) {
                Folder::attempt(static fn (): bool => unlink($file));
            }
        }
        // Left by processes that were killed.
        foreach (glob("$folder/*" . self::ENDING . '.tmp') ?: [] as $file) {
            if ((int) @filemtime($file) < time() - 3600) {
                Folder::attempt(static fn (): bool => unlink($file));
            }
        }
    }
}
