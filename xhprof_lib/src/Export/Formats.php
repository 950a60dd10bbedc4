<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Run\Run;

/**
 * The formats of other programs that a run can be written in. Share\AllFormats has them too.
 */
final class Formats
{
    /**
     * @return non-empty-array<string, Format> by name, as they are listed
     */
    public static function all(): array
    {
        return [
            Speedscope::NAME => new Speedscope(),
            Pprof::NAME => new Pprof(),
            Otlp::NAME => new Otlp(),
            Callgrind::NAME => new Callgrind(),
            Folded::NAME => new Folded(),
            ChromeTrace::NAME => new ChromeTrace(),
            Csv::NAME => new Csv(),
            JsonRun::NAME => new JsonRun(),
            Classic::NAME => new Classic(),
            Dot::NAME => new Dot(),
        ];
    }

    /** @return list<string> formats that small call paths can be left out of: the others list functions and edges, or keep all */
    public static function prunable(): array
    {
        $isPrunable = static fn (Format $format): bool
            => $format::NEEDS_PATHS || $format instanceof Callgrind;

        return array_keys(array_filter(self::all(), $isPrunable));
    }

    /**
     * @return string "4f0c91ab.shop.speedscope.json": of letters, digits, dots, "_" and "-" only
     */
    public static function fileName(Run $run, Format $format): string
    {
        return ($run->id === null ? 'run' : (string) $run->id) . '.' . $format::EXTENSION;
    }
}
