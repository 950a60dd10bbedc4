<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Profile\CallTree;
use XHProf\Run\Run;

/** "main();a;b 123" per call path, with its exclusive value: nanoseconds, bytes or calls. Paths with 0 are left out. */
final class Folded implements Format
{
    public const NAME = 'folded';
    public const EXTENSION = 'folded.txt';
    public const MIME_TYPE = 'text/plain';
    public const LABEL = 'Folded stacks';
    public const OPENS = 'flamegraph.pl, inferno and most flame graph tools: one metric, times in nanoseconds';
    public const NEEDS_PATHS = true;

    public const SEPARATOR = ';';

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $tree = ExportColumn::paths($run);
        $column = ExportColumn::wanted($run, $metric)[0];
        $names = array_map(static fn (string $name): string => Utf8Names::line($name, self::SEPARATOR), $tree->names);
        $out->expect(self::size($tree, $column->values, $names));
        $path = [];
        foreach ($tree->depth as $node => $depth) {
            $at = min($depth, PackedStacks::DEEPEST);
            $path[$at] = self::frameName($names, $tree->fn[$node], $depth);
            // No tool reads a negative value: freed memory is left out.
            if ($column->values[$node] > 0) {
                $stack = implode(self::SEPARATOR, array_slice($path, 0, $at + 1));
                $out->write("$stack {$column->values[$node]}\n");
            }
        }
    }

    /**
     * Size of the file: each path is written whole, which for deep paths and long names is the square of the run's size.
     *
     * @param array<int, int|float> $values
     * @param list<string>          $names
     */
    private static function size(CallTree $tree, array $values, array $names): int
    {
        $bytes = 0;
        $lengths = [-1 => -1];
        foreach ($tree->depth as $node => $depth) {
            $at = min($depth, PackedStacks::DEEPEST);
            $lengths[$at] = $lengths[$at - 1] + 1 + strlen(self::frameName($names, $tree->fn[$node], $depth));
            $bytes += $values[$node] > 0 ? $lengths[$at] + strlen(" $values[$node]\n") : 0;
        }

        return $bytes;
    }

    /** @param list<string> $names */
    private static function frameName(array $names, int $fn, int $depth): string
    {
        return $depth < PackedStacks::DEEPEST ? $names[$fn] : PackedStacks::DEEPER;
    }
}
