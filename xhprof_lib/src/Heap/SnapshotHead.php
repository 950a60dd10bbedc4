<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\File\OpenFile;

/** The first and the last line of a snapshot, read without the megabytes between them. */
final class SnapshotHead
{
    /** Bytes within which the first line ends, and the last one begins; a list of many classes may be longer. */
    private const FIRST = 1 << 16;
    private const LAST = 1 << 18;

    /**
     * @param array<string, int|float|string|bool> $header description of the process; empty if it is no snapshot
     * @param array<string, mixed> $sums values of HeapIndex::summary(), where the end was found
     * @param string $damage one sentence, '' for none that shows at the first look
     */
    private function __construct(
        public readonly array $header,
        public readonly array $sums = [],
        public readonly string $damage = '',
    ) {
    }

    public static function unreadable(): self
    {
        return new self([], damage: 'The file cannot be read.');
    }

    public static function read(OpenFile $file): self
    {
        $bytes = $file->part(0, self::FIRST);
        $line = explode("\n", $bytes, 2)[0];
        $header = json_decode($line, true, 4);
        if (!is_array($header) || !isset($header['xhprof_heap'])) {
            return new self([], damage: $bytes === '' ? 'The file is empty.' : 'This is not a heap snapshot.');
        }
        if ($header['xhprof_heap'] !== 1) {
            return new self([], damage: 'This snapshot has a newer format than these pages can read.');
        }
        $known = ['xhprof_heap' => 1] + SnapshotInfo::header($header);
        $tail = rtrim($file->part(max(0, $file->size - self::LAST), self::LAST), "\n");
        $line = (string) strrchr("\n$tail", "\n");
        if (!str_starts_with($line, "\n{")) {
            // The last line is longer than the part that was read: many classes.
            return new self($known);
        }
        $footer = json_decode($line, true, 8);
        if (!is_array($footer) || ($footer['end'] ?? null) !== true) {
            return new self($known, damage: 'The file is cut off: its last lines are missing.');
        }

        return new self($known, SnapshotInfo::summary($footer['summary'] ?? null));
    }

    /** Title of the snapshot: the command, or method and URL, or the route of a condition, or else the name of its file. */
    public function title(string $name): string
    {
        $task = SnapshotInfo::task($this->header);

        return $task === '' ? $name : $task;
    }

    /** Words for its peak. */
    public function peak(): string
    {
        return SnapshotInfo::hasPhpsPeak($this->header)
            ? 'memory_get_peak_usage(): most since the request began, or the program reset it'
            : 'most since the request began';
    }

    public function text(string $key): string
    {
        $value = $this->header[$key] ?? '';

        return is_bool($value) ? '' : (string) $value;
    }

    public function number(string $key): ?int
    {
        $value = $this->header[$key] ?? null;

        return is_int($value) && $value >= 0 ? $value : null;
    }

    /** @return float|null when it was taken, seconds since 1970 */
    public function time(): ?float
    {
        $time = $this->header['time'] ?? null;

        return is_int($time) || is_float($time) ? (float) $time : null;
    }
}
