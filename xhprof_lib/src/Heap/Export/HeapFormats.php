<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Exception\CannotExport;

/**
 * The formats a heap snapshot can be written in.
 */
final class HeapFormats
{
    /**
     * @param bool $pretty indented, where the format is JSON for people too
     *
     * @return non-empty-array<string, HeapFormat> by name, as they are listed
     */
    public static function all(bool $pretty = false): array
    {
        return [DevTools::NAME => new DevTools(), Reli::NAME => new Reli($pretty)];
    }

    /**
     * @throws CannotExport
     */
    public static function named(string $name, bool $pretty = false): HeapFormat
    {
        $all = self::all($pretty);
        $names = implode(', ', array_keys($all));

        return $all[$name] ?? throw new CannotExport("there is no format \"$name\" of heap snapshots; take $names");
    }
}
