<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;

/** A dump written by xhprof_alloc_dump(): the memory of one moment, with the call paths that hold it. */
final class MemoryDump
{
    private const BEGINNING = '{"v":1,"kind":"memory"';

    /** Decoded it takes many times as much, and PHP on the command line often has no memory_limit. */
    private const MAX_BYTES = 1 << 30;

    /**
     * @param float|null $time seconds since 1970
     * @param int|null   $pid  of the process
     */
    private function __construct(
        public readonly MemoryProfile $memory,
        public readonly ?float $time,
        public readonly ?int $pid,
    ) {
    }

    /** Whether a file is a dump, judged by its first bytes. */
    public static function is(string $file): bool
    {
        return is_file($file) && @file_get_contents($file, false, null, 0, strlen(self::BEGINNING)) === self::BEGINNING;
    }

    /**
     * Bytes that are not UTF-8 come back as U+FFFD, because JSON cannot hold them.
     *
     * @throws DamagedRun naming the file
     */
    public static function fromJsonFile(string $file): self
    {
        try {
            // In one expression: the text of a large file is freed before it is processed.
            $data = json_decode(self::bytes($file), true, 16, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
            if (!is_array($data) || ($data['kind'] ?? null) !== 'memory' || ($data['v'] ?? null) !== 1) {
                throw new InvalidProfile('not a memory profile of version 1');
            }
            if (!is_array($data['tree'] ?? null)) {
                throw new InvalidProfile('it has no call tree');
            }
            $time = $data['time'] ?? null;
            $pid = $data['pid'] ?? null;

            return new self(
                MemoryProfile::fromArray($data, CallTree::fromArray($data['tree'], false)),
                is_float($time) || is_int($time) ? (float) $time : null,
                is_int($pid) ? $pid : null,
            );
        } catch (\JsonException | InvalidProfile $e) {
            throw new DamagedRun("$file: {$e->getMessage()}", 0, $e);
        }
    }

    private static function bytes(string $file): string
    {
        if (is_file($file) && filesize($file) > self::MAX_BYTES) {
            throw new DamagedRun("$file: too large for a dump");
        }
        $json = is_file($file) ? @file_get_contents($file) : false;

        return $json === false ? throw new DamagedRun("$file: cannot be read") : $json;
    }
}
