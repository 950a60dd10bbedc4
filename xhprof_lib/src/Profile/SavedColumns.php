<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;

/**
 * Common parts of the JSON files beside a run: a version, a kind, and columns of integers that need validation.
 *
 * @internal
 */
final class SavedColumns
{
    private const NAMES = [
        'tree' => 'a call tree',
        'memory' => 'a memory profile',
        'samples' => 'a log of samples',
        'operations' => 'a list of operations',
        'timeline' => 'a timeline',
    ];

    /** Sums of absolute values stay below this, so that no sum or difference of two runs can leave the integers. */
    public const MAX_SUM = 1 << 61;

    /**
     * Largest file of a run in bytes. Decoded it takes many times as much, and PHP on the command line often has no
     * memory_limit.
     */
    public const MAX_BYTES = 1 << 30;

    /**
     * Bytes that are not UTF-8 come back as U+FFFD, because JSON cannot hold them.
     *
     * @template T
     *
     * @param 'tree'|'memory'|'samples'|'operations'|'timeline' $kind
     * @param \Closure(array<mixed>): T $make may throw InvalidProfile
     * @param (\Closure(): string)|null $bytes returns the file's contents; null to read it by its name
     *
     * @return T
     *
     * @throws DamagedRun naming the file
     */
    public static function read(string $file, string $kind, \Closure $make, ?\Closure $bytes = null): mixed
    {
        try {
            $flags = JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR;
            // In one expression: the text of a large file is freed before it is processed.
            $data = json_decode($bytes === null ? self::bytes($file) : $bytes(), true, 16, $flags);
            if (!is_array($data) || ($data['kind'] ?? $kind) !== $kind || ($data['v'] ?? 1) !== 1) {
                throw new InvalidProfile('not ' . self::NAMES[$kind] . ' of version 1');
            }

            return $make($data);
        } catch (\JsonException | InvalidProfile $e) {
            throw new DamagedRun("$file: {$e->getMessage()}", 0, $e);
        }
    }

    /**
     * @param string   $name  for the message, like "fn" of the call tree
     * @param int|null $count null for any
     * @param int      $most  of a value
     *
     * @return list<int>
     *
     * @throws InvalidProfile
     */
    public static function integers(
        mixed $column,
        string $name,
        int $least,
        ?int $count = null,
        int $most = PHP_INT_MAX,
    ): array {
        if (!is_array($column) || !array_is_list($column) || ($count !== null && count($column) !== $count)) {
            throw new InvalidProfile("the column $name is missing or of the wrong length");
        }
        $sum = 0;
        foreach ($column as $value) {
            if (!is_int($value) || $value < $least) {
                throw new InvalidProfile("the column $name holds values that are not integers");
            }
            if ($value > $most) {
                throw new InvalidProfile("the column $name holds a number out of range");
            }
            $sum += $value < 0 ? -$value : $value;
        }
        if ($sum > self::MAX_SUM) {
            throw new InvalidProfile("the values of the column $name are too large");
        }

        /** @var list<int> $column */
        return $column;
    }

    /**
     * @param string $what for the message
     *
     * @throws InvalidProfile
     */
    public static function integer(mixed $value, string $what, int $most = self::MAX_SUM): int
    {
        if (!is_int($value) || $value < 0 || $value > $most) {
            throw new InvalidProfile("$what is not a valid number");
        }

        return $value;
    }

    /**
     * @param string $of for the message
     *
     * @return list<non-empty-string>
     *
     * @throws InvalidProfile
     */
    public static function names(mixed $names, string $of): array
    {
        if (!is_array($names) || !array_is_list($names)) {
            throw new InvalidProfile("$of has no list of names");
        }
        foreach ($names as $name) {
            if (!is_string($name) || !EdgeKey::isName($name)) {
                throw new InvalidProfile("a name in $of is not a text, or only a number");
            }
        }

        /** @var list<non-empty-string> $names */
        return $names;
    }

    private static function bytes(string $file): string
    {
        if (is_file($file) && filesize($file) > self::MAX_BYTES) {
            throw new DamagedRun("$file: too large for a file of a run");
        }
        $json = is_file($file) ? @file_get_contents($file) : false;

        return $json === false ? throw new DamagedRun("$file: cannot be read") : $json;
    }
}
