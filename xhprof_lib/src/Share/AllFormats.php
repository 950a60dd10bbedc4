<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Exception\CannotExport;
use XHProf\Export\Format;
use XHProf\Export\Formats;
use XHProf\Web\Run\PageTable;

/** The formats a run can be written in: those of other programs, and the file that needs none. */
final class AllFormats
{
    /** @return non-empty-array<string, Format> by name, as they are listed */
    public static function of(PageTable $pages): array
    {
        return [Html::NAME => new Html($pages)] + Formats::all();
    }

    /** @throws CannotExport */
    public static function named(string $name, PageTable $pages): Format
    {
        $all = self::of($pages);

        return $all[$name] ?? throw new CannotExport("there is no format \"$name\"; take " . implode(', ', array_keys($all)));
    }

    /** @return list<string> formats that small call paths can be left out of */
    public static function prunable(): array
    {
        return [Html::NAME, ...Formats::prunable()];
    }
}
