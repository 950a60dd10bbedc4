<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\File\OpenFile;
use XHProf\Format\Units;

/**
 * Requests that are counted and in no window that was saved yet. They are in files of the run folder that only the extension
 * reads and writes: a spool, in which processes gather a window's data, and a journal for each process
 * (extension/request/spool.h, journal.h). Here only the requests of their records are added up, without the records' checksums.
 */
final class WaitingRequests
{
    private const FILES = '/\A\.xhprof-aggregate\.([A-Za-z0-9_-]{1,64})(?:\..{1,220})?\.(spool|journal)\z/';

    private const SPOOL = 'XSPOOL02';
    /** Bytes of a spool without records. */
    public const EMPTY_SPOOL = 88;

    private const JOURNAL = 'XSPJRNL2';
    private const JOURNAL_HEAD = 64;

    /** One of these, by the version of the extension; then the length of what follows the head. */
    private const RECORDS = ['9RAX', '8RAX'];
    private const RECORD_HEAD = 24;

    /** Numbers of a record that come before its requests. */
    private const BEFORE_REQUESTS = 5;

    /** Most records of a file that are looked at: each request has one. */
    private const MOST = 200000;

    /**
     * @param int $requests that ended; those that run are not counted
     * @param list<array{source: string, requests: int, bytes: int, written: int}> $spools by name; `written` is in seconds
     *     since 1970
     */
    private function __construct(public readonly int $requests, public readonly array $spools)
    {
    }

    /** Of a run folder; none where it cannot be read. */
    public static function in(string $directory): self
    {
        try {
            $names = (new Folder($directory))->names();
        } catch (StoreError) {
            $names = [];
        }

        return self::inFiles($directory, $names);
    }

    /** @param list<string> $names in the run folder; those of other files do not count */
    public static function inFiles(string $directory, array $names): self
    {
        [$requests, $taken, $journals, $spools] = [0, [], [], []];
        $names = preg_grep(self::FILES, $names) ?: [];
        sort($names);
        foreach ($names as $name) {
            $file = self::open("$directory/$name");
            if ($file === null || preg_match(self::FILES, $name, $match) !== 1) {
                continue;
            }
            if ($match[2] === 'journal') {
                $journals[substr($name, -24, 16)] = self::journal($file->stream);
            } else {
                [$waiting, $number] = self::spool($file->stream);
                $requests += $waiting;
                $taken[$number] = true;
                $spools[] = ['source' => $match[1], 'requests' => $waiting, 'bytes' => $file->size, 'written' => $file->mtime];
            }
            fclose($file->stream);
        }

        // What a spool has taken from a journal counts once.
        return new self($requests + array_sum(array_diff_key($journals, $taken)), $spools);
    }

    /** Whether a file of the run folder may have some. */
    public static function isName(string $name): bool
    {
        return preg_match(self::FILES, $name) === 1;
    }

    /** A sentence for people; '' if none wait. */
    public function text(): string
    {
        return match ($this->requests) {
            0 => '',
            1 => '1 request waits to be saved: its window is saved when a request comes after the window',
            default => Units::count($this->requests)
                . ' requests wait to be saved: their window is saved when a request comes after the window',
        };
    }

    private static function open(string $path): ?OpenFile
    {
        try {
            return OpenFile::only($path);
        } catch (StoreError) {
            return null;
        }
    }

    /**
     * @param resource $stream
     *
     * @return array{int, string} requests, and the number of the journal whose data the spool has
     */
    private static function spool($stream): array
    {
        $head = (string) fread($stream, self::EMPTY_SPOOL);
        if (strlen($head) < self::EMPTY_SPOOL || !str_starts_with($head, self::SPOOL)) {
            return [0, ''];
        }
        ['end' => $end, 'taken' => $taken] = unpack('Pmagic/Pend/Pbegun/Psaved/Pdamaged/Pwindow/Plooked/Ptaken', $head)
            ?: ['end' => 0, 'taken' => 0];
        $requests = 0;
        $at = self::EMPTY_SPOOL;
        for ($i = 0; $i < self::MOST && $at < $end; $i++) {
            [$number, $size] = self::record($stream, $at);
            if ($size === 0) {
                break;
            }
            $requests += $number;
            $at += $size;
        }

        return [$requests, sprintf('%016x', $taken)];
    }

    /** @param resource $stream */
    private static function journal($stream): int
    {
        $head = (string) fread($stream, self::JOURNAL_HEAD);
        if (strlen($head) < self::JOURNAL_HEAD || !str_starts_with($head, self::JOURNAL)) {
            return 0;
        }
        $mark = substr($head, 8, 8);
        $at = (unpack('P', $head, 16) ?: [1 => 0])[1];
        $requests = 0;
        for ($i = 0; $i < self::MOST && $at >= self::JOURNAL_HEAD; $i++) {
            if (fseek($stream, $at) !== 0 || fread($stream, 8) !== $mark) {
                break;
            }
            [$number, $size] = self::record($stream, $at + 8);
            if ($size === 0) {
                break;
            }
            $requests += $number;
            $at += 8 + $size;
        }

        return $requests;
    }

    /**
     * @param resource $stream
     *
     * @return array{int, int} requests of the record, and its bytes with padding; 0 bytes if there is none
     */
    private static function record($stream, int $at): array
    {
        $bytes = fseek($stream, $at) === 0 ? (string) fread($stream, self::RECORD_HEAD + 10 * (self::BEFORE_REQUESTS + 1)) : '';
        if (strlen($bytes) <= self::RECORD_HEAD || !in_array(substr($bytes, 0, 4), self::RECORDS, true)) {
            return [0, 0];
        }
        $length = (unpack('V', $bytes, 4) ?: [1 => 0])[1];
        $place = self::RECORD_HEAD;
        for ($i = 0; $i <= self::BEFORE_REQUESTS; $i++) {
            $number = 0;
            for ($shift = 0; $shift < 70; $shift += 7) {
                $byte = ord($bytes[$place++] ?? "\0");
                $number |= ($byte & 0x7f) << $shift;
                if ($byte < 0x80) {
                    break;
                }
            }
        }

        // Whoever may write there may write anything.
        return [$number >= 0 && $number < 1 << 53 ? $number : 0, (self::RECORD_HEAD + $length + 7) & ~7];
    }
}
