<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Run\RunId;

/** Names of heap snapshots in a run folder: strict ones whose files end in ".heap.jsonl". Other files are ignored. */
final class SnapshotName
{
    public const SUFFIX = '.heap.jsonl';

    private const LONGEST = 150;

    public static function isName(string $name): bool
    {
        return strlen($name) <= self::LONGEST
            && preg_match('/\A' . RunId::PART . '(?:\.' . RunId::PART . ')*\z/', $name) === 1;
    }

    /** @return string|null null for the file of no snapshot */
    public static function ofFile(string $file): ?string
    {
        if (!str_ends_with($file, self::SUFFIX)) {
            return null;
        }
        $name = substr($file, 0, -strlen(self::SUFFIX));

        return self::isName($name) ? $name : null;
    }
}
