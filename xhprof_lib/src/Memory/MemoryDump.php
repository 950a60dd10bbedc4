<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\SavedColumns;

/** A dump written by xhprof_alloc_dump(): the memory of one moment, with the call paths that hold it. */
final class MemoryDump
{
    private const BEGINNING = '{"v":1,"kind":"memory"';

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
     * @throws DamagedRun naming the file
     */
    public static function fromJsonFile(string $file): self
    {
        return SavedColumns::read($file, 'memory', static function (array $data): self {
            $tree = is_array($data['tree'] ?? null)
                ? $data['tree']
                : throw new InvalidProfile('it has no call tree: it is part of a run; export that by its id');
            $time = $data['time'] ?? null;
            $pid = $data['pid'] ?? null;

            return new self(
                MemoryProfile::fromArray($data, CallTree::fromArray($tree, false)),
                is_float($time) || is_int($time) ? (float) $time : null,
                is_int($pid) ? $pid : null,
            );
        });
    }
}
